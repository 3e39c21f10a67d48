import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failure } from '../../harness/marWith.ts';
import { requestWords } from '../../words/requests.ts';
import { order, orderFor, shop } from '../orders/shop.ts';

const put = (...sets: string[]) => [
  ...['asset', 'put', 'a-1001', '--yes', '--json'],
  ...sets.flatMap((one) => ['--set', one]),
];

/** A shop, and what its log and its asset say. */
async function desk(...faults: string[]) {
  const made = await shop(...faults);
  const { run } = made;
  const log = async (...more: string[]) =>
    JSON.parse((await run(['log', '--json', ...more])).stdout);
  const asset = async () => JSON.parse((await run(['asset', 'get', 'a-1001', '--json'])).stdout);
  return { ...made, log, asset };
}

describe('mar log', () => {
  it('has every write, newest first, with what is final and what can be taken back', async () => {
    const { run, log } = await desk();
    const { _id } = JSON.parse((await run([...order, '--json'])).stdout);
    await run(put('type=promo-2'));
    await run(['api', 'PUT', '/previews', '--set', '_id=p-7', '--set', 'asset=a-1001', '--yes']);
    const [preview, change, placed] = await log();
    expect(placed).toMatchObject({
      ...{ kind: 'wr', asset: 'a-1001', language: 'fin', territory: 'FIN', id: _id },
      ...{ state: 'done', undo: 'final', final: true, command: 'mar wr create' },
      due: expect.stringMatching(/^2\d{3}-/),
      page: expect.stringContaining(_id),
    });
    const { number } = change;
    expect(change).toMatchObject({
      id: 'a-1001',
      ...{ undo: 'yes', final: false },
      takenBackWith: `mar undo ${number}`,
    });
    expect(preview).toMatchObject({ command: 'mar api', kind: 'preview', id: 'p-7', final: true });
    expect(await log('--unknown')).toEqual([]);
    expect(await log('--since', 'today')).toHaveLength(3);
  });

  it('has the page of each order, also after an event about another one', async () => {
    const { run, log } = await desk();
    const { _id } = JSON.parse((await run([...order, '--json'])).stdout);
    await run(['event', 'put', '--work-request', 'wr-2002', '--notify-user', 'u-greta', '--json']);
    const placed = (await log()).at(-1);
    expect(placed.page).toMatch(new RegExp(`/${_id}$`));
  });

  it('says whom an event notifies, and about which work request', async () => {
    const { run, log } = await desk();
    const notify = ['event', 'put', '--work-request', 'wr-2002', '--notify-user', 'Greta Vogel'];
    expect((await run([...notify, '--dry-run'])).stderr).not.toContain(requestWords.eventSent);
    expect((await run(notify)).stderr).toContain(requestWords.eventSent);
    expect(await log()).toMatchObject([
      { what: 'event wr-2002, to notify Greta Vogel', notified: 'Greta Vogel' },
    ]);
  });

  it('has unknown outcomes first', async () => {
    const { run, log } = await desk('/workrequests reset 50%');
    await run(order);
    await run(orderFor('est', 'EST'));
    await run(put('type=promo-2'));
    const states = (await log()).map(({ state }: { state: string }) => state);
    expect(states).toEqual(['unknown', 'done', 'done']);
    expect(await log('--unknown')).toHaveLength(1);
  });

  it.each([
    ['translation submit --work-request wr-2001', '/translations', 'mar wr get wr-2001'],
    [
      'api PUT /previews --set _id=p-7 --set asset=a-1001 --yes',
      '/previews',
      'mar asset get a-1001',
    ],
    ['file upload-meta --set name=a.mov', '/files', 'mar file list'],
  ])('says how to check %s, which may be sent again as it was', async (line, path, check) => {
    const { run, log } = await desk(`${path} reset`);
    expect((await run(line.split(' '))).code).toBe(7);
    const [{ next }] = await log('--unknown');
    expect(next).toContain(check);
    expect(next).toContain('same command again');
    expect(next).not.toContain('--again');
  });

  it('says that a change may be sent again if the record has its old values', async () => {
    const { run, log } = await desk('/assets reset');
    expect((await run(put('type=promo-2'))).code).toBe(7);
    const [{ next }] = await log('--unknown');
    expect(next).toContain('run: mar asset get a-1001; If it has the old values');
  });

  it('says that an event of unknown outcome needs --again', async () => {
    const { run } = await desk('/events reset');
    const event = ['event', 'put', '--work-request', 'wr-2002', '--notify-user', 'u-greta'];
    expect((await run(event)).code).toBe(7);
    expect((await run(['log', '--columns', 'next'])).stdout).toContain('--again');
  });

  it('keeps old and new values of changed fields, and no secrets', async () => {
    const { run, logFile } = await desk();
    await run(put('type=promo-2'));
    await run(['user', 'put', 'u-greta', '--set', 'password=hunter2', '--yes']);
    const text = readFileSync(logFile(), 'utf8');
    expect(text).toMatch(/"change":\{"before":\{"type":"[^"]*"\},"after":\{"type":"promo-2"\}\}/);
    expect(text).not.toContain('hunter2');
  });
});

describe('mar undo', () => {
  it('takes the last change back, or a numbered one, and the log says so', async () => {
    const { run, log, asset } = await desk();
    const { type, name } = await asset();
    await run(put('type=promo-2'));
    await run(put('name=Mine'));
    const [second, first] = await log();
    const undone = await run(['undo', '--yes']);
    expect(undone.code).toBe(0);
    // It knows only the fields that it wrote, and they are not those of others.
    expect(undone.stderr).not.toContain('Keeping');
    expect(await asset()).toMatchObject({ name, type: 'promo-2' });
    expect((await run(['undo', String(first.number), '--yes'])).code).toBe(0);
    expect(await asset()).toMatchObject({ name, type });
    const states = (await log()).map(({ number, state }: Record<string, unknown>) => [
      number,
      state,
    ]);
    expect(states.slice(2)).toEqual([
      [second.number, 'taken back'],
      [first.number, 'taken back'],
    ]);
    expect(await failure(2, run(['undo', '--yes']))).toContain('nothing can be taken back');
  });

  it('keeps what others changed since, and stops where they changed the same field', async () => {
    const { run, log, asset } = await desk();
    await run(put('type=promo-2'));
    const [{ number }] = await log();
    const others = { env: { MAR_LOG: 'off' } };
    await run(put('name=Theirs'), others);
    await run(put('type=theirs'), others);
    expect((await run(['undo', String(number), '--yes'])).code).toBe(6);
    expect(await asset()).toMatchObject({ name: 'Theirs', type: 'theirs' });
    await run(put('type=promo-2'), others);
    expect((await run(['undo', String(number), '--yes'])).code).toBe(0);
    expect(await asset()).toMatchObject({ name: 'Theirs' });
  });

  it('shows the change and writes nothing with --dry-run, and needs --yes without a terminal', async () => {
    const { run, asset } = await desk();
    await run(put('type=promo-2'));
    const { stdout } = await run(['undo', '--dry-run', '--json']);
    const { changes, request } = JSON.parse(stdout);
    expect(changes).toMatchObject([{ path: 'type', before: 'promo-2' }]);
    expect(request).toMatchObject({ method: 'PUT' });
    const shown = await run(['undo', '--dry-run']);
    expect(shown).toMatchObject({ code: 0, stdout: '' });
    expect(shown.stderr).toMatch(/^ {2}type\n {4}- "promo-2"\n/m);
    expect(await failure(2, run(['undo']))).toContain('--yes');
    expect(await asset()).toMatchObject({ type: 'promo-2' });
  });

  it('does not call a refused write the last one', async () => {
    const { run } = await desk();
    await run(put('type=promo-2'));
    expect((await run(['api', 'DELETE', '/files/none', '--yes'])).code).toBe(5);
    const { code, stderr } = await run(['undo', '--yes']);
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('final');
  });

  it('says of a write of unknown outcome how to find out, and does not call it final', async () => {
    const { run, log } = await desk('/workrequests reset');
    await run(put('type=promo-2'));
    await run(order);
    const [{ number, undo }] = await log();
    expect(undo).toBe('unknown');
    const stderr = await failure(2, run(['undo', String(number), '--yes']));
    expect(stderr).toContain('unknown');
    expect(stderr).toContain('Look for it');
    expect(stderr).not.toContain('is final');
    const older = await failure(2, run(['undo', '--yes']));
    expect(older).toContain('a-1001, fin FIN');
    const [, named = ''] = /run: (mar undo \d+)$/m.exec(older) ?? [];
    expect((await run([...named.split(' ').slice(1), '--yes'])).code, older).toBe(0);
    const undos = (await log()).map((one: { undo: string }) => one.undo);
    expect(undos).toEqual(['unknown', 'yes', 'taken back']);
  });

  it('has no word for a write that the service refused', async () => {
    const { run, log } = await desk();
    expect((await run(['api', 'DELETE', '/files/none', '--yes'])).code).toBe(5);
    expect(await log()).toMatchObject([{ state: 'refused', undo: '-', final: false }]);
  });

  it('of an order says that it is final, and prints its page', async () => {
    const { run, log } = await desk();
    await run(order);
    const [{ number, id, page }] = await log();
    for (const named of [[], [String(number)]]) {
      const stderr = await failure(2, run(['undo', ...named, '--yes']));
      for (const fact of [id, page]) expect(stderr).toContain(fact);
    }
    expect(await failure(2, run(['undo', '4711', '--yes']))).toContain('4711');
  });
});
