import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * Fills a folder on first use. A temporary folder is filled first, so that an interrupted download
 * leaves nothing behind.
 * @param {string} folder
 * @param {(draft: string) => void} fill
 */
export function onFirstUse(folder, fill) {
  if (existsSync(folder)) return;
  mkdirSync(path.dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    fill(draft);
    renameSync(draft, folder);
  } catch (error) {
    // Another process may have filled it meanwhile.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Runs npm without the scripts of packages.
 * @param {string} folder
 * @param {string[]} args
 */
export function npm(folder, args) {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', [...args, '--prefix', folder, ...flags], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // npm is a batch file there.
    shell: process.platform === 'win32',
  });
}
