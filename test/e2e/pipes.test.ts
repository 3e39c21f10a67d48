import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { program, runProgram, startProgram } from '../harness/program.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { isolated } from '../harness/service.ts';

const bigName = 'x'.repeat(3_000_000);
const get = ['asset', 'get', 'a-1001', '--json'];

async function serviceWithBigRecord() {
  const server = await recordingServer(JSON.stringify({ name: bigName }));
  return isolated(server.env);
}

describe('-O', () => {
  it.each(['/dev/stdout | cat', '/dev/fd/1 | cat', '>(cat) | cat'])(
    'writes to %s',
    async (target) => {
      const server = await recordingServer('[{"_id":"f-1"}]');
      const argv = ['file', 'list', '--limit', '1', '--columns', '_id', '-o', 'csv', '-O'];
      const script = `"$0" "$@" ${target}`;
      const shell = ['bash', '-c', script, ...program] as const;
      const run = await runProgram(argv, isolated(server.env), '', shell);
      expect(run, run.stderr).toMatchObject({ code: 0, stdout: '_id\r\nf-1\r\n' });
    },
  );
});

describe('standard output', () => {
  it('is never cut off, however slowly it is read', async () => {
    const child = startProgram(get, await serviceWithBigRecord());
    let length = 0;
    child.stdout.on('data', (data: Buffer) => {
      length += data.length;
      child.stdout.pause();
      setImmediate(() => child.stdout.resume());
    });
    const [code] = await once(child, 'close');
    expect({ code, length }).toEqual({ code: 0, length: bigName.length + '{"name":""}\n'.length });
  });

  it('may be closed early without a word', async () => {
    const child = startProgram(get, await serviceWithBigRecord());
    child.stdout.once('data', () => child.stdout.destroy());
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('that is closed ends the program, though standard input is still open', async () => {
    const server = await recordingServer('{"_id":"a-1"}');
    const env = isolated(server.env);
    const child = startProgram(['asset', 'get', '-', '--jsonl'], env);
    child.stdin.write('a-1\n');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    child.stdin.write('a-2\n');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('that nobody reads does not hold up %s', async (signal, expected) => {
    const child = startProgram(get, await serviceWithBigRecord());
    child.stderr.resume();
    // It has begun to write, and the pipe takes no more than a part of it.
    await once(child.stdout, 'readable');
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect(code).toBe(expected);
  });

  const isFull = /^(?:error:|\{"error":).*cannot write to standard output/;
  it.each([
    ['> /dev/full', get, 1, isFull],
    ['> /dev/null 2>&1 < /dev/null', get, 0, /^$/],
  ])('in a shell with %s after mar %j exits with %i', async (redirection, argv, code, message) => {
    const server = await recordingServer('{"_id":"a-1001"}');
    const script = ['-c', `"$@" ${redirection}`, 'sh', ...program, ...argv];
    const run = await runProgram(script, isolated(server.env), '', ['sh']);
    expect(run).toMatchObject({ code, stderr: expect.stringMatching(message) });
  });
});
