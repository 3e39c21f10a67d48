// The Nodes that the program is built, tested and measured with, as npm has them. Each is fetched once.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../node_modules/.cache/nodes', import.meta.url));
const { platform, arch } = process;
const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;

/** The Nodes that mar promises to run on. */
export const nodeMajors = [20, 22, 24, 26];

/** The one that the one-file program is made of. */
export const binaryMajor = 26;

/**
 * The path of a Node, fetched if need be.
 * @param {number} major
 */
export function fetchNode(major) {
  const folder = path.join(cache, `${major}-${arch}`);
  const node = path.join(folder, 'node_modules', name, 'bin', 'node');
  if (!existsSync(node)) install(`${name}@${major}`, folder);
  return node;
}

/**
 * Whole or not at all: it takes a while, and may be interrupted.
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
