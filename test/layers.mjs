// Rooms import rooms below them, never above: this is the one list of their order, top to bottom.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const rooms = [
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

/** What the library does without: a terminal, and a person's files and secrets. */
const notForTheLibrary = new Set([
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
const levelOf = (file) => rooms.indexOf(file.split(path.sep)[0] ?? '');

/** @type {Map<string, string[]>} what each file imports */
const imports = new Map();
const problems = [];
for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
  if (!entry.endsWith('.ts')) continue;
  const level = levelOf(entry);
  if (level < 0) problems.push(`${entry}: its room is not in the list of rooms`);
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
const reached = new Set(
  [...imports.keys()].filter((file) => file.split(path.sep)[0] === 'library'),
);
for (const file of reached) {
  for (const target of imports.get(file) ?? []) {
    if (notForTheLibrary.has(target.split(path.sep)[0] ?? '')) {
      problems.push(`${file} imports ${target}, which the library does without`);
    }
    reached.add(target);
  }
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
