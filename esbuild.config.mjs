// Bundles the program: one entry, a chunk for each part that is loaded late.
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  external: ['libsql'],
  // Bundled CommonJS needs a `require`. The banner is repeated in every chunk, so its helper has a
  // name that the minifier cannot choose.
  banner: {
    js: "import { createRequire as marCreateRequire } from 'node:module'; const require = marCreateRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
