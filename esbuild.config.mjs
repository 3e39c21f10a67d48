// Bundles the program: one entry, a chunk for each part that is loaded late, and the process that
// the keychain library runs in. And the library: ES modules of its own, and their types.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
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
    if (!name.endsWith('.ts') || name.startsWith('library')) continue;
    const source = await readFile(path.join('src', name), 'utf8');
    for (const [, imported] of source.matchAll(/\bimport\('(\.[^']+)'\)/g)) {
      late.add(path.resolve('src', path.dirname(name), imported ?? ''));
    }
  }
  return late;
}

/** Of package.json, the program wants its version, and nobody is to read the rest at every start. */
const onlyTheVersion = {
  name: 'only-the-version',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    bundler.onLoad({ filter: /package\.json$/ }, async ({ path: file }) => {
      if (file !== path.resolve('package.json')) return undefined;
      const { version } = JSON.parse(await readFile(file, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

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

/**
 * The library's declarations as one file. They are made of a few files whose types are plain, so it
 * is enough to put these one after the other, and to export what the library's entry exports.
 */
async function libraryTypes() {
  const folder = await mkdtemp(path.join(tmpdir(), 'mar-types-'));
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  try {
    const project = ['--project', 'src/library', '--outDir', folder];
    await promisify(execFile)(process.execPath, [tsc, ...project]);
    const entry = path.join(folder, 'library/library.d.ts');
    const declared = await declarations(entry, new Set());
    return `${declared}export { ${(await exportsOf(entry)).join(', ')} };\n`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const fromClause = /^(?:import|export) ([^;]*?) ?from '([^']+)';\n/gm;

/**
 * @param {string} importer
 * @param {string} name
 */
const declarationFile = (importer, name) =>
  path.resolve(path.dirname(importer), name.replace(/\.ts$/, '.d.ts'));

/**
 * What a file and those that it names declare, each once.
 * @param {string} file
 * @param {Set<string>} seen
 * @returns {Promise<string>}
 */
async function declarations(file, seen) {
  if (seen.has(file)) return '';
  seen.add(file);
  const source = await readFile(file, 'utf8');
  let before = '';
  for (const [, , name = ''] of source.matchAll(fromClause)) {
    before += await declarations(declarationFile(file, name), seen);
  }
  return before + source.replaceAll(fromClause, '').replaceAll(/^export /gm, '');
}

/**
 * `createClient`, `type Asset`.
 * @param {string} entry
 */
async function exportsOf(entry) {
  const names = [];
  for (const [, what = '', name = ''] of (await readFile(entry, 'utf8')).matchAll(fromClause)) {
    if (what.startsWith('{'))
      names.push(
        ...what
          .slice(1, -1)
          .split(',')
          .map((one) => one.trim()),
      );
    else {
      const source = await readFile(declarationFile(entry, name), 'utf8');
      const types = source.matchAll(/^export (?:interface|type) (\w+)/gm);
      names.push(...[...types].map(([, type]) => `type ${type}`));
    }
  }
  return names;
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
  external: ['libsql', 'jq-wasm', '@napi-rs/keyring'],
  plugins: [shareTheCore, onlyTheVersion, builtinsAsObjects],
  logLevel: 'warning',
});

/** Only the commands' own files are needed to complete their names and flags, not what they run. */
const onlyTheCommands = {
  name: 'only-the-commands',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    bundler.onResolve({ filter: /^\..*\.ts$/ }, ({ kind, importer, path: name }) =>
      kind === 'dynamic-import' && !importer.endsWith('table.ts')
        ? { path: name, external: true }
        : undefined,
    );
  },
};

// In one file: a press of Tab is to be answered at once.
const complete = await build({
  entryPoints: ['src/completion/complete.ts'],
  outfile: 'dist/complete.js',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target,
  minify: true,
  write: false,
  plugins: [onlyTheCommands, onlyTheVersion, builtinsAsObjects],
  logLevel: 'warning',
});

await rm('dist', { recursive: true, force: true });
await mkdir('dist/chunks', { recursive: true });
await writeFile('dist/package.json', '{ "type": "commonjs" }\n');
await Promise.all(
  [...outputFiles, ...complete.outputFiles].map(async ({ path: file, text }) =>
    writeFile(file, await asCommonJs(text)),
  ),
);

await build({
  entryPoints: { index: 'src/library/library.ts' },
  outdir: 'dist/library',
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target,
  // Node shows an error by the name of its class.
  keepNames: true,
  logLevel: 'warning',
});
await writeFile('dist/library/index.d.mts', await libraryTypes());
