// The Node versions to build, test and measure with. npm downloads each of them once.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../node_modules/.cache/nodes', import.meta.url));
const { platform, arch } = process;
const packageName = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;

/** The versions that mar supports. */
export const nodeMajors = [20, 22, 24, 26];

/** The version inside the one-file program. */
export const binaryMajor = 26;

/**
 * The path of a Node executable, downloaded on first use.
 * @param {number} major
 */
export function fetchNode(major) {
  const folder = path.join(cache, `${major}-${arch}`);
  const node = path.join(folder, 'node_modules', packageName, 'bin', 'node');
  if (!existsSync(node)) install(`${packageName}@${major}`, folder);
  return node;
}

/**
 * Installs into a temporary folder first, so that an interrupted download leaves nothing behind.
 * @param {string} specifier
 * @param {string} folder
 */
function install(specifier, folder) {
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
    execFileSync('npm', ['install', '--prefix', draft, ...flags, specifier], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
