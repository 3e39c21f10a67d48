// The npm package.
import path from 'node:path';
import { run } from './files.mjs';

/**
 * Builds dist/ and packs it. Returns the file.
 * @param {string} folder
 * @param {{ version: string }} release
 */
export function makeTarball(folder, { version }) {
  run('npm', ['pack', '--silent', '--pack-destination', folder]);
  return path.join(folder, `mar-cli-${version}.tgz`);
}
