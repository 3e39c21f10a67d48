// Checks the structure of src/: each layer imports only the layers below it (type imports included),
// a folder with a door is entered only through its index.ts, no files import each other in a circle, and
// `http` and `output` name no command of `mar`.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Folders and files of src/, from top to bottom. Layers in one list do not import each other. */
const layers = [
  'binary',
  'main.ts',
  'host.ts',
  'program.ts',
  'helpJson.ts',
  'help.ts',
  'completion',
  'commands',
  'agents',
  'batch',
  'writes',
  'reads',
  'session',
  'input.ts',
  'rows',
  'installation.ts',
  'world.ts',
  'records',
  'subtitles',
  'languages',
  'sandbox',
  'client',
  'credentials',
  'config',
  ['output', 'http', 'api'],
  'files',
  'values',
  'json',
  'version.ts',
  'errors.ts',
];

/** Folders that other folders import only through their index.ts. */
const doors = ['subtitles', 'sandbox', 'batch', 'writes'];

/** Folders that must not load others, not even through a third one. */
const separate = [
  {
    // The engine of a batch can be read, and tested, without the commands around it.
    folders: ['rows', path.join('batch', 'journal'), path.join('batch', 'runner')],
    mustNotLoad: ['commands', 'session', 'world.ts', 'output'],
  },
  { folders: ['client', 'records', 'subtitles', 'config'], mustNotLoad: ['output'] },
];

const withoutCommands = ['http', 'output'];

const root = 'src';
/** @param {string} file relative to src */
const layerOf = (file) => file.split(path.sep)[0] ?? '';
/** @param {string} layer */
const levelOf = (layer) => layers.findIndex((level) => [level].flat().includes(layer));

/** @type {Map<string, string>} */
const sources = new Map();
for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
  if (file.endsWith('.ts')) sources.set(file, readFileSync(path.join(root, file), 'utf8'));
}

/** @type {Map<string, string[]>} */
const imports = new Map();
for (const [file, source] of sources) {
  const targets = [...source.matchAll(/(?:from|import\(|^import) ?'(\.[^']+)'/gm)]
    .map(([, name = '']) => path.normalize(path.join(path.dirname(file), name)))
    .filter((target) => !target.startsWith('..'));
  imports.set(file, targets);
}

/** @type {string[]} */
const problems = [];
for (const [file, targets] of imports) {
  const layer = layerOf(file);
  if (levelOf(layer) < 0) {
    problems.push(`${file} belongs to no layer: add it to the list in scripts/layers.mjs`);
  }
  for (const target of targets) {
    const below = layerOf(target);
    if (below === layer) continue;
    if (levelOf(below) <= levelOf(layer)) {
      problems.push(`${file} imports ${target}, which is not below it`);
    }
    const door = path.join(below, 'index.ts');
    if (doors.includes(below) && target !== door) {
      problems.push(`${file} imports ${target} instead of ${door}`);
    }
  }
}

for (const { folders, mustNotLoad } of separate) {
  const isInside = (/** @type {string} */ file) =>
    folders.some((folder) => file.startsWith(folder + path.sep));
  const loaded = new Set([...imports.keys()].filter(isInside));
  for (const file of loaded) {
    for (const target of imports.get(file) ?? []) {
      if (!isInside(target) && mustNotLoad.includes(layerOf(target))) {
        problems.push(`${file} imports ${target}, which ${folders.join(', ')} must not load`);
      }
      loaded.add(target);
    }
  }
}

problems.push(...circles().map((files) => `these files import each other: ${files.join(', ')}`));

const table = sources.get(path.join('commands', 'table.ts')) ?? '';
const commands = [...table.matchAll(/^ {4}([\w-]+): \{/gm)].map(([, name]) => name);
if (commands.length === 0) problems.push('no command found in commands/table.ts');
const commandName = new RegExp(`\\bmar (?:${commands.join('|')})\\b`);
for (const [file, source] of sources) {
  if (!withoutCommands.includes(layerOf(file))) continue;
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const found = commandName.exec(code);
  if (found) problems.push(`${file} names the command "${found[0]}": pass the text in from above`);
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

/** Groups of files that import each other, directly or not (Tarjan's algorithm). */
function circles() {
  /** @type {string[][]} */
  const found = [];
  /** @type {string[]} */
  const stack = [];
  /** @type {Map<string, number>} the number of the visit, until the file's group is complete */
  const open = new Map();
  const visited = new Set();
  /** @param {string} file @returns {number} the earliest open visit that the file leads back to */
  const visit = (file) => {
    const number = visited.size;
    let earliest = number;
    visited.add(file);
    open.set(file, number);
    stack.push(file);
    for (const target of imports.get(file) ?? []) {
      const reached = visited.has(target) ? open.get(target) : visit(target);
      earliest = Math.min(earliest, reached ?? earliest);
    }
    if (earliest < number) return earliest;
    const group = stack.splice(stack.indexOf(file));
    for (const member of group) open.delete(member);
    if (group.length > 1) found.push(group);
    return number;
  };
  for (const file of imports.keys()) if (!visited.has(file)) visit(file);
  return found;
}
