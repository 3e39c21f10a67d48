import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { prepare } from '../../core/commands/seenValues.ts';
import { offered } from '../../core/completion/harness.ts';
import { bytesOf, slowService } from '../../core/output/slowService.ts';
import { linesOf } from '../../harness/jsonLines.ts';
import { mar, startMar } from '../../harness/mar.ts';
import { factsIn, refused } from '../../harness/marWith.ts';
import { recordService } from '../../harness/recordService.ts';

it('--quiet hides the changes of status that wr wait reports', async () => {
  const { env } = await recordService({
    '/workrequests/wr-1': ['open', 'complete'].map((status) => `{"status":"${status}"}`),
  });
  const wait = ['wr', 'wait', 'wr-1', '--status', 'complete', '--interval', '1ms'];
  const quiet = await mar([...wait, '-q', '--jq', '.status'], { env, columns: 80 });
  expect(quiet).toEqual({ code: 0, stdout: 'complete\n', stderr: '' });
});

describe('during a request of 25 seconds', () => {
  beforeEach(() => {
    // Only the clock of the progress: requests and their time limits keep the real one.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => vi.useRealTimers());

  it('wr wait --quiet prints nothing', async () => {
    const argv = ['wr', 'wait', 'x', '--status', 'done', '--quiet'];
    expect(await bytesOf(argv, { columns: 80 }, '{"_id":"x","status":"done"}')).toBe('');
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

describe('with --json, standard error of wr wait has only JSON', () => {
  it('for the changes', async () => {
    const status = (name: string, more = {}) =>
      JSON.stringify({ _id: 'wr-1', status: name, ...more });
    const history = [{ status: 'complete', user: { name: 'Tom' } }];
    const { env } = await recordService({
      '/workrequests/wr-1': [status('new'), 503, status('complete', { history })],
    });
    const argv = ['wr', 'wait', 'wr-1', '--status', 'complete', '--interval', '5ms'];
    const lines = await linesOf(argv, env);
    const changed = { code: 'status', before: 'new' };
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(lines).toMatchObject([
      { note: { code: 'status', id: 'wr-1', status: 'new', time, message: 'new' } },
      { note: { code: 'retrying', id: 'wr-1', time, message: expect.stringContaining('503') } },
      { note: { code: 'responding', id: 'wr-1', time } },
      { note: { ...changed, id: 'wr-1', status: 'complete', message: 'new → complete, by Tom' } },
    ]);
  });

  it('for an id that fails while others are awaited', async () => {
    const { env } = await recordService({ '/workrequests/wr-1': '{"_id":"wr-1","status":"a"}' });
    const lines = await linesOf(['wr', 'wait', 'wr-1', 'wr-2', '--status', 'a'], env);
    expect(lines).toContainEqual({ note: expect.objectContaining({ code: 'failed', id: 'wr-2' }) });
  });
});

it.each([
  ['compelte', 2, 'mar config set status.compelte=open'],
  ['nothing-like-it', 9, 'Waiting for "nothing-like-it", which is not a status'],
  ['Complete', 0, ''],
])('wr wait --status %s is refused only if it looks like a typo', async (status, code, text) => {
  const record = '{"_id":"wr-2","status":"complete","$statuses":["complete","in-progress"]}';
  const { run } = await prepare({ '/workrequests/wr-2': record });
  const waited = await run(['wr', 'wait', 'wr-2', '--status', status, '--timeout', '1s']);
  expect(waited.code).toBe(code);
  expect(waited.stderr).toContain(text);
});

it('Tab offers the statuses of the work request after wr wait --status', async () => {
  const { env } = await prepare();
  expect(await offered(['wr', 'wait', 'wr-1', '--status', ''], env)).toContain('in-progress');
});

describe('an error of wr wait names', () => {
  it('the flag that is missing', async () => {
    const error = factsIn(await refused(['--json', 'wr', 'wait', 'wr-1']));
    expect(error).toMatchObject({ kind: 'usage', outcome: 'not-sent', flag: '--status' });
  });

  it('a status that does not exist, and what was meant', async () => {
    const { env } = await recordService({
      '/workrequests/wr-1': '{"_id":"wr-1","status":"open","$statuses":["open","complete"]}',
    });
    const { stderr } = await mar(['--json', 'wr', 'wait', 'wr-1', '--status', 'complet'], { env });
    expect(factsIn(stderr)).toMatchObject({ value: 'complet', suggestion: 'complete' });
  });
});
