// Checks that each layer of src/ imports only itself and the layers below it.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Folders and files of src/, from top to bottom. */
const layers = [
  'library',
  'binary',
  'main.ts',
  'host.ts',
  'program.ts',
  'help.ts',
  'completion',
  'commands',
  'context.ts',
  'world.ts',
  'batch',
  'records',
  'subtitles',
  'sandbox',
  'client',
  'credentials',
  'config',
  'terminal',
  'http',
  'api',
  'files',
  'json',
  'values',
  'version.ts',
  'errors.ts',
];

/** Layers that the library must not load: terminal, the user's settings and secrets. */
const forbiddenInLibrary = new Set([
  'main.ts',
  'program.ts',
  'help.ts',
  'commands',
  'context.ts',
  'records',
  'credentials',
  'terminal',
]);

const root = 'src';
/** @param {string} file relative to src */
const levelOf = (file) => layers.indexOf(file.split(path.sep)[0] ?? '');

/** @type {Map<string, string[]>} the imports of each file */
const imports = new Map();
const problems = [];
for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
  if (!entry.endsWith('.ts')) continue;
  const level = levelOf(entry);
  if (level < 0)
    problems.push(`${entry} belongs to no layer: add it to the list in scripts/layers.mjs`);
  const source = readFileSync(path.join(root, entry), 'utf8');
  /** @type {string[]} */
  const targets = [];
  imports.set(entry, targets);
  for (const [, name] of source.matchAll(/(?:from|import\(|^import) ?'(\.[^']+)'/gm)) {
    const target = path.normalize(path.join(path.dirname(entry), name ?? ''));
    if (target.startsWith('..')) continue;
    targets.push(target);
    if (levelOf(target) < level) problems.push(`${entry} imports ${target}, which is above it`);
  }
}
const libraryFiles = new Set(
  [...imports.keys()].filter((file) => file.split(path.sep)[0] === 'library'),
);
for (const file of libraryFiles) {
  for (const target of imports.get(file) ?? []) {
    if (forbiddenInLibrary.has(target.split(path.sep)[0] ?? '')) {
      problems.push(`${file} imports ${target}, which the library must not load`);
    }
    libraryFiles.add(target);
  }
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
