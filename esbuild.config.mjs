// Bundles the program: one entry, a chunk for each part that is loaded late, and the process that
// the keychain library runs in.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, transform } from 'esbuild';
import { builtinsAsObjects } from './esbuild.builtins.mjs';

const core = path.resolve('src/main.ts');
const target = 'node20.19';

/**
 * esbuild makes a chunk for each set of parts that share a module: dozens of files, each of which
 * takes time to open. Whatever is loaded late is loaded after main.ts, so here each such part says
 * that it needs main.ts, and all that is shared falls into one chunk.
 */
const shareTheCore = {
  name: 'share-the-core',
  /** @param {import('esbuild').PluginBuild} bundler */
  async setup(bundler) {
    const late = await loadedLate();
    bundler.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const contents = await readFile(file, 'utf8');
      const shared = late.has(file) ? `\nimport ${JSON.stringify(core)};` : '';
      return { contents: contents + shared, loader: 'ts' };
    });
  },
};

/** The files that are named in an `import()` somewhere: known before the first of them is read. */
async function loadedLate() {
  /** @type {Set<string>} */
  const late = new Set();
  for (const name of await readdir('src', { recursive: true })) {
    if (!name.endsWith('.ts')) continue;
    const source = await readFile(path.join('src', name), 'utf8');
    for (const [, imported] of source.matchAll(/\bimport\('(\.[^']+)'\)/g)) {
      late.add(path.resolve('src', path.dirname(name), imported ?? ''));
    }
  }
  return late;
}

/**
 * esbuild splits ES modules alone, and Node takes longer to load those: 8 ms for one command. So the
 * chunks are turned into CommonJS. The first line names the content, for who keeps it compiled
 * (bin/compiled.js).
 * @param {string} chunk
 */
async function asCommonJs(chunk) {
  const { code } = await transform(chunk, {
    format: 'cjs',
    platform: 'node',
    target,
    minify: true,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.dirname': '__dirname' },
    logLevel: 'warning',
  });
  const name = createHash('sha256').update(code).digest('hex').slice(0, 32);
  return `//${name}\n${code}`;
}

const { outputFiles } = await build({
  entryPoints: {
    main: 'src/main.ts',
    'keychain-child': 'src/credentials/keychain/child.ts',
  },
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target,
  minify: true,
  write: false,
  external: ['libsql', '@napi-rs/keyring'],
  plugins: [shareTheCore, builtinsAsObjects],
  logLevel: 'warning',
});

await rm('dist', { recursive: true, force: true });
await mkdir('dist/chunks', { recursive: true });
await writeFile('dist/package.json', '{ "type": "commonjs" }\n');
await Promise.all(
  outputFiles.map(async ({ path: file, text }) => writeFile(file, await asCommonJs(text))),
);
