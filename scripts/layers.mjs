// Checks the structure of src/: a part imports only the parts below it (type imports included), only
// modules.ts imports a module, no files import each other in a circle, and `http` and `output` name no
// command of `mar`.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Files and folders of src/, from top to bottom. A part imports those below it. */
const order = [
  'binary',
  'main.ts',
  'host.ts',
  'completion',
  'program',
  'modules.ts',
  'modules',
  'module.ts',
  'commands',
  'writes',
  'reads',
  'session',
  'input.ts',
  'installation.ts',
  'world.ts',
  'output',
  'rows',
  'log',
  'records',
  'client',
  'credentials',
  'config',
  'http',
  'api',
  'files',
  'values',
  'json',
  'version.ts',
  'errors.ts',
];

const withoutCommands = ['http', 'output'];

/** @param {string} file relative to src, such as `core/http/retries.ts` */
const partOf = (file) => file.replace(/^core\//, '').split('/')[0] ?? '';
/** @param {string} file */
const levelOf = (file) => order.indexOf(partOf(file));
/** @param {string} file */
const moduleOf = (file) => /^modules\/([^/]+)\//.exec(file)?.[1];

/** @type {Map<string, string>} */
const sources = new Map();
for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
  const file = name.replaceAll('\\', '/');
  if (file.endsWith('.ts')) sources.set(file, readFileSync(path.join('src', name), 'utf8'));
}

/** @type {Map<string, string[]>} */
const imports = new Map();
for (const [file, source] of sources) {
  const targets = [...source.matchAll(/(?:from|import\(|^import) ?'(\.[^']+)'/gm)]
    .map(([, name = '']) => path.posix.join(path.posix.dirname(file), name))
    .filter((target) => !target.startsWith('..'));
  imports.set(file, targets);
}

/** @type {string[]} */
const problems = [];
for (const [file, targets] of imports) {
  const level = levelOf(file);
  if (level < 0) problems.push(`${file} is in no part of the order: add it in scripts/layers.mjs`);
  for (const target of targets) {
    const [module, other] = [moduleOf(file), moduleOf(target)];
    if (other && module !== other) {
      const isListed = file === 'modules.ts' && target === `modules/${other}/module.ts`;
      if (!isListed) problems.push(`${file} imports ${target} of another module`);
    }
    if (partOf(target) === partOf(file)) continue;
    if (levelOf(target) <= level) {
      problems.push(`${file} imports ${target}, which is not below it`);
    }
  }
}

problems.push(...circles().map((files) => `these files import each other: ${files.join(', ')}`));

const entryFiles = [...sources].filter(([file]) => /(?:program\/table|\/module)\.ts$/.test(file));
const words = entryFiles.flatMap(([, source]) =>
  [...source.matchAll(/^ {4}([\w-]+): \{|^ {6}name: '([\w-]+)'/gm)].map(
    ([, one, two]) => one ?? two,
  ),
);
if (words.length === 0) problems.push('no command found in program/table.ts');
const commandName = new RegExp(`\\bmar (?:${words.join('|')})\\b`);
for (const [file, source] of sources) {
  if (!withoutCommands.includes(partOf(file))) continue;
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
