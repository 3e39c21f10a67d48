// Rooms import rooms below them, never above: this is the one list of their order, top to bottom.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const rooms = [
  'binary',
  'main.ts',
  'program.ts',
  'help.ts',
  'commands',
  'context.ts',
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
  'json',
  'version.ts',
  'errors.ts',
];

const root = 'src';
/** @param {string} file relative to src */
const levelOf = (file) => rooms.indexOf(file.split(path.sep)[0] ?? '');

const problems = [];
for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
  if (!entry.endsWith('.ts')) continue;
  const level = levelOf(entry);
  if (level < 0) problems.push(`${entry}: its room is not in the list of rooms`);
  const source = readFileSync(path.join(root, entry), 'utf8');
  for (const [, name] of source.matchAll(/(?:from|import\(|^import) ?'(\.[^']+)'/gm)) {
    const target = path.normalize(path.join(path.dirname(entry), name ?? ''));
    if (target.startsWith('..')) continue;
    if (levelOf(target) < level) problems.push(`${entry} imports ${target}, which is above it`);
  }
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
