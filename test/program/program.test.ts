import { expect, it } from 'vitest';
import { MarError } from '../../src/core/errors.ts';
import type { Input } from '../../src/core/input.ts';
import { parse, program } from '../../src/program/parse.ts';

async function errorOf(work: () => unknown) {
  try {
    await work();
  } catch (error) {
    if (error instanceof MarError) return { message: error.message, ...error.details };
    throw error;
  }
  return undefined;
}

it.each<[path: string, words: string[], fields: Partial<Input>]>([
  ['find', ['x', '--kind', 'studio'], { arguments: ['x'], options: { kind: 'studio' } }],
  ['completion', ['tcsh'], { arguments: ['tcsh'] }],
  ['whoami', ['x'], { arguments: ['x'] }],
  ['translation submit', ['x'], { arguments: ['x'] }],
  ['wr create', ['--tz', 'x'], { options: { tz: 'x' } }],
  ['file list', ['--limit', '1', '--all'], { options: { limit: '1', all: true } }],
])('input from fields is checked like a command line: %s %j', async (path, words, fields) => {
  const input = { arguments: [], options: {}, given: [], ...fields };
  const error = await errorOf(() => program.check(path, input));
  expect(error).toBeDefined();
  expect(error).toEqual(await errorOf(() => parse([...path.split(' '), ...words])));
});

it.each<[line: string, path: string, input: Partial<Input>]>([
  ['wr -- get x', 'wr get', { arguments: ['x'] }],
  ['-- wr get -x', 'wr get', { arguments: ['-x'] }],
  ['wr get x -- --json -- y', 'wr get', { arguments: ['x', '--json', '--', 'y'] }],
  ['asset get -5', 'asset get', { arguments: ['-5'] }],
  [
    'asset put --skip-checks a-1',
    'asset put',
    { arguments: ['a-1'], options: { skipChecks: true } },
  ],
  ['wr create --batch', 'wr create', { options: { batch: true } }],
  ['wr create --batch a.csv', 'wr create', { options: { batch: 'a.csv' } }],
  ['wr wait wr-1 --timeout 5m', 'wr wait', { options: { timeout: '5m' } }],
  ['sandbox --port 80', 'sandbox', { options: { port: '80' } }],
  ['sandbox stop', 'sandbox stop', {}],
])('mar %s runs mar %s', async (line, path, input) => {
  expect(await parse(line.split(' '))).toMatchObject({ kind: 'run', path, input });
});

it.each([
  ['asset put a-1 --set -- x', { flag: '--set' }],
  ['whoami --profile -- x', { flag: '--profile' }],
  ['sandbox stop --port 80', { flag: '--port' }],
  ['sandbox --port 80 stop', { flag: '--port' }],
  ['sandbox --port 80 mystery', { value: 'mystery' }],
  ['sandbox sandbox', { value: 'sandbox' }],
  ['sandbox mystery --help', { value: 'mystery' }],
  ['--help mystery', { value: 'mystery' }],
  ['--bogus wr mystery --profile', { value: 'mystery' }],
  ['wr mystery --profile', { value: 'mystery' }],
  ['wr create --skip-checks=mystery --bogus', { flag: '--skip-checks', value: 'mystery' }],
])('the first mistake of mar %s is reported', async (line, facts) => {
  expect(await errorOf(() => parse(line.split(' ')))).toMatchObject(facts);
});
