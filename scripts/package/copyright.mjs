// The licences of everything inside a one-file program.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fetchLocked } from './locked.mjs';

/**
 * The licence of mar, and the names of the others.
 * @param {import('./systems.mjs').System} system
 * @param {import('./bundle.mjs').Bundle} bundle
 */
export function copyright(system, bundle) {
  const names = foldersInside(system, bundle).map(({ title }) => `  ${title}\n`);
  const intro = `/usr/bin/mar also contains these packages. notices.gz beside this file has their licences; Debian has
the Apache licence in /usr/share/common-licenses/Apache-2.0.`;
  return `${readFileSync('LICENSE', 'utf8')}\n${intro}\n\n${names.join('')}`;
}

/**
 * The licences of the packages inside, as their authors ask for it.
 * @param {import('./systems.mjs').System} system
 * @param {import('./bundle.mjs').Bundle} bundle
 */
export const notices = (system, bundle) =>
  foldersInside(system, bundle)
    .map(({ title, text }) => `${title}\n\n${text}\n${'-'.repeat(72)}\n`)
    .join('');

/**
 * @param {import('./systems.mjs').System} system
 * @param {import('./bundle.mjs').Bundle} bundle
 */
function foldersInside({ keyring, node }, { packages }) {
  return [...packages, fetchLocked(keyring), fetchLocked(node)].map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(path.join(folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(folder).find((one) => /^licen[cs]e(\.md|\.txt)?$/i.test(one));
    const text = file ? readFileSync(path.join(folder, file), 'utf8') : '';
    return { title: `${name} ${version} (${license})`, text };
  });
}
