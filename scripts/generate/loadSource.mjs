import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { rawText } from '../esbuildPlugins.mjs';

/**
 * Imports a TypeScript file with the current sources of everything that it imports.
 * @param {string} file
 */
export async function loadSource(file) {
  // Below node_modules, so that Node finds the packages, which are not bundled.
  const cache = path.resolve('node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(path.join(cache, 'source-'));
  try {
    const outfile = path.join(folder, 'source.mjs');
    await build({
      entryPoints: [file],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      plugins: [rawText],
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {unknown} value */
export const documentText = (value) => `${JSON.stringify(value, null, 2)}\n`;
