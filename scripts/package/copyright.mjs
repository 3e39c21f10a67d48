// The licences of everything inside a one-file program.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fetchLocked } from './locked.mjs';

/**
 * @param {import('./systems.mjs').System} system
 * @param {import('./bundle.mjs').Bundle} bundle
 */
export function copyright(system, bundle) {
  const folders = [...bundle.packages, fetchLocked(system.keyring), fetchLocked(system.node)];
  return [
    'mar\n',
    readFileSync('LICENSE', 'utf8'),
    'The program /usr/bin/mar also contains these packages and Node.js:\n',
    ...folders.flatMap(packageLicence),
  ].join('\n');
}

/** @param {string} folder */
function packageLicence(folder) {
  const { name, version, license } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file ? readFileSync(path.join(folder, file), 'utf8') : '';
  return [`${'-'.repeat(72)}\n${name} ${version}: ${license}\n`, text];
}
