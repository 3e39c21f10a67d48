import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { table } from '../../src/commands/table.ts';
import { commandLine, shellWord, withProfile } from '../../src/values/commandLine.ts';

it.each(['wr-2001', 'a_1.b:c', 'https://media.example/api', 'me@studio.example', 'language=42'])(
  'leaves the plain word %s unchanged',
  (word) => {
    expect(shellWord(word)).toBe(word);
  },
);

it.each([
  'a b',
  '',
  '$(touch x)',
  '`touch x`',
  'a;touch$IFS',
  '*',
  '~',
  '#',
  '=ls',
  '@x',
  'ä',
  '{a,b}',
])('puts %j into single quotes', (word) => {
  expect(shellWord(word)).toBe(`'${word}'`);
});

it.each([
  "it's $HOME",
  'a"b',
  'a\\',
  '%PATH%',
  'a&b',
  'a|b',
  '<x>',
  'a\nb',
  'a\x1b[2J',
  '-x',
  '--force',
  '‘',
  'a\u200bb',
  '\ud800',
  '!!',
])('leaves out %j, which no quoting makes safe in every shell', (word) => {
  expect(shellWord(word)).toBeUndefined();
  expect(commandLine`mar wr get ${word} --json`).toBe('mar wr get … --json');
});

it('puts a value with an apostrophe into double quotes', () => {
  expect(shellWord("in'es@northlight.example")).toBe(`"in'es@northlight.example"`);
});

it('makes one argument of any value, in sh', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const word = shellWord(value);
      if (word === undefined) return;
      const printed = execFileSync('sh', ['-c', `printf '<%s>' ${word}`], { encoding: 'utf8' });
      expect(printed).toBe(`<${value}>`);
    }),
    { seed: 13, numRuns: 200 },
  );
});

it('makes every command line in the source that has a value in it', () => {
  const names = table.flatMap(({ name, aliases = [] }) => [name, ...aliases]).join('|');
  const untagged = new RegExp(`(?<!commandLine)\`[^\`]*\\bmar (?:${names})\\b[^\`]*\\$\\{`);
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      readFileSync(path.join('src', file), 'utf8')
        .split('\n')
        .filter((line) => untagged.test(line.replace(/commandLine`[^`]*`/g, '')))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

it.each([
  ['To log in, run: mar login', 'To log in, run: mar login --profile staging'],
  ['To see it, run: mar login --help', 'To see it, run: mar login --help'],
  ['To list them, run: mar profile list', 'To list them, run: mar profile list'],
  ['Check it first (mar wr get wr-1).', 'Check it first (mar wr get wr-1 --profile staging).'],
  ['Use mar asset get, or mar wr get.', 'Use mar asset get, or mar wr get.'],
  [
    'Look (mar recent). Then run: mar login\nDone (today).',
    'Look (mar recent --profile staging). Then run: mar login --profile staging\nDone (today).',
  ],
  [
    'run: echo x | mar login --password-stdin',
    'run: echo x | mar login --password-stdin --profile staging',
  ],
])('adds the profile to the commands of %j', (text, expected) => {
  expect(withProfile(text, 'staging')).toBe(expected);
  expect(withProfile(expected, 'staging')).toBe(expected);
  expect(withProfile(text, undefined)).toBe(text);
});

// Quadratic work would take longer than the time limit of a test.
it.each(['mar ', ': mar ', '(mar ', ': echo | ', '. mar ', '(('])(
  'adds the profile to a long text of %j in a moment',
  (part) => {
    const text = part.repeat(400_000 / part.length);
    expect(withProfile(`${text}.`, 'staging').length).toBeGreaterThanOrEqual(text.length);
  },
);
