import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  commandLine,
  printedCommand,
  shellWord,
  words,
} from '../../../src/core/values/commandLine.ts';
import { table } from '../../../src/program/table.ts';

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
  expect(commandLine`--set ${word}`).toBe('--set …');
  expect(printedCommand(words`mar wr get ${word} --json`)).toBe('mar wr get … --json');
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
  const untagged = new RegExp(`(?<!commandLine|words)\`[^\`]*\\bmar (?:${names})\\b[^\`]*\\$\\{`);
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      readFileSync(path.join('src', file), 'utf8')
        .split('\n')
        .filter((line) => untagged.test(line.replace(/(?:commandLine|words)`[^`]*`/g, '')))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

it('splits the text of a command at spaces, and no value', () => {
  expect(words`mar find ${'a b'} --kind ${'wr'}`).toEqual(['mar', 'find', 'a b', '--kind', 'wr']);
  expect(words`mar wr create --set ${'due.date'}=${'+3d'}`.at(-1)).toBe('due.date=+3d');
});

it('takes capitals in the text of a command for a word to replace, but not in a value', () => {
  const id = { placeholder: 'ID' };
  expect(words`mar wr get ID --profile ${'PROD'}`).toEqual([
    ...words`mar wr get`,
    id,
    '--profile',
    'PROD',
  ]);
  expect(words`mar wr open ${id}`).toEqual(words`mar wr open ID`);
  expect(words`--set due.date=${{ placeholder: 'DATE' }}`).toEqual([
    '--set',
    { placeholder: 'due.date=DATE' },
  ]);
});
