import { expect, it } from 'vitest';
import { loadCommands, table, wordsOf } from '../src/commands/table.ts';
import { MarError } from '../src/errors.ts';
import { checkInput, type Input } from '../src/input.ts';
import { parse } from '../src/program.ts';

async function commandNamed(path: string) {
  for (const entry of table) {
    const found = (await loadCommands(entry)).find((one) => wordsOf(entry, one).join(' ') === path);
    if (found) return found;
  }
  throw new Error(`no command ${path}`);
}

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
  ['config set', ['output'], { arguments: ['output'] }],
  ['whoami', ['x'], { arguments: ['x'] }],
  ['translation submit', ['x'], { arguments: ['x'] }],
  ['today', ['--only'], { options: { only: true } }],
  ['file list', ['--limit', '1', '--all'], { options: { limit: '1', all: true } }],
  ['file list', ['--sort', 'a', '--range', '0-1'], { options: { sort: 'a', range: '0-1' } }],
])('input from fields is checked like a command line: %s %j', async (path, words, fields) => {
  const command = await commandNamed(path);
  const input = { arguments: [], options: {}, given: [], ...fields };
  const error = await errorOf(() => checkInput(command, input, path));
  expect(error).toBeDefined();
  expect(error).toEqual(await errorOf(() => parse([...path.split(' '), ...words])));
});
