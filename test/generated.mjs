// What is made from the program's own tables and kept in the repository. Each must be as it would be
// made now: without `--write` this only compares.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { recordTypes } from './recordTypes.mjs';

/**
 * One entry a kind of file. `make` gives the files by name; in a folder that is `ours` there is
 * nothing else.
 * @type {readonly {folder: string, ours: boolean, make(): Promise<Record<string, string>>}[]}
 */
const artefacts = [
  // First: the others load code that needs it.
  { folder: 'src/api', ours: false, make: shapes },
  { folder: 'completions', ours: true, make: completions },
  { folder: 'docs', ours: false, make: commandReference },
  { folder: 'docs/man', ours: true, make: manPages },
  { folder: '.', ours: false, make: manifest },
  { folder: 'docs', ours: false, make: openApi },
  { folder: 'docs/schemas', ours: true, make: schemas },
  { folder: 'src/library', ours: false, make: records },
];

async function completions() {
  const { scripts } = await load('src/commands/completion/scripts.ts');
  /** @type {{file: string, text: string}[]} */
  const all = Object.values(scripts);
  return Object.fromEntries(all.map(({ file, text }) => [file, text]));
}

async function commandReference() {
  const { commandReference } = await load('test/generated/markdown.ts');
  return { 'commands.md': await commandReference() };
}

async function manPages() {
  const { manPages } = await load('test/generated/man.ts');
  return manPages();
}

/** npm links the man pages that the package names one by one. */
async function manifest() {
  const text = readFileSync('package.json', 'utf8');
  const list = Object.keys(await manPages()).map((name) => `    "docs/man/${name}"`);
  return {
    'package.json': text.replace(/"man": \[[^\]]*\]/, `"man": [\n${list.join(',\n')}\n  ]`),
  };
}

async function openApi() {
  const { openApi } = await load('src/api/openapi.ts');
  const { exampleRecords } = await load('src/sandbox/examples.ts');
  const { version } = await load('src/version.ts');
  return { 'openapi.json': document(openApi({ version, examples: exampleRecords() })) };
}

async function schemas() {
  const { resources } = await load('src/api/resources.ts');
  const { recordSchema } = await load('src/api/jsonSchema.ts');
  /** @type {{name: string, schema: string}[]} */
  const all = resources;
  return Object.fromEntries(
    all.map(({ name, schema }) => [`${name}.json`, document(recordSchema(schema))]),
  );
}

async function shapes() {
  const { shapesSource } = await load('test/generated/shapes.ts');
  return { 'shapes.ts': shapesSource() };
}

async function records() {
  const { definitions } = await load('src/api/jsonSchema.ts');
  const { schemas } = await load('src/api/schemas.ts');
  const names = Object.keys(schemas).filter((name) => name !== 'signOut');
  const records = names.map((name) => name.slice(0, 1).toUpperCase() + name.slice(1));
  return { 'records.ts': recordTypes(definitions('#/'), records) };
}

/** @param {unknown} value */
const document = (value) => `${JSON.stringify(value, null, 2)}\n`;

/**
 * A module of the program as its source is now, whether or not it has been built.
 * @param {string} file
 */
async function load(file) {
  // Beside the packages, so that it finds those that are not bundled.
  const outfile = path.resolve('node_modules/.cache/generated', `${path.basename(file)}.mjs`);
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  });
  return import(pathToFileURL(outfile).href);
}

const writes = process.argv.includes('--write');
const problems = [];
for (const { folder, ours, make } of artefacts) {
  const made = await make();
  mkdirSync(folder, { recursive: true });
  const there = readdirSync(folder);
  for (const [name, text] of Object.entries(made)) {
    const file = path.join(folder, name);
    const isSame = there.includes(name) && readFileSync(file, 'utf8') === text;
    if (isSame) continue;
    if (writes) writeFileSync(file, text);
    else problems.push(`${file} is not what would be made now`);
  }
  for (const name of ours ? there.filter((one) => !Object.hasOwn(made, one)) : []) {
    if (writes) rmSync(path.join(folder, name));
    else problems.push(`${path.join(folder, name)} is made by nothing`);
  }
}
if (problems.length > 0) {
  console.error(`${problems.join('\n')}\nnpm run generate makes them anew`);
  process.exitCode = 1;
}
