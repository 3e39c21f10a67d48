import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mar, type Outcome } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { sandboxHome, startSandbox } from '../../modules/sandbox/commands/sandboxHome.ts';
import { errorOf, order, orderFor, shop } from './shop.ts';

const idOf = ({ stdout, stderr }: Outcome): string => {
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout)._id;
};

/** Also the first request for faults that apply to half of them, which is every second one. */
const other = orderFor('est', 'EST');

describe('the same order', () => {
  it('is refused with the id, the time and the source of the earlier one; --again sends it', async () => {
    const { run, count } = await shop();
    const before = await count();
    const id = idOf(await run([...order, '--json']));
    const refused = await run([...order, '--json']);
    expect(refused.code).toBe(11);
    expect(errorOf(refused)).toMatchObject({
      kind: 'placed-before',
      outcome: 'not-sent',
      id,
      hint: expect.not.stringContaining('--again'),
      earlier: [{ id, by: 'mar wr create', at: expect.stringMatching(/^2\d{3}-/) }],
    });
    expect((await run([...order, '--skip-checks'])).code).toBe(11);
    expect((await run([...order, '--dry-run'])).code).toBe(11);
    expect(await count()).toBe(before + 1);
    expect((await run([...order, '--again'])).code).toBe(0);
    expect(await count()).toBe(before + 2);
  });

  it('is refused for an exact copy, with the copied order', async () => {
    const { run } = await shop();
    const id = idOf(await run([...order, '--json']));
    const copy = await run(['wr', 'create', '--like', id, '--json']);
    expect(errorOf(copy)).toMatchObject({ id, earlier: [{ id, outcome: 'seen' }] });
  });

  it.each([
    ['another due date', orderFor('fin', 'FIN', '+20d')],
    ['other instructions', [...order, '--instructions', 'Two lines']],
    ['a territory in small letters', [...orderFor('fin', 'fin'), '--skip-checks']],
    ['the other code of the country', orderFor('fin', 'FI')],
    ['mar api', ['api', 'POST', '/workrequests', '-f', '-']],
    ['mar api and a slash', ['api', 'POST', '/workrequests/', '-f', '-']],
    ['mar api and two slashes', ['api', 'POST', '/api//workrequests', '-f', '-']],
    ['mar api and an escape', ['api', 'POST', '/work%72equests', '-f', '-']],
    ['mar api, with another notation of the path', ['api', 'POST', '/WorkRequests/', '-f', '-']],
  ])('is recognised with %s', async (_, argv) => {
    const { run } = await shop();
    expect((await run(order)).code).toBe(0);
    const body =
      '{"asset":{"_id":"a-1001"},"language":"fin","territory":"FIN","dng":{"dialogue":["subtitled"]}}';
    expect(await failure(11, run(argv, { stdin: body }))).toContain('--again');
  });

  it('with other wishes brings a warning that names the earlier one', async () => {
    const { run } = await shop();
    const id = idOf(await run([...order, '--json']));
    const { code, stderr } = await run([...order, '--use', 'online', '--json']);
    expect(code).toBe(0);
    const warning = stderr.split('\n').find((line) => line.includes('similar-order'));
    expect(JSON.parse(warning ?? '').warning.message).toContain(id);
  });

  it('for another language or territory is another order', async () => {
    const { run } = await shop();
    await run(order);
    const placed = await run(other);
    expect([placed.code, placed.stderr]).toEqual([0, expect.not.stringContaining('warning')]);
  });

  it('is recognised if a colleague placed it and this machine has seen it', async () => {
    const { run } = await shop();
    const seen = JSON.parse((await run(['wr', 'get', 'wr-2001', '--json'])).stdout);
    const { asset, language, territory, uses, dng, dcp } = seen;
    const body = { asset: { _id: asset._id }, language, territory, uses, dng, dcp };
    const argv = ['wr', 'create', '-f', '-', '--skip-checks', '--json'];
    const refused = await run(argv, { stdin: JSON.stringify(body) });
    expect(errorOf(refused)?.earlier, refused.stderr).toMatchObject([{ id: 'wr-2001' }]);
  });

  it('that the service refused may be sent again', async () => {
    const { run, count } = await shop('/workrequests 422 50%');
    await run(other);
    const before = await count();
    expect((await run(order)).code).toBe(3);
    expect((await run(order)).code).toBe(0);
    expect(await count()).toBe(before + 1);
  });

  it('sent by two processes at once is placed once', async () => {
    const { run, count } = await shop();
    const before = await count();
    const codes = await Promise.all(Array.from({ length: 6 }, async () => (await run(order)).code));
    expect(codes.sort()).toEqual([0, 11, 11, 11, 11, 11]);
    expect(await count()).toBe(before + 1);
  });
});

it('a sandbox that starts over has no orders', async () => {
  const { env } = await sandboxHome();
  const more = { env: { ...env, MAR_LOG: '' } };
  await startSandbox(env, '--login');
  expect((await mar(order, more)).code).toBe(0);
  expect((await mar(order, more)).code).toBe(11);
  expect((await mar(['sandbox', 'reset', '--yes'], more)).code).toBe(0);
  expect((await mar(order, more)).code).toBe(0);
});

describe('the same event', () => {
  const event = ['event', 'put', '--work-request', 'wr-2002', '--notify-user', 'u-greta', '--yes'];

  it('to the same people within a day is refused', async () => {
    const { run, logFile } = await shop();
    expect((await run(event)).code).toBe(0);
    expect(await failure(11, run(event))).toContain('--again');
    expect((await run([...event, '--notify-user', 'u-haruka'])).code).toBe(0);
    expect((await run([...event, '--again'])).code).toBe(0);
    expect(readFileSync(logFile(), 'utf8')).toContain('{"place":"event wam wr-2002",');
  });
});

describe('an unknown outcome', () => {
  it('refuses the same order; --again sends it, and without a terminal only with --yes', async () => {
    const { run, count } = await shop('/workrequests reset 50%');
    await run(other);
    const before = await count();
    const unknown = await run([...order, '--json']);
    expect(unknown.code).toBe(7);
    const hint = expect.stringMatching(/asset a-1001(?!.*--again)/s);
    expect(errorOf(unknown)).toMatchObject({ outcome: 'unknown', hint });
    const refused = await run([...order, '--json']);
    const error = { kind: 'placed-before', earlier: [{ outcome: 'unknown' }] };
    expect(errorOf(refused)).toMatchObject(error);
    expect(errorOf(refused)).not.toHaveProperty('id');
    expect(errorOf(await run([...order, '--again', '--json']))).toMatchObject({
      ...error,
      hint: expect.stringContaining('--yes'),
    });
    expect(await count()).toBe(before + 1);
    expect((await run([...order, '--again', '--yes'])).code).toBe(0);
    const { stdout, stderr } = await run(['log'], { columns: 200 });
    expect(stdout).toMatch(/ sent again /);
    expect(stderr).toMatch(/No\. \d+: If this one arrived too, there are two/);
  });
});
