import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';

const script = fileURLToPath(new URL('../../scripts/layers.mjs', import.meta.url));
const table = { 'program/table.ts': 'grouped("Account", {\n    login: {},\n});\n' };

/** The problems that the check finds in a source tree. */
async function problemsIn(files: Record<string, string>): Promise<string> {
  const folder = temporaryFolder();
  for (const [name, source] of Object.entries({ ...table, ...files })) {
    const file = path.join(folder, 'src', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, source);
  }
  const run = promisify(execFile)(process.execPath, [script], { cwd: folder });
  return run.then(
    ({ stderr }) => stderr,
    ({ stderr }: { stderr: string }) => stderr,
  );
}

test('a tree that keeps to the layers passes', async () => {
  const files = {
    'core/http/a.ts': "// `mar login` in a comment is fine\nimport '../json/b.ts';\n",
    'core/json/b.ts': '',
  };
  expect(await problemsIn(files)).toBe('');
});

const mistakes = [
  ['an import from above', 'core/http/a.ts', "import '../client/b.ts';"],
  ['a type import from above', 'core/http/b.ts', "import type { B } from '../client/b.ts';"],
  ['a late import from above', 'core/api/a.ts', "const b = await import('../http/b.ts');"],
  ['a command in a string', 'core/http/c.ts', "const hint = 'run mar login first';"],
  ['a command in a template', 'core/http/d.ts', 'const hint = `run mar login $' + '{name}`;'],
  ['a module in the core', 'core/output/a.ts', "import type { B } from '../../modules/b/b.ts';"],
  ['a module in the program', 'main.ts', "const b = await import('./modules/b/b.ts');"],
  ['a module in another one', 'modules/a/a.ts', "import { b } from '../b/b.ts';"],
  ['a file of a module in the list', 'modules.ts', "import { b } from './modules/b/b.ts';"],
] as const;

test('each mistake of a tree is found', async () => {
  const files = mistakes.map(([, file, source]) => [file, `${source}\n`]);
  const problems = await problemsIn(Object.fromEntries(files));
  for (const [mistake, file] of mistakes) expect(problems, mistake).toContain(file);
});

test('a module is listed by its description, and imports the core', async () => {
  const files = {
    'modules.ts': "import { a } from './modules/a/module.ts';\n",
    'modules/a/module.ts': "import type { Module } from '../../module.ts';\n",
    'modules/a/b.ts': "import { put } from '../../core/writes/write.ts';\n",
  };
  expect(await problemsIn(files)).toBe('');
});

test('a circle of type imports is found', async () => {
  const files = {
    'core/json/a.ts': "import type { B } from './b.ts';\n",
    'core/json/b.ts': "import { c } from './c.ts';\n",
    'core/json/c.ts': "export type { A } from './a.ts';\n",
    'core/json/d.ts': "import './a.ts';\n",
  };
  expect(await problemsIn(files)).toMatch(
    /^these files import each other: (core\/json\/[abc]\.ts(, |\n)){3}$/,
  );
});
