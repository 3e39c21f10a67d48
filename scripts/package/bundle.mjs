// The whole program as one script, for the one-file programs of all systems.
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { bundledPackages } from '../bundledPackages.mjs';
import { completionMetadata } from '../completionMetadata.mjs';
import { builtinsAsObjects, rawText } from '../esbuildPlugins.mjs';

const require = createRequire(import.meta.url);

/** Modules that the one-file program replaces with its own. */
const replacements = new Map(
  Object.entries({
    'src/core/credentials/keychain/packaging.ts': 'src/binary/keychainPackaging.ts',
    'src/modules/sandbox/store/libsql.ts': 'src/modules/sandbox/store/nodeSqlite.ts',
  }).map(([from, to]) => [path.resolve(from), path.resolve(to)]),
);

const replaceModules = {
  name: 'replace-modules',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    bundler.onResolve({ filter: /^\..*\.ts$/ }, ({ path: name, resolveDir }) => {
      const replacement = replacements.get(path.resolve(resolveDir, name));
      return replacement ? { path: replacement } : undefined;
    });
  },
};

/** jq-wasm loads its WebAssembly from a file next to it; the one-file program has it embedded. */
const embeddedJq = {
  name: 'embedded-jq',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    bundler.onResolve({ filter: /^jq-wasm$/ }, ({ path: name }) => ({
      path: require.resolve(name),
      namespace: 'embedded',
    }));
    bundler.onLoad({ filter: /.*/, namespace: 'embedded' }, ({ path: file }) => ({
      contents: `
        const { getRawAsset } = process.getBuiltinModule('node:sea');
        exports.loadJq = () => require(${JSON.stringify(file)}).loadJq({
          wasmBinary: new Uint8Array(getRawAsset('jq.wasm')),
        });`,
      resolveDir: path.resolve('.'),
    }));
  },
};

/**
 * @typedef {object} Bundle
 * @property {string} script
 * @property {Record<string, string>} assets files to embed, by the names that the program loads them under
 * @property {string[]} packages the folders of the packages inside
 */

/**
 * @param {string} script the file to write
 * @returns {Promise<Bundle>}
 */
export async function bundleProgram(script) {
  const { metafile } = await build({
    entryPoints: ['src/binary/entry.ts'],
    outfile: script,
    bundle: true,
    metafile: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    minify: true,
    // A compiled script cannot use import(). The modules are all in one file, and run on first use.
    supported: { 'dynamic-import': false },
    plugins: [replaceModules, completionMetadata, embeddedJq, builtinsAsObjects, rawText],
    logLevel: 'warning',
  });
  return {
    script,
    assets: { 'jq.wasm': require.resolve('jq-wasm/jq.wasm') },
    packages: bundledPackages([metafile]),
  };
}
