import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, program, runProgram } from '../harness/program.ts';
import { recordingServer } from '../harness/recordingServer.ts';

/*
 * A limit on the size of files stands in for a full disk: the system writes the part that fits, says
 * how much that was, and fails only the next write.
 */
const blockBytes = 512;

/** Runs the program with its output appended to a file that has room for some bytes more. */
async function runIntoFile(
  argv: readonly string[],
  room: number,
  env: Record<string, string> = {},
  stream: 'stdout' | 'stderr' = 'stdout',
) {
  const folder = temporaryFolder();
  const file = path.join(folder, 'output');
  const before = Buffer.alloc(blockBytes * 64 - room, '.');
  writeFileSync(file, before);
  const redirect = stream === 'stdout' ? '>>' : '2>>';
  const script = `ulimit -f 64 && exec "$@" ${redirect}"$OUTPUT"`;
  // Compiled code is kept by an earlier run, or not at all: the limit counts for it as well.
  const own = { ...cleanEnvironment(folder, env), OUTPUT: file };
  const words = ['-c', script, 'sh', ...program, ...argv];
  const { code, stdout, stderr } = await runProgram(words, own, '', ['/bin/sh']);
  const other = stream === 'stdout' ? stderr : stdout;
  return { code, other, written: readFileSync(file).subarray(before.length).toString() };
}

describe('standard output in a file on a full disk', () => {
  const record = JSON.stringify({ _id: 'a-1', name: 'x'.repeat(20_000) });

  it('is written whole where there is just enough room', async () => {
    const { env } = await recordingServer(record);
    const outcome = await runIntoFile(['asset', 'get', 'a-1', '--json'], record.length + 1, env);
    expect(outcome).toEqual({ code: 0, other: '', written: `${record}\n` });
  });

  it.each([
    ['a record', ['asset', 'get', 'a-1', '--json']],
    ['a record as YAML', ['asset', 'get', 'a-1', '-o', 'yaml']],
    ['bytes as they came', ['api', 'GET', '/assets/a-1']],
    ['a filtered record', ['asset', 'get', 'a-1', '--jq', '.name']],
    ['help', ['--help']],
    ['help of a command', ['asset', 'get', '--help']],
    ['a schema', ['schema', 'Asset']],
    ['a completion script', ['completion', 'bash']],
    ['the version', ['--version']],
    ['the version after other words', ['--version', '--no-color']],
  ])('is an error where it does not fit: %s', async (_, argv) => {
    const { env } = await recordingServer(record);
    const { code, other, written } = await runIntoFile(argv, 3, env);
    expect(other).toMatch(/^(?:error:|\{"error":).*standard output.*incomplete/s);
    expect({ code, length: written.length }).toEqual({ code: 1, length: 3 });
    if (other.startsWith('{')) expect(JSON.parse(other).error.kind).toBe('local');
  });

  it('is an error for what Tab offers, though a person at a prompt sees no error', async () => {
    const outcome = await runIntoFile(['complete-words', 'zsh', ''], 3);
    expect(outcome).toMatchObject({ code: 1, other: '' });
    expect(outcome.written).toHaveLength(3);
  });

  it('does not make a run fail that writes its messages there', async () => {
    const outcome = await runIntoFile(['asset', 'get'], 3, {}, 'stderr');
    expect(outcome).toMatchObject({ code: 2, written: 'err' });
  });
});
