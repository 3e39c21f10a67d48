import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, program, runProgram, startProgram } from '../harness/program.ts';
import { recordingServer } from '../harness/recordingServer.ts';

const bigName = 'x'.repeat(3_000_000);
const get = ['asset', 'get', 'a-1001', '--json'];

async function serviceWithBigRecord() {
  const server = await recordingServer(JSON.stringify({ name: bigName }));
  return cleanEnvironment(temporaryFolder(), server.env);
}

describe('standard output', () => {
  it('is never cut off, however slowly it is read', async () => {
    const child = startProgram(get, await serviceWithBigRecord());
    let length = 0;
    child.stdout?.on('data', (data: Buffer) => {
      length += data.length;
      child.stdout?.pause();
      setImmediate(() => child.stdout?.resume());
    });
    const [code] = await once(child, 'close');
    expect({ code, length }).toEqual({ code: 0, length: bigName.length + '{"name":""}\n'.length });
  });

  it('may be closed early without a word', async () => {
    const child = startProgram(get, await serviceWithBigRecord());
    let stderr = '';
    child.stderr?.on('data', (data) => {
      stderr += data;
    });
    child.stdout?.once('data', () => child.stdout?.destroy());
    const [code] = await once(child, 'close');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('that is closed ends the program, though standard input is still open', async () => {
    const server = await recordingServer('{"_id":"a-1"}');
    const env = cleanEnvironment(temporaryFolder(), server.env);
    const child = startProgram(['asset', 'get', '-', '--jsonl'], env);
    child.stdin?.write('a-1\n');
    await once(child.stdout as Readable, 'data');
    child.stdout?.destroy();
    child.stdin?.write('a-2\n');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('that nobody reads does not hold up %s', async (signal, expected) => {
    const child = startProgram(get, await serviceWithBigRecord());
    child.stderr?.resume();
    // It has begun to write, and the pipe takes no more than a part of it.
    await once(child.stdout as Readable, 'readable');
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect(code).toBe(expected);
  });

  it.each([
    ['for a record', get],
    ['for the version', ['--version']],
  ])('that is full is an error, %s', async (_, argv) => {
    const env = await serviceWithBigRecord();
    const full = openSync('/dev/full', 'w');
    const [file, ...before] = program;
    const child = spawn(file, [...before, ...argv], {
      env,
      stdio: ['ignore', full, 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (data) => {
      stderr += data;
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^(?:error:|\{"error":).*cannot write to standard output/);
  });

  it.each([
    ['>&-', 1, /cannot write to standard output: it is closed/],
    ['> /dev/null', 0, /^$/],
  ])('in a shell with %s exits with %i', async (redirection, expected, message) => {
    const server = await recordingServer('{"_id":"a-1001"}');
    const env = cleanEnvironment(temporaryFolder(), server.env);
    const argv = ['-c', `"$@" ${redirection}`, 'sh', ...program, ...get];
    const { code, stderr } = await runProgram(argv, env, '', ['sh']);
    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringMatching(message) });
  });

  it('that another program ignores is no error', async () => {
    const server = await recordingServer('{"_id":"a-1001"}');
    const env = cleanEnvironment(temporaryFolder(), server.env);
    const [file, ...before] = program;
    const child = spawn(file, [...before, ...get], { env, stdio: 'ignore' });
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
  });
});
