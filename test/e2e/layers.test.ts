import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';

const script = fileURLToPath(new URL('../../scripts/layers.mjs', import.meta.url));
const table = { 'commands/table.ts': 'grouped("Account", {\n    login: {},\n});\n' };

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
    'http/a.ts': "// `mar login` in a comment is fine\nimport '../json/b.ts';\n",
    'json/b.ts': '',
  };
  expect(await problemsIn(files)).toBe('');
});

test.each([
  ['an import from above', 'http/a.ts', "import '../client/b.ts';"],
  ['an import from beside', 'http/a.ts', "import { b } from '../api/b.ts';"],
  ['a type import from beside', 'http/a.ts', "import type { B } from '../api/b.ts';"],
  ['a late import from beside', 'http/a.ts', "const b = await import('../api/b.ts');"],
  ['a command in a string', 'http/a.ts', "const hint = 'run mar login first';"],
  ['a command in a template', 'http/a.ts', 'const hint = `run mar login $' + '{name}`;'],
  ['an import past a door', 'commands/a.ts', "import { b } from '../subtitles/b.ts';"],
  ['a type import past a door', 'commands/a.ts', "import type { B } from '../sandbox/b.ts';"],
  ['a late import past a door', 'binary/a.ts', "const b = await import('../sandbox/b.ts');"],
])('%s is found', async (_, file, source) => {
  expect(await problemsIn({ [file]: `${source}\n` })).toContain(file);
});

test('a folder with a door is entered through its index', async () => {
  const files = {
    'commands/a.ts': "import { b } from '../subtitles/index.ts';\n",
    'subtitles/index.ts': "export { b } from './formats/b.ts';\n",
    'subtitles/formats/b.ts': "import { c } from '../c.ts';\n",
    'subtitles/c.ts': '',
  };
  expect(await problemsIn(files)).toBe('');
});

test('a circle of type imports is found', async () => {
  const files = {
    'json/a.ts': "import type { B } from './b.ts';\n",
    'json/b.ts': "import { c } from './c.ts';\n",
    'json/c.ts': "export type { A } from './a.ts';\n",
    'json/d.ts': "import './a.ts';\n",
  };
  expect(await problemsIn(files)).toMatch(
    /^these files import each other: (json\/[abc]\.ts(, |\n)){3}$/,
  );
});
