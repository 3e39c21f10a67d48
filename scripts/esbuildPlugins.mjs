import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';

/**
 * An `import` of a Node module reads all its exports, and some of them load more of Node. An object
 * reads only the exports that are used. commander imports child_process to run subcommands that are
 * separate programs; mar has none, so it gets an empty module.
 */
export const builtinsAsObjects = {
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

/** `import script from './mar.bash?raw'` imports a file as a string. Vite does the same in tests. */
export const rawText = {
  name: 'raw-text',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    // Relative, because the names of chunks depend on it, and must not depend on the folder.
    bundler.onResolve({ filter: /\?raw$/ }, ({ path: name, resolveDir }) => ({
      path: path.relative('', path.resolve(resolveDir, name.replace(/\?raw$/, ''))),
      namespace: 'raw-text',
    }));
    bundler.onLoad({ filter: /.*/, namespace: 'raw-text' }, async ({ path: file }) => ({
      contents: await readFile(file, 'utf8'),
      loader: 'text',
    }));
  },
};
