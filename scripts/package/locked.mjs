// Packages for other systems, which `npm ci` does not install: Node, and the keychain libraries.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm, onFirstUse } from '../npmCache.mjs';

/**
 * @typedef {object} LockedPackage
 * @property {string} [name] the real name, if the lock file has the package under another one
 * @property {string} version
 * @property {string} integrity
 */

/** @type {Record<string, LockedPackage>} */
const lockedPackages = Object.assign(
  {},
  ...['package-lock.json', 'scripts/package/nodes/package-lock.json'].map(
    (file) => JSON.parse(readFileSync(file, 'utf8')).packages,
  ),
);

/**
 * The name, version and checksum of a package in the lock files.
 * @param {string} name
 */
export function locked(name) {
  const found = lockedPackages[`node_modules/${name}`];
  if (!found) throw new Error(`no lock file has ${name}; see scripts/package/nodes`);
  const { version, integrity } = found;
  return { name: found.name ?? name, version, integrity };
}

/**
 * The folder of a package, downloaded on first use. npm compares the download with the hash of the lock
 * file.
 * @param {string} alias
 */
export function fetchLocked(alias) {
  const { name, version, integrity } = locked(alias);
  const folder = path.resolve('build/cache', `${path.basename(name)}-${version}`);
  onFirstUse(folder, (draft) => {
    const project = { name: 'download', dependencies: { [name]: version } };
    const packages = { '': project, [`node_modules/${name}`]: { version, integrity } };
    writeJson(path.join(draft, 'package.json'), project);
    writeJson(path.join(draft, 'package-lock.json'), { lockfileVersion: 3, packages });
    // Without --force, npm refuses a package for another system.
    npm(draft, ['ci', '--force', '--loglevel=error']);
  });
  return path.join(folder, 'node_modules', name);
}

/**
 * @param {string} file
 * @param {object} value
 */
const writeJson = (file, value) => writeFileSync(file, JSON.stringify(value));
