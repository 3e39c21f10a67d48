import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The build of dist/ writes the packages inside it here. */
export const bundledFile = 'build/bundled.json';

/**
 * The folders of the packages that esbuild put into its output, from the project's root.
 * @param {import('esbuild').Metafile[]} metafiles
 */
export function bundledPackages(metafiles) {
  const files = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => file);
  // A plugin's own modules have a prefix: `apart:node_modules/zod/index.js`.
  const folders = files.map(
    (file) => /\bnode_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file)?.[0],
  );
  return [...new Set(folders)].filter((folder) => folder !== undefined).sort();
}

/**
 * The name, version and licence of each package.
 * @param {string[]} folders
 */
export const licencesOf = (folders) =>
  folders.map((folder) => {
    const manifest = readFileSync(path.join(folder, 'package.json'), 'utf8');
    const { name, version, license } = JSON.parse(manifest);
    const files = readdirSync(folder).filter((one) => /^licen[cs]e([.-]|$)/i.test(one));
    const text = files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n\n');
    return { title: `${name} ${version} (${license})`, text };
  });

/** @param {string[]} folders */
export const noticesOf = (folders) =>
  licencesOf(folders)
    .map(({ title, text }) => `${title}\n\n${text}\n${'-'.repeat(72)}\n`)
    .join('');
