import { isBuiltin } from 'node:module';

/**
 * An `import` of one of Node's own modules reads every one of its exports, and some of those load
 * more of Node. Taken as an object, only what is used is read. commander asks for child_process, for
 * commands that are programs of their own: there are none.
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
