import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { thisMachine } from '../../scripts/package/systems.mjs';
import { temporaryFolder } from '../harness/mar.ts';
import { root } from '../harness/package.ts';

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const system = thisMachine();

export { version };
export const releaseFolder = path.join(root, 'build/release');

/** `npm run package -- --only this-machine` makes no manifests. */
export const isComplete = existsSync(path.join(releaseFolder, 'mar.rb'));

/** The files for this machine, and those for every machine. */
export const artefacts = {
  program: `mar-${version}-${system.name}`,
  deb: `mar_${version}_${system.debian}.deb`,
  image: `mar-${version}-image-${system.debian}.tar`,
  tarball: `mar-cli-${version}.tgz`,
  sbom: `mar-${version}.cdx.json`,
  notices: `mar-${version}-notices.txt`,
};

export const artefact = (name: keyof typeof artefacts) => path.join(releaseFolder, artefacts[name]);

export const run = (program: string, args: readonly string[], env = process.env) =>
  execFileSync(program, args, { env, encoding: 'utf8', stdio: 'pipe', maxBuffer: 1e9 });

/** A root folder with the libraries of these Debian packages, and nothing else. */
export function minimalRoot(packages: readonly string[]): string {
  const folder = temporaryFolder();
  const isLibrary = /^\/(usr\/)?lib(64)?\/(?!.*(gconv|audit)).*\.so[\d.]*$/;
  const libraries = run('dpkg', ['-L', ...packages])
    .split('\n')
    .filter((file) => isLibrary.test(file))
    .map((file) => file.slice(1));
  const archive = path.join(folder, 'libraries.tar');
  run('tar', ['-C', '/', '-cf', archive, ...libraries]);
  run('tar', ['-C', folder, '-xf', archive]);
  rmSync(archive);
  run('mkdir', [path.join(folder, 'home'), path.join(folder, 'tmp')]);
  return folder;
}

/** The files that contain the path of this checkout. */
export function filesWithMachinePath(folder: string): string[] {
  const script = 'grep -rlF "$1" "$2" || true';
  const found = run('sh', ['-c', script, 'sh', root.replace(/\/$/, ''), folder]);
  return found.split('\n').filter(Boolean);
}

/** An archive's files, without its folders. */
export const filesIn = (list: string) =>
  list
    .split('\n')
    .map((name) => name.replace(/^\.\//, ''))
    .filter((name) => name && !name.endsWith('/'))
    .sort();
