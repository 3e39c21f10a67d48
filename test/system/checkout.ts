import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../harness/mar.ts';
import { root } from '../harness/package.ts';

/** A new repository with every file that is or could be committed, so that uncommitted work is tested as well. */
export function copyOfCheckout(): string {
  const folder = temporaryFolder();
  const flags = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', flags, { cwd: root, encoding: 'utf8' }).split('\0');
  for (const name of names.filter((one) => one !== '' && existsSync(path.join(root, one)))) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    cpSync(path.join(root, name), path.join(folder, name));
  }
  // A folder of links, because .gitignore does not match node_modules as a link.
  mkdirSync(path.join(folder, 'node_modules'));
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    if (name === '.cache') continue;
    const target = realpathSync(path.join(root, 'node_modules', name));
    symlinkSync(target, path.join(folder, 'node_modules', name));
  }
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  return folder;
}
