import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startMar } from '../../harness/mar.ts';
import { outputWords } from '../../words/output.ts';
import { bytesOf, slowService, type Terminal } from './slowService.ts';

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

describe('during a request of 25 seconds', () => {
  beforeEach(() => {
    // Only the clock of the progress: requests and their time limits keep the real one.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => vi.useRealTimers());

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
    ['a terminal without a size', { columns: 0 }],
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

  it.each([
    ['a record', quietly(...get), undefined],
    ['a record, with -q before the command', ['-q', ...get], undefined],
    ['a list', quietly('file', 'list', '--limit', '5'), '[]'],
    ['doctor', quietly('doctor'), '[]'],
  ])('--quiet prints nothing for %s', async (_name, argv, body) => {
    expect(await bytesOf(argv, terminal, body)).toBe('');
  });
});
