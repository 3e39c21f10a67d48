import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sha256 } from './files.mjs';

/**
 * Writes SHA256SUMS for all files of a folder. `sha256sum --check SHA256SUMS` compares them.
 * @param {string} folder
 */
export async function writeChecksums(folder) {
  let lines = '';
  for (const name of readdirSync(folder).sort()) {
    lines += `${await sha256(path.join(folder, name))}  ${name}\n`;
  }
  writeFileSync(path.join(folder, 'SHA256SUMS'), lines);
}
