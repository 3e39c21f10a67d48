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
      const json = JSON.stringify(withSharedOptions(await commandMetadata()));
      // Node parses JSON faster than the same data as source code.
      return {
        contents: `export async function commandMetadata() {
          const data = JSON.parse(${JSON.stringify(json)});
          for (const { commands } of data.entries) {
            for (const one of commands) one.options = one.options.map((at) => data.options[at]);
          }
          return data;
        }`,
      };
    });
  },
};

/**
 * Stores each option once, since many commands share theirs: commands name them by their position.
 * @param {Awaited<ReturnType<typeof import('../src/completion/commandMetadata.ts').commandMetadata>>} metadata
 */
function withSharedOptions({ entries, ...rest }) {
  /** @type {Map<string, number>} */
  const positions = new Map();
  /** @param {object} option */
  const positionOf = (option) => {
    const text = JSON.stringify(option);
    const position = positions.get(text) ?? positions.size;
    positions.set(text, position);
    return position;
  };
  const shared = entries.map(({ commands, ...entry }) => ({
    ...entry,
    commands: commands.map(({ options, ...one }) => ({ ...one, options: options.map(positionOf) })),
  }));
  return {
    ...rest,
    entries: shared,
    options: [...positions.keys()].map((text) => JSON.parse(text)),
  };
}
