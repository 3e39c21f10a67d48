// The licences of everything inside a one-file program.
import { readFileSync } from 'node:fs';
import { licencesOf, noticesOf } from '../bundledPackages.mjs';
import { fetchLocked } from './locked.mjs';

/**
 * The licence of mar, and the names of the others.
 * @param {import('./systems.mjs').System} system
 * @param {import('./bundle.mjs').Bundle} bundle
 */
export function copyright(system, bundle) {
  const names = licencesOf(foldersInside(system, bundle)).map(({ title }) => `  ${title}\n`);
  const intro = `/usr/bin/mar also contains these packages. notices.gz beside this file has their licences; Debian has
the Apache licence in /usr/share/common-licenses/Apache-2.0.`;
  return `${readFileSync('LICENSE', 'utf8')}\n${intro}\n\n${names.join('')}`;
}

/**
 * The licences of the packages inside, as their authors ask for it.
 * @param {import('./systems.mjs').System} system
 * @param {import('./bundle.mjs').Bundle} bundle
 */
export const notices = (system, bundle) => noticesOf(foldersInside(system, bundle));

/**
 * @param {import('./systems.mjs').System} system
 * @param {import('./bundle.mjs').Bundle} bundle
 */
const foldersInside = ({ keyring, node }, { packages }) => [
  ...packages,
  fetchLocked(keyring),
  fetchLocked(node),
];
