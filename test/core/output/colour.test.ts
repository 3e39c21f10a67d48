import { describe, expect, it } from 'vitest';
import { mar } from '../../harness/mar.ts';
import { recordingServer } from '../../harness/recordingServer.ts';

const esc = '\x1b';
const get = ['asset', 'get', 'a-1'];
const record = '{"_id":"a-1","name":"Trailer","workflow":{"phase":"approved"}}';

async function coloured(
  argv: readonly string[],
  { env = {}, columns }: { env?: Record<string, string>; columns?: number } = {},
): Promise<boolean> {
  const server = await recordingServer(record);
  const run = await mar(argv, { env: { ...server.env, ...env }, columns });
  expect(run.code, run.stderr).toBe(0);
  return run.stdout.includes(esc);
}

describe('colour', () => {
  it('is on a terminal and nowhere else', async () => {
    expect(await coloured(get, { columns: 80 })).toBe(true);
    expect(await coloured([...get, '-o', 'table'])).toBe(false);
    expect(await coloured(get)).toBe(false);
  });

  it.each([
    ['NO_COLOR', get, { NO_COLOR: '1' }],
    ['--no-color', [...get, '--no-color'], {}],
    ['--no-color before the command', ['--no-color', ...get], {}],
    ['FORCE_COLOR=0', get, { FORCE_COLOR: '0' }],
    ['FORCE_COLOR=false', get, { FORCE_COLOR: 'false' }],
    ['a dumb terminal', get, { TERM: 'dumb' }],
    ['NO_COLOR against FORCE_COLOR', get, { NO_COLOR: '1', FORCE_COLOR: '1' }],
    ['--no-color against FORCE_COLOR', [...get, '--no-color'], { FORCE_COLOR: '1' }],
  ])('is turned off by %s', async (_name, argv, env) => {
    expect(await coloured(argv, { env: env as Record<string, string>, columns: 80 })).toBe(false);
  });

  it.each<Record<string, string>>([
    { NO_COLOR: '' },
    { FORCE_COLOR: '' },
    { TERM: 'dumb', FORCE_COLOR: '1' },
  ])('is not turned off by %j', async (env) => {
    expect(await coloured(get, { env, columns: 80 })).toBe(true);
  });

  it.each([
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('in a pipe, for a table, with %j: %s', async (env, isColoured) => {
    const given = env as Record<string, string>;
    expect(await coloured([...get, '-o', 'table'], { env: given })).toBe(isColoured);
  });

  it.each([[[]], [['--json']], [['--jsonl']], [['-o', 'tsv']], [['--json'], 80]])(
    'is never in what programs read, FORCE_COLOR or not: %j',
    async (flags: string[], columns?: number) => {
      const options = { env: { FORCE_COLOR: '1' }, columns };
      expect(await coloured([...get, ...flags], options)).toBe(false);
    },
  );

  it.each([
    [{ columns: 80 }, true],
    [{}, false],
    [{ columns: 80, env: { NO_COLOR: '1' } }, false],
    [{ columns: 80, env: { TERM: 'dumb' } }, false],
    [{ env: { FORCE_COLOR: '1' } }, true],
  ])('of an error follows the same rules: %j', async (options, expected) => {
    const run = await mar(['aset'], options as { columns?: number; env?: Record<string, string> });
    expect(run.stderr.includes(esc)).toBe(expected);
    const without = await mar(['aset', '--no-color'], options);
    expect(without.stderr).not.toContain(esc);
  });

  it.each([
    [['--help'], { columns: 80 }, true],
    [['--help', '--no-color'], { columns: 80 }, false],
    [['wr', '--help'], {}, false],
  ])('of the help %j follows the same rules', async (argv, options, expected) => {
    expect((await mar(argv, options)).stdout.includes(esc)).toBe(expected);
  });
});
