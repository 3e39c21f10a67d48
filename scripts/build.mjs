// Builds everything that `npm pack` needs into dist/: the program, the man pages and the
// JSON Schemas.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';
import { bundledFile, bundledPackages, noticesOf } from './bundledPackages.mjs';
import { completionMetadata } from './completionMetadata.mjs';
import { builtinsAsObjects, rawText } from './esbuildPlugins.mjs';
import { writeAgentTools } from './generate/agentTools.mjs';
import { documentText, loadSource } from './generate/loadSource.mjs';

const main = path.resolve('src/main.ts');
const target = 'node20.19';

/**
 * Many commands use these modules, or `asset get` does, the command that runs most often. In the
 * shared chunk they need no chunks of their own.
 */
const sharedByCommands = [
  'src/core/reads/getRecords.ts',
  'src/core/commands/viewParts.ts',
  'src/core/writes/seenAssets.ts',
  'src/core/commands/asset/view.ts',
  'src/core/records/recordDiff.ts',
  'src/core/records/merge.ts',
  'src/core/records/document.ts',
  'src/core/output/progress.ts',
  'src/core/output/result.ts',
].map((file) => path.resolve(file));

/** All writing commands use these two. Where each imports the other, they get one chunk. */
const [body, write] = ['body', 'write'].map((name) => path.resolve(`src/core/writes/${name}.ts`));

/**
 * esbuild makes a chunk for each set of late-loaded modules that share code: dozens of files, each of
 * which takes time to open. All of them load after main.ts, so here each of them imports main.ts, and
 * what main.ts loads stays with it. Modules that only some late ones share still get chunks of their own.
 */
const oneSharedChunk = {
  name: 'one-shared-chunk',
  /** @param {import('esbuild').PluginBuild} bundler */
  async setup(bundler) {
    const lateModules = await findLateModules();
    /** @param {string} file */
    const addedTo = (file) => {
      if (file === main) return sharedByCommands;
      if (file === body) return [write];
      return lateModules.has(file) ? [main] : [];
    };
    bundler.onLoad({ filter: /\.[jt]s$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      const imports = addedTo(file).map((name) => `\nimport ${JSON.stringify(name)};`);
      return imports.length === 0
        ? undefined
        : { contents: source + imports.join(''), loader: 'ts' };
    });
  },
};

/** Packages that are part of a late chunk. */
const bundledLatePackages = new Set(['eld/extrasmall', 'iso-639-3', 'ora']);

/** Finds the files that an `import()` names. The plugin must know them before it loads the first. */
async function findLateModules() {
  /** @type {Set<string>} */
  const files = new Set();
  for (const name of await readdir('src', { recursive: true })) {
    if (!name.endsWith('.ts')) continue;
    const source = await readFile(path.join('src', name), 'utf8');
    for (const [, imported = ''] of source.matchAll(/\bimport\('([^']+)'\)/g)) {
      if (imported.startsWith('.')) files.add(path.resolve('src', path.dirname(name), imported));
      else if (bundledLatePackages.has(imported)) {
        files.add(fileURLToPath(import.meta.resolve(imported)));
      }
    }
  }
  return files;
}

