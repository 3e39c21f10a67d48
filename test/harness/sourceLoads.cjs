// Runs the program from its sources, unbundled, so that loads.cjs sees which of them a command loads.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { transformSync } = require('esbuild');

/** @type {Record<string, (module: NodeJS.Module, file: string) => void>} */
const extensions = /** @type {any} */ (Module)._extensions;

extensions['.ts'] = (module, file) => {
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    loader: 'ts',
    format: 'cjs',
    platform: 'node',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.dirname': '__dirname' },
  });
  /** @type {any} */ (module)._compile(code, file);
};

/** @type {{ main: typeof import('../../src/main.ts').main }} */
const { main } = require('../../src/main.ts');
void main(process.argv.slice(2), process).then((code) => {
  process.exitCode = code;
});
