import { describe, expect, it } from 'vitest';
import { parse } from '../../../src/program/parse.ts';
import { mar, marOk, startMar, temporaryFile } from '../../harness/mar.ts';
import { factsIn, failure, refused } from '../../harness/marWith.ts';
import { recordService, workRequestService as service } from '../../harness/recordService.ts';
import { writeService } from '../../harness/writeService.ts';
import { requestWords } from '../../words/requests.ts';

const quick = ['--interval', '5ms'];
const wait = (ids: string[], ...more: string[]) => ['wr', 'wait', ...ids, ...quick, ...more];

/** A work request in a status, with a history that ends with it. */
const inStatus = (status: string, more: object = {}, id = 'wr-1') =>
  JSON.stringify({ _id: id, status, ...more });

/** Standard error without the times of day; notes for programs as people see them. */
const told = (stderr: string) =>
  stderr
    .replace(/^\d\d:\d\d:\d\d UTC {2}/gm, '')
    .split('\n')
    .map((line) => {
      const { note } = line.startsWith('{') ? JSON.parse(line) : {};
      return note ? `${note.id}  ${note.message}` : line;
    });

describe('wr wait', () => {
  it('looks until the status is there, reports each change, and prints the last record', async () => {
    const history = [{ status: 'complete', user: { name: 'Tom' }, reason: 'all there' }];
    const last = inStatus('complete', { history });
    const { env, paths } = await service({
      'wr-1': [inStatus('new'), inStatus('new'), inStatus('open'), last],
    });
    const run = await marOk(wait(['wr-1'], '--status', 'complete', '--json'), { env });
    expect(run.stdout).toBe(`${last}\n`);
    expect(told(run.stderr)).toEqual([
      ...['wr-1  new', 'wr-1  new → open', 'wr-1  open → complete, by Tom: all there', ''],
    ]);
    expect(paths).toHaveLength(4);
  });

  it('reports a status that comes back as a change again', async () => {
    const flips = ['a', 'b', 'a', 'b', 'c'].map((status) => inStatus(status));
    const { env } = await service({ 'wr-1': flips });
    const run = await mar(wait(['wr-1'], '--status', 'c'), { env });
    expect(told(run.stderr).filter((line) => line === 'wr-1  a → b')).toHaveLength(2);
  });

  it.each([['b,c'], ['c, b']])('takes any of several statuses: %j', async (statuses) => {
    const { env } = await service({ 'wr-1': [inStatus('a'), inStatus('b')] });
    const run = await mar(wait(['wr-1'], '--status', statuses, '--jq', '.status'), { env });
    expect(run).toMatchObject({ code: 0, stdout: 'b\n' });
  });

  it('exits with 1 at a --fail-status, and prints no record', async () => {
    const { env } = await service({ 'wr-1': [inStatus('a'), inStatus('rejected')] });
    const flags = ['--status', 'complete', '--fail-status', 'cancelled,rejected', '--json'];
    const stderr = await failure(1, mar(wait(['wr-1'], ...flags), { env }));
    expect(factsIn(stderr)).toEqual({
      ...{ kind: 'wait-failed', exitCode: 1, ids: ['wr-1'], recordStatus: 'rejected' },
      message: expect.stringMatching(/wr-1 .* rejected,.* --fail-status/),
    });
  });

  const never = () => recordService({}, 9);
  const stays = () => service({ 'wr-1': inStatus('a') });
  it.each([
    ['wr wait wr-1 --interval 5ms --status b --timeout 1s', stays, /wr-1 .* a .* 1s/],
    ['--timeout 50ms wr wait wr-1 --status b', never, /wr-1 .* read .* 50ms/],
  ])('exits with 9 when the time is up: %s', async (line, start, said) => {
    expect(await failure(9, mar(line.split(' '), await start()))).toMatch(said);
  });

  it('keeps its --timeout from the requests, which have their own', async () => {
    const flagsOf = (line: string) => parse([...line.split(' '), '--timeout', '45m']);
    expect(await flagsOf('wr wait wr-1 --status b')).toMatchObject({
      flags: { timeoutMs: 30_000 },
      input: { options: { timeout: '45m' } },
    });
    expect(await flagsOf('wr get wr-1')).toMatchObject({ flags: { timeoutMs: 45 * 60_000 } });
  });

  it('survives a service and a network in trouble, and reports it once', async () => {
    const answers = [inStatus('a'), 503, 503, 500, 429, 'hang up', inStatus('a'), inStatus('b')];
    const { env, paths } = await service({ 'wr-1': answers });
    const run = await mar(wait(['wr-1'], '--status', 'b', '--json'), { env });
    expect(run).toMatchObject({ code: 0, stdout: `${inStatus('b')}\n` });
    expect(paths).toHaveLength(answers.length);
    expect(told(run.stderr)).toEqual([
      'wr-1  a',
      ...[/\(503\)/, /\(500\)/, /\(429\)/, /^wr-1 {2}127[^(]*$/].map((trouble) =>
        expect.stringMatching(trouble),
      ),
      `wr-1  ${requestWords.respondsAgain}`,
      'wr-1  a → b',
      '',
    ]);
  });

  it.each([
    [401, 4],
    [403, 4],
    [404, 5],
    [400, 3],
  ])('a %i is no trouble that passes: it ends at once', async (status, code) => {
    const { env, paths } = await service({ 'wr-1': [inStatus('a'), status] });
    const run = await mar(wait(['wr-1'], '--status', 'b'), { env });
    expect(run.code).toBe(code);
    expect(paths).toHaveLength(2);
  });

  it.each(['120', '99999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'waits as long as the service asks to be left alone: %s',
    async (retryAfter) => {
      const { env, received } = await writeService(() => ({
        status: 429,
        headers: { 'Retry-After': retryAfter },
      }));
      const run = await mar(wait(['wr-1'], '--status', 'b', '--timeout', '1s'), { env });
      expect(run.code).toBe(9);
      expect(received).toHaveLength(1);
    },
  );

  it('is interrupted at once, with 130', async () => {
    const { env } = await service({ 'wr-1': [inStatus('a')] });
    const run = startMar('wr wait wr-1 --status b --interval 1h'.split(' '), { env });
    await run.stderr.until('wr-1  a');
    run.signal('SIGINT');
    expect(await run.ended).toMatchObject({ code: 130, stdout: '' });
  });
});

describe('wr wait for several', () => {
  it('prints each as it gets there, whatever the order they were given in', async () => {
    const { env } = await service({
      'wr-1': [...Array(20).fill(inStatus('a')), inStatus('b')],
      'wr-2': [inStatus('b', {}, 'wr-2')],
    });
    const run = await mar(wait(['wr-1', 'wr-2'], '--status', 'b', '--jq', '._id'), { env });
    expect(run).toMatchObject({ code: 0, stdout: 'wr-2\nwr-1\n' });
  });

  it('looks at them side by side', async () => {
    const ids = ['wr-1', 'wr-2', 'wr-3'];
    const bodies = ids.map((id) => [`/workrequests/${id}`, inStatus('b', {}, id)]);
    // No request is answered before all three are there.
    const { env } = await recordService(Object.fromEntries(bodies), 3);
    const run = await marOk(wait(ids, '--status', 'b', '--timeout', '200s', '--json'), { env });
    expect(JSON.parse(run.stdout)).toHaveLength(3);
  });

  it('takes more of them than it asks for at a time', async () => {
    const ids = Array.from({ length: 20 }, (_, at) => `wr-${at}`);
    const records = ids.map((id) => [id, [inStatus('a', {}, id), inStatus('b', {}, id)]]);
    const { env } = await service(Object.fromEntries(records));
    const run = await mar(wait(ids, '--status', 'b', '--timeout', '200s', '--jq', '._id'), { env });
    expect(run.code).toBe(0);
    expect(run.stdout.trim().split('\n').sort()).toEqual([...ids].sort());
  });

  it('an id that does not exist does not keep the others back', async () => {
    const { env } = await service({ 'wr-1': [inStatus('a'), inStatus('b')] });
    const run = await mar(wait(['wr-9', 'wr-1'], '--status', 'b', '--jq', '._id'), { env });
    expect(run).toMatchObject({ code: 5, stdout: 'wr-1\n' });
    expect(told(run.stderr)[0]).toContain('wr-9');
  });

  it.each([
    ['--jq ._id', 'wr-1\n'],
    ['--json', `[${inStatus('b')}]\n`],
    ['--columns _id', 'wr-1\n'],
  ])('prints with %s those that reached the status, and fails for the others', async (...row) => {
    const [output, stdout] = row;
    const { env, paths } = await service({
      'wr-1': inStatus('b'),
      'wr-2': inStatus('a', {}, 'wr-2'),
      'wr-3': inStatus('rejected', {}, 'wr-3'),
    });
    const flags = `--status b --fail-status rejected --timeout 1s ${output}`.split(' ');
    // An id may come twice.
    const run = await mar(wait(['-'], ...flags), { env, stdin: 'wr-1\nwr-2\nwr-3\nwr-1\n' });
    expect(run).toMatchObject({ code: 1, stdout });
    expect(run.stderr).toMatch(/wr-3 .* rejected[\s\S]*wr-2 .* a .* 1s/);
    expect(paths.filter((path) => path.endsWith('wr-1'))).toHaveLength(1);
  });
});

it.each([
  ['', '--status'],
  [' --status a,,b', 'separated by commas'],
  [' --status a --fail-status a', 'both'],
  [' --status a --timeout 30', /--timeout .*"30"/],
  [' --status a --interval 0s', /--interval .* 0s/],
  [' --status a --timeout 600h', / 596h/],
])('wr wait wr-1%s is refused before anything is sent', async (flags, message) => {
  expect(await refused(`wr wait wr-1${flags}`.split(' '))).toMatch(message);
});

describe('wr wait for a status that is not known', () => {
  const listing = (status: string) =>
    inStatus(status, { $statuses: ['in-progress', 'in-editing'] }, 'wr-1');

  it.each(['compelte', 'aproved', 'in-edting'])(
    'refuses %s, probably a slip, with the line that makes it known',
    async (status) => {
      const { env } = await service({ 'wr-1': listing('in-review') });
      const waited = wait(['wr-1'], '--status', status, '--timeout', '1s');
      const stderr = await failure(2, mar(waited, { env }));
      expect(stderr).toContain(`mar config set status.${status}=open`);
      const known = JSON.stringify({ status: { [status]: 'open' } });
      const MAR_SERVICE = temporaryFile(known, 'service.json');
      expect((await mar(waited, { env: { ...env, MAR_SERVICE } })).code).toBe(9);
    },
  );

  it('waits all the same: $statuses may be only those that come next', async () => {
    const waitFor = async (status: string) => {
      const { env } = await service({ 'wr-1': [listing('in-review'), listing('Complete')] });
      return mar(wait(['wr-1'], '--status', status, '--timeout', '1s'), { env });
    };
    expect((await waitFor('complete')).code).toBe(0);
    expect((await waitFor('wap')).code).toBe(9);
  });
});

describe('wr wait --notify', () => {
  const notified = (...more: string[]) => wait(['wr-1'], '--status', 'b', '--notify', ...more);

  it('rings the bell at the end', async () => {
    const { env } = await service({ 'wr-1': [inStatus('a'), inStatus('b')] });
    const run = await mar(notified('--quiet'), { env, columns: 80 });
    expect(run).toMatchObject({ code: 0, stderr: '\u0007' });
  });

  it('rings when the time is up as well, and not after Ctrl-C', async () => {
    const { env } = await service({ 'wr-1': [inStatus('a')] });
    const flags = ['--timeout', '1s', '--quiet', '--no-color'];
    const late = await mar(notified(...flags), { env, columns: 80 });
    expect(late.code).toBe(9);
    expect(late.stderr).toContain('\u0007error: wr-1 ');
    const run = startMar(notified('--no-color'), { env, columns: 80 });
    await run.stderr.until('wr-1  a');
    run.signal('SIGINT');
    expect((await run.ended).stderr).not.toContain('\u0007');
  });
});
