import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeService } from '../../harness/fakeService.ts';
import { startMar } from '../../harness/mar.ts';
import { batchOf, numbered } from '../../modules/batch/harness.ts';
import { outputWords } from '../../words/output.ts';

/** A service that responds only after it is told to. */
async function slowService(body = '{"_id":"a-1"}') {
  const events = new EventEmitter();
  const arrived = once(events, 'request');
  const released = once(events, 'respond');
  const { baseUrl, env } = await fakeService(async () => {
    events.emit('request');
    await released;
    return body;
  });
  const { host } = new URL(baseUrl);
  return { env, host, requested: () => arrived, respond: () => events.emit('respond') };
}

const get = ['asset', 'get', 'a-1', '--columns', '_id'];

describe('a slow request', () => {
  it('shows what is waited for on a terminal, and leaves no trace', async () => {
    const service = await slowService();
    const run = startMar(get, { env: service.env, columns: 80 });
    await run.stderr.until(`${outputWords.waiting(service.host)} 1 s`);
    service.respond();
    expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
  });
});

it('a status to wait for reaches the terminal without its control characters', async () => {
  const service = await slowService();
  const argv = ['wr', 'wait', 'wr-1', '--status', 'a\u001b[2Jb'];
  const run = startMar(argv, { env: service.env, columns: 80 });
  await run.stderr.until('… 1 s');
  run.signal('SIGINT');
  await run.ended;
  expect(run.stderr.text).not.toContain('\u001b[2J');
});

it('a terminal without a size gets a spinner of one line', async () => {
  const service = await slowService();
  const run = startMar(get, { env: service.env, columns: 0 });
  await run.stderr.until('… 1 s\u001b[?2026l');
  service.respond();
  expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
});

describe('during a request of 25 seconds', () => {
  beforeEach(() => {
    // Only the clock of the progress: requests and their time limits keep the real one.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => vi.useRealTimers());

  interface Terminal {
    env?: Record<string, string>;
    columns?: number;
  }

  /** Every byte that standard error gets. */
  async function bytesOf(
    argv: readonly string[] | ((env: Record<string, string>) => readonly string[]),
    { env, columns }: Terminal,
    body?: string,
  ): Promise<string> {
    const service = await slowService(body);
    const line = typeof argv === 'function' ? argv(service.env) : argv;
    const run = startMar(line, { env: { ...service.env, ...env }, columns });
    await service.requested();
    vi.advanceTimersByTime(1000);
    // The first update loads the spinner.
    await import('ora');
    vi.advanceTimersByTime(24_000);
    service.respond();
    expect(await run.ended).toMatchObject({ code: 0 });
    return run.stderr.text;
  }

  const terminal = { columns: 80 };

  it.each([{}, { CI: '' }, { CI: '0' }, { CI: 'false' }])(
    'a terminal gets a spinner with %j',
    async (env) => {
      const bytes = await bytesOf(get, { ...terminal, env: env as Record<string, string> });
      expect(bytes).toMatch(/127\.0\.0\.1:\d+… 25 s/);
      expect(bytes).toContain('\u001b[?2026h');
    },
  );

  it.each<[string, Terminal]>([
    ['a pipe or a file', {}],
    ['a pipe, with FORCE_COLOR', { env: { FORCE_COLOR: '1' } }],
    ['a CI log that is a terminal', { ...terminal, env: { CI: 'true' } }],
    ['a dumb terminal', { ...terminal, env: { TERM: 'dumb' } }],
    ['a pipe, with ACCESSIBLE', { env: { ACCESSIBLE: '1' } }],
    ['a CI log, with ACCESSIBLE', { ...terminal, env: { CI: '1', ACCESSIBLE: '1' } }],
  ])('%s gets no byte', async (_name, where) => {
    expect(await bytesOf(get, where)).toBe('');
  });

  it('ACCESSIBLE=1 gets a plain line every ten seconds', async () => {
    const bytes = await bytesOf(get, { ...terminal, env: { ACCESSIBLE: '1' } });
    const line = outputWords.waiting('HOST');
    expect(bytes.replaceAll(/127[^…]*/g, 'HOST')).toBe(`${line} 10 s\n${line} 20 s\n`);
  });

  const quietly = (...argv: string[]) => [...argv, '--quiet'];
  const batch = (env: Record<string, string>) => quietly(...batchOf({ env }, numbered(1)).argv);

  it.each([
    ['a record', quietly(...get), undefined],
    ['a record, with -q before the command', ['-q', ...get], undefined],
    ['a list', quietly('file', 'list', '--limit', '5'), '[]'],
    ['wr wait', quietly('wr', 'wait', 'x', '--status', 'done'), '{"_id":"x","status":"done"}'],
    ['doctor', quietly('doctor'), '[]'],
    ['a batch', batch, '{"_id":"wr-1"}'],
  ])('--quiet prints nothing for %s', async (_name, argv, body) => {
    expect(await bytesOf(argv, terminal, body)).toBe('');
  });
});
