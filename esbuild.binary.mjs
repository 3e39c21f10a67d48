// Makes the one-file program, build/mar: Node itself, with the whole program and its keychain library
// inside. `--version` and every command start from code that is compiled already.
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { builtinsAsObjects } from './esbuild.builtins.mjs';
import { binaryMajor, fetchNode } from './test/harness/nodes.mjs';

const folder = path.resolve('build');

/** Parts that the one-file program has in a form of its own. */
const replaced = new Map(
  Object.entries({
    'src/credentials/keychain/builtChild.ts': 'src/binary/child.ts',
    'src/credentials/keychain/library.ts': 'src/binary/library.ts',
    'src/sandbox/libsql.ts': 'src/binary/sqlite.ts',
  }).map(([from, to]) => [path.resolve(from), path.resolve(to)]),
);

const replaceParts = {
  name: 'replace-parts',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    bundler.onResolve({ filter: /^\..*\.ts$/ }, ({ path: name, resolveDir }) => {
      const replacement = replaced.get(path.resolve(resolveDir, name));
      return replacement ? { path: replacement } : undefined;
    });
  },
};

const require = createRequire(import.meta.url);

/** The native part of the keychain library: a file that its package itself picks for this machine. */
function keyringLibrary() {
  require('@napi-rs/keyring');
  const file = Object.keys(require.cache).find((name) => name.endsWith('.node'));
  if (!file) throw new Error('@napi-rs/keyring has no native part for this machine');
  return file;
}

/**
 * Files that are carried inside, by the names that the program asks for them.
 * @type {Record<string, string>}
 */
const assets = { 'keyring.node': keyringLibrary() };

/** jq reads its WebAssembly from a file beside it, unless it is given. */
const carryJq = {
  name: 'carry-jq',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    bundler.onResolve({ filter: /^jq-wasm$/ }, ({ path: name }) => {
      assets['jq.wasm'] = require.resolve(`${name}/jq.wasm`);
      return { path: require.resolve(name), namespace: 'carried' };
    });
    bundler.onLoad({ filter: /.*/, namespace: 'carried' }, ({ path: file }) => ({
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
// Named from within the folder: the program keeps the name, and is to know nothing of this machine.
const [main, config] = ['mar.cjs', 'mar.json'];

await build({
  entryPoints: ['src/binary/entry.ts'],
  outfile: path.join(folder, main),
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: `node${binaryMajor}`,
  minify: true,
  // Node does not load modules late from compiled code; here they only wait to be run.
  supported: { 'dynamic-import': false },
  plugins: [replaceParts, carryJq, builtinsAsObjects],
  logLevel: 'warning',
});

await writeFile(
  path.join(folder, config),
  JSON.stringify({
    main,
    output: 'mar',
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    // It is mar that is run, not Node: NODE_OPTIONS is meant for other programs.
    execArgvExtension: 'none',
    assets,
  }),
);
execFileSync(fetchNode(binaryMajor), ['--build-sea', config], {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
});
await Promise.all([main, config].map((name) => rm(path.join(folder, name))));
