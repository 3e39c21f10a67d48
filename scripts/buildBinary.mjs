// Builds the one-file program, build/mar: Node with the whole program and its keychain library inside.
// Its code is compiled at build time.
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { completionMetadata } from './completionMetadata.mjs';
import { builtinsAsObjects, rawText } from './esbuildPlugins.mjs';
import { binaryMajor, fetchNode } from './nodeVersions.mjs';

const folder = path.resolve('build');

/** Modules that the one-file program replaces with its own. */
const replacements = new Map(
  Object.entries({
    'src/credentials/keychain/packaging.ts': 'src/binary/keychainPackaging.ts',
    'src/sandbox/store/libsql.ts': 'src/binary/sqlite.ts',
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

const require = createRequire(import.meta.url);

/** The path of the keychain library's native addon. Its package picks the one for this machine. */
function keyringAddon() {
  require('@napi-rs/keyring');
  const file = Object.keys(require.cache).find((name) => name.endsWith('.node'));
  if (!file) throw new Error('@napi-rs/keyring has no native addon for this machine');
  return file;
}

/**
 * Files to embed, by the names that the program loads them under.
 * @type {Record<string, string>}
 */
const assets = { 'keyring.node': keyringAddon() };

/** jq-wasm loads its WebAssembly from a file next to it, so this embeds that file and passes it in. */
const embedJq = {
  name: 'embed-jq',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    bundler.onResolve({ filter: /^jq-wasm$/ }, ({ path: name }) => {
      assets['jq.wasm'] = require.resolve(`${name}/jq.wasm`);
      return { path: require.resolve(name), namespace: 'embedded' };
    });
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

await rm(folder, { recursive: true, force: true });
await mkdir(folder);
// Relative to the folder: the program contains this name, and a full path would reveal this machine's.
const [main, config] = ['mar.cjs', 'mar.json'];

await build({
  entryPoints: ['src/binary/entry.ts'],
  outfile: path.join(folder, main),
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: `node${binaryMajor}`,
  minify: true,
  // A compiled script cannot use import(). The modules are all in one file, and run on first use.
  supported: { 'dynamic-import': false },
  plugins: [replaceModules, completionMetadata, embedJq, builtinsAsObjects, rawText],
  logLevel: 'warning',
});

await writeFile(
  path.join(folder, config),
  JSON.stringify({
    main,
    output: 'mar',
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    // Ignores NODE_OPTIONS, which people set for their own Node programs.
    execArgvExtension: 'none',
    assets,
  }),
);
execFileSync(fetchNode(binaryMajor), ['--build-sea', config], {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
});
await Promise.all([main, config].map((name) => rm(path.join(folder, name))));
