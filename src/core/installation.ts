import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { orUndefined } from './errors.ts';
import { version } from './version.ts';
import type { World } from './world.ts';

/** How to update each kind of copy. mar itself never looks for updates. */
const updates = {
  npm: 'To update, run npm install --global with the tarball of the new version.',
  deb: 'To update, run apt install with the .deb of the new version.',
  'one file': 'To update, replace the file with the program of the new version.',
  image: 'To update, use the image of the new version.',
  clone: 'To update, run git pull && npm ci && npm run build',
};

export function installationOf(
  { env, program: command }: Pick<World, 'env' | 'program'>,
  marker = '/usr/share/mar/installed-by',
) {
  const named = command.at(-1) ?? '';
  const program = orUndefined(() => realpathSync(named)) ?? named;
  const installer = (): keyof typeof updates => {
    if (env.MAR_INSTALLED_BY === 'image') return 'image';
    const packager = orUndefined(() => readFileSync(marker, 'utf8'))?.trim();
    // The machine may also have a copy that is not from the package.
    if (program === '/usr/bin/mar' && packager === 'deb') return 'deb';
    if (command.length === 1) return 'one file';
    return existsSync(path.join(path.dirname(program), '..', '.git')) ? 'clone' : 'npm';
  };
  const installedBy = installer();
  return { version, installedBy, program, update: updates[installedBy] };
}
