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
