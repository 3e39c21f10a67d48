import {
  chmodSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, runProgram } from '../harness/program.ts';

/** A run that needs no service, with a folder of its own for compiled code. */
async function help(cache: string, env: Record<string, string> = {}) {
  const outcome = await runProgram(
    ['asset', '--help'],
    cleanEnvironment(temporaryFolder(), { MAR_CACHE_DIR: cache, ...env }),
  );
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout).toContain('mar asset get');
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());

test('what was compiled is kept, for its owner alone, and used by the next run', async () => {
  const cache = path.join(temporaryFolder(), 'cache');
  await help(cache);
  const kept = filesIn(cache);
  expect(kept.length).toBeGreaterThan(1);
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  const written = kept.map((file) => statSync(file).ino);
  await help(cache);
  expect(filesIn(cache).map((file) => statSync(file).ino)).toEqual(written);
});

test('compiled code that was damaged is compiled again', async () => {
  const cache = temporaryFolder();
  await help(cache);
  for (const file of filesIn(cache)) {
    const bytes = readFileSync(file);
    const middle = bytes.length >> 1;
    bytes[middle] = 255 - (bytes[middle] ?? 0);
    writeFileSync(file, bytes);
  }
  await help(cache);
  for (const file of filesIn(cache)) truncateSync(file, 3);
  await help(cache);
  for (const file of filesIn(cache)) writeFileSync(file, 'not compiled code at all');
  await help(cache);
});

test('a folder that others may write to is not used', async () => {
  const cache = temporaryFolder();
  chmodSync(cache, 0o777);
  await help(cache);
  expect(filesIn(cache)).toEqual([]);
});

test('without a folder that can be written, it runs all the same', async () => {
  await help('/dev/null/cache');
  await help('', { HOME: '', XDG_CACHE_HOME: '' });
});

test('NODE_DISABLE_COMPILE_CACHE is obeyed', async () => {
  const cache = temporaryFolder();
  await help(cache, { NODE_DISABLE_COMPILE_CACHE: '1' });
  expect(filesIn(cache)).toEqual([]);
});
