// The Homebrew formula and the Scoop manifest, which name the one-file programs and their checksums.
import path from 'node:path';
import { sha256, writeBelow } from './files.mjs';
import { fillTemplate } from './templates.mjs';

/**
 * @param {object} parts
 * @param {Map<import('./systems.mjs').System, string>} parts.programs the file for each system
 * @param {{ version: string, site: string }} parts.release
 * @param {string} parts.folder
 */
export async function writeManifests({ programs, release, folder }) {
  /** @type {Record<string, string>} */
  const values = {
    version: release.version,
    site: release.site,
    downloads: `${release.site}/releases/download/v${release.version}`,
  };
  for (const [system, file] of programs) {
    values[system.name] = path.basename(file);
    values[`${system.name} sha256`] = await sha256(file);
  }
  writeBelow(folder, {
    'mar.rb': fillTemplate('mar.rb', values),
    'mar.json': fillTemplate('mar.json', values),
  });
}