/** The program needs only the version from package.json, and should not load the rest every time. */
const versionOnly = {
  name: 'version-only',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    bundler.onLoad({ filter: /package\.json$/ }, async ({ path: file }) => {
      if (file !== path.resolve('package.json')) return undefined;
      const { version } = JSON.parse(await readFile(file, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

/** Keeps only the names and codes of ISO 639-3, which halves the largest chunk (548 kB). */
const languageNamesOnly = {
  name: 'language-names-only',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    bundler.onLoad({ filter: /iso-639-3[\\/]iso6393\.js$/ }, async ({ path: file }) => {
      const { iso6393: languages } = await import(pathToFileURL(file).href);
      /** @type {{ name: string, iso6393: string }[]} */
      const all = languages;
      const kept = all.map(({ name, iso6393 }) => ({ name, iso6393 }));
      return { contents: `export const iso6393 = ${JSON.stringify(kept)};` };
    });
  },
};

/**
 * The library of `mar mcp` uses much of zod. With a copy of its own, other commands load only the part
 * that they use.
 */
const protocolApart = {
  name: 'protocol-apart',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    const namespace = 'apart';
    const folder = path.resolve('src/modules/agents');
    bundler.onResolve({ filter: /^[@.\w]/ }, async ({ path: name, ...from }) => {
      const isInside = from.namespace === namespace;
      const isFirst = from.importer.startsWith(folder) && name.startsWith('@modelcontextprotocol');
      if (from.pluginData === namespace || isBuiltin(name) || !(isInside || isFirst))
        return undefined;
      const { resolveDir, kind } = from;
      const found = await bundler.resolve(name, { resolveDir, kind, pluginData: namespace });
      // Relative: see rawText.
      return { ...found, path: path.relative('', found.path), namespace };
    });
    bundler.onLoad({ filter: /.*/, namespace }, async ({ path: file }) => ({
      contents: await readFile(file, 'utf8'),
      resolveDir: path.resolve(path.dirname(file)),
    }));
  },
};

/**
 * esbuild splits only ES modules, and Node loads those more slowly: 8 ms for one command. So each
 * chunk becomes CommonJS. Its first line is a hash of the code, for the cache in bin/compiled.js.
 * @param {string} chunk
 */
async function toCommonJs(chunk) {
  const { code } = await transform(chunk, {
    format: 'cjs',
    platform: 'node',
    target,
    minify: true,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.dirname': '__dirname' },
    logLevel: 'warning',
  });
  const quickCode = withDirectImports(withQuickExports(code));
  const hash = createHash('sha256').update(quickCode).digest('hex').slice(0, 32);
  return `//${hash}\n${quickCode}`;
}

/**
 * esbuild defines each export twice, with two calls: 500 calls at each start. One object literal with
 * getters does the same.
 * @param {string} code
 */
const withQuickExports = (code) =>
  replaced(
    code,
    /[\w$]+\(([\w$]+),\{([^{}]+)\}\);module\.exports=[\w$]+\(\1\);/,
    (_all, _name, /** @type {string} */ functions) => {
      const getters = functions.replaceAll(/([\w$]+):\(\)=>([\w$.]+)/g, 'get $1(){return $2}');
      if (getters.includes('=>')) throw changedOutput(getters);
      return `module.exports={__esModule:!0,${getters}};`;
    },
  );

/** @param {string} found */
const changedOutput = (found) =>
  new Error(
    `The output of esbuild has changed: ${found}. Correct the patterns in scripts/build.mjs.`,
  );

/** Patterns that were found: they match what this version of esbuild writes, and another may differ. */
const foundPatterns = new Set();

/**
 * @param {string} code
 * @param {RegExp} pattern
 * @param {(...groups: string[]) => string} replacement
 */
const replaced = (code, pattern, replacement) =>
  code.replace(pattern, (...groups) => {
    foundPatterns.add(pattern.source);
    return replacement(...groups);
  });

/**
 * At each `import()`, esbuild copies the exports of the module into a new object. Those of chunks and
 * of Node's own modules are used as they are.
 * @param {string} code
 */
const withDirectImports = (code) =>
  replaced(
    code,
    /\.then\(\(\)=>[\w$]+\((require\("(?:\.\/|node:)[^"]+"\))\)\)/g,
    (_all, load) => `.then(()=>${load})`,
  );

async function buildProgram() {
  /** @satisfies {import('esbuild').BuildOptions} */
  const common = {
    bundle: true,
    format: 'esm',
    platform: 'node',
    target,
    minify: true,
    metafile: true,
    write: false,
    logLevel: 'warning',
  };
  const program = await build({
    ...common,
    entryPoints: {
      main,
      'keychain-child': 'src/core/credentials/keychain/keychainChild.ts',
    },
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    external: ['libsql', 'jq-wasm', '@napi-rs/keyring'],
    plugins: [
      protocolApart,
      oneSharedChunk,
      versionOnly,
      languageNamesOnly,
      builtinsAsObjects,
      rawText,
    ],
  });
  // One file, so that Tab responds at once.
  const completion = await build({
    ...common,
    entryPoints: ['src/completion/complete.ts'],
    outfile: 'dist/complete.js',
    plugins: [completionMetadata, versionOnly, builtinsAsObjects, rawText],
  });
  await rm('dist', { recursive: true, force: true });
  await mkdir('dist/chunks', { recursive: true });
  await writeFile('dist/package.json', '{ "type": "commonjs" }\n');
  await Promise.all(
    [...program.outputFiles, ...completion.outputFiles].map(async ({ path: file, text }) =>
      writeFile(file, await toCommonJs(text)),
    ),
  );
  if (foundPatterns.size < 2) {
    throw changedOutput(`only ${[...foundPatterns].join(' ') || 'nothing'} was replaced`);
  }
  return [program.metafile, completion.metafile];
}

async function buildManPages() {
  const { manPages } = await loadSource('scripts/generate/manPages.ts');
  await writeFiles('dist/man', await manPages());
}

async function buildSchemas() {
  const { resources } = await loadSource('src/core/api/endpoints.ts');
  const { recordSchema } = await loadSource('src/core/api/jsonSchema.ts');
  /** @type {{ name: string, schema: string }[]} */
  const all = resources;
  const files = all.map(({ name, schema }) => [
    `${name}.json`,
    documentText(recordSchema(schema, { forFiles: true })),
  ]);
  const { helpSchema } = await loadSource('scripts/generate/helpSchema.ts');
  const { openApi } = await loadSource('src/core/api/openapi.ts');
  const { version } = await loadSource('src/core/version.ts');
  await writeFiles('dist/schemas', {
    ...Object.fromEntries(files),
    'help.json': documentText(helpSchema),
    'openapi.json': documentText(openApi(version)),
  });
}

/**
 * @param {string} folder
 * @param {Record<string, string>} files
 */
async function writeFiles(folder, files) {
  await mkdir(folder, { recursive: true });
  await Promise.all(
    Object.entries(files).map(([name, text]) => writeFile(path.join(folder, name), text)),
  );
}

if (existsSync('src/modules/agents')) await writeAgentTools();
// Before the others, because it empties dist/.
const program = await buildProgram();
await Promise.all([buildManPages(), buildSchemas()]);
const bundled = bundledPackages(program);
await writeFiles('dist', { 'notices.txt': noticesOf(bundled) });
await mkdir(path.dirname(bundledFile), { recursive: true });
await writeFile(bundledFile, documentText(bundled));
