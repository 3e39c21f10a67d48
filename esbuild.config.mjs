// Bundles the program: one entry, a chunk for each part that is loaded late, and the process that
// the keychain library runs in.
import { readFile, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';

const core = path.resolve('src/main.ts');

/**
 * esbuild makes a chunk for each set of parts that share a module: dozens of files, each of which
 * takes time to open. Whatever is loaded late is loaded after main.ts, so here each such part says
 * that it needs main.ts, and all that is shared falls into one chunk.
 */
const shareTheCore = {
  name: 'share-the-core',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    const late = new Set();
    bundler.onResolve({ filter: /^\..*\.ts$/ }, ({ kind, importer, path: name }) => {
      const file = path.resolve(path.dirname(importer), name);
      if (kind === 'dynamic-import' && file !== core) late.add(file);
      return { path: file };
    });
    bundler.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const contents = await readFile(file, 'utf8');
      const shared = late.has(file) ? `\nimport ${JSON.stringify(core)};` : '';
      return { contents: contents + shared, loader: 'ts' };
    });
  },
};

/**
 * An `import` of one of Node's own modules reads every one of its exports, and some of those load
 * more of Node. Taken as an object, only what is used is read. commander asks for child_process, for
 * commands that are programs of their own: there are none.
 */
const builtinsAsObjects = {
  name: 'builtins-as-objects',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    bundler.onResolve({ filter: /^[a-z_:/]+$/ }, ({ path: name, kind, importer }) => {
      if (!isBuiltin(name) || kind === 'dynamic-import') return undefined;
      const isUnused = name === 'node:child_process' && importer.includes('commander');
      return { path: name, namespace: isUnused ? 'unused' : 'builtin' };
    });
    bundler.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: '' }));
    bundler.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path: name }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(name)});`,
    }));
  },
};

await rm('dist', { recursive: true, force: true });
await build({
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
  target: 'node20.19',
  minify: true,
  external: ['libsql', '@napi-rs/keyring'],
  plugins: [shareTheCore, builtinsAsObjects],
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

// In one file, and CommonJS: Node starts it without its loader of modules.
await build({
  entryPoints: ['src/completion/complete.ts'],
  outfile: 'dist/complete.cjs',
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  plugins: [onlyTheCommands, builtinsAsObjects],
  logLevel: 'warning',
});
