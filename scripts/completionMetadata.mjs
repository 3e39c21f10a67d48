import path from 'node:path';
import { loadSource } from './generate/loadSource.mjs';

const file = 'src/completion/commandMetadata.ts';

/**
 * Replaces the function that collects what Tab needs to know of all commands with its result. The
 * completion program then contains no command, and Tab responds faster.
 */
export const completionMetadata = {
  name: 'completion-metadata',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    bundler.onLoad({ filter: /commandMetadata\.ts$/ }, async ({ path: loaded }) => {
      if (loaded !== path.resolve(file)) return undefined;
      const { commandMetadata } = await loadSource(file);
      const json = JSON.stringify(await commandMetadata());
      // Node parses JSON faster than the same data as source code.
      return {
        contents: `export const commandMetadata = async () => JSON.parse(${JSON.stringify(json)});`,
      };
    });
  },
};
