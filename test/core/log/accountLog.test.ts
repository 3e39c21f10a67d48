import { readFileSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AccountLog, type PlacedOrder } from '../../../src/core/log/accountLog.ts';
import { temporaryFolder } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { batchWords } from '../../words/batch.ts';
import { order, orderFor, shop } from '../orders/shop.ts';
import { damages } from './damages.ts';

const service = 'https://media.example/api';

const runAt = (at: Date, more: object = {}) => ({
  at: at.toISOString(),
  service,
  account: 'ines@northlight.example',
  by: 'mar wr create',
  endpoint: 'workRequestCreate',
  what: { kind: 'wr' },
  ...more,
});
const orderOf = (place: string, row?: number) => ({ place, wants: '', ...(row && { row }) });

/** A log whose clock stands still, unless a test sets it. */
function logAt(file = path.join(temporaryFolder(), 'folder', 'log.jsonl')) {
  const clock = { now: new Date('2026-11-17T12:00:00Z') };
  const log = new AccountLog(file, () => clock.now);
  const place = (one: string) => log.intend(runAt(clock.now), [orderOf(one)]);
  const find = (...places: string[]) => log.find(service, new Set(places));
  return { log, clock, file, place, find };
}

const short = ({ place, outcome, id }: PlacedOrder) => [place, outcome, id];

describe('the log of an account', () => {
  it('has what was ordered, without the body, in a private file', async () => {
    const { run, logFile } = await shop();
    await run([...order, '--instructions', 'For s3cret eyes']);
    const text = readFileSync(logFile(), 'utf8');
    expect(text).toContain('{"place":"a-1001 fin FIN","wants":"dialogue: subtitled"');
    expect(text).toMatch(/"as":"done","id":"\w+"/);
    expect(text).not.toContain('s3cret');
    expect(statSync(logFile()).mode & 0o777).toBe(0o600);
  });

  it.each(damages)('that is %s refuses the order, with --again too', async (_, damage) => {
    const { run, logFile, count } = await shop();
    await run(order);
    damage(logFile());
    const before = await count();
    const other = orderFor('est', 'EST');
    const refused = await failure(2, run(other));
    for (const fact of [logFile(), 'MAR_LOG=off']) expect(refused).toContain(fact);
    expect((await run([...other, '--again'])).code).toBe(2);
    expect(await count()).toBe(before);
    expect((await run(other, { env: { MAR_LOG: 'off' } })).code).toBe(0);
    expect(await count()).toBe(before + 1);
  });

  it('counts an addition that a power cut left incomplete for nothing', async () => {
    const { place, find, file } = logAt();
    await place('a');
    await place('b');
    truncateSync(file, statSync(file).size - 5);
    expect(find('a', 'b').map(short)).toEqual([['a', 'unknown', undefined]]);
    await place('c');
    expect(find('a', 'b', 'c').map(({ place }) => place)).toEqual(['a', 'c']);
  });

  it('keeps the outcome of each order, and that the others of a run were not sent', async () => {
    const { log, clock, find } = logAt();
    const rows = [...'abcd'].map((one, index) => orderOf(one, index + 1));
    const write = await log.intend(runAt(clock.now, { file: 'rows.csv' }), rows);
    await log.settle([
      { write, rows: [[1, 'done', 'wr-1']] },
      {
        write,
        as: 'ended',
        rows: [
          [2, 'refused'],
          [3, 'unknown'],
        ],
      },
    ]);
    expect(find('a', 'b', 'c', 'd').map(short)).toEqual([
      ['a', 'done', 'wr-1'],
      ['c', 'unknown', undefined],
    ]);
    expect(find('a')).toMatchObject([{ row: 1, file: 'rows.csv' }]);
    expect(log.find('https://other.example/api', new Set(['a']))).toEqual([]);
  });

  it('has the orders of a long batch, which count only with their whole line', async () => {
    const { log, clock, find, file } = logAt();
    const rows = Array.from({ length: 50_000 }, (_, row) => orderOf(`a-${row}`, row + 1));
    await log.intend(runAt(clock.now), rows);
    expect(find('a-0', 'a-49999').map(({ row }) => row)).toEqual([1, 50_000]);
    truncateSync(file, statSync(file).size - 20);
    expect(find('a-0', 'a-49999')).toEqual([]);
  });

  it('loses no line of another process, and numbers its writes', async () => {
    const { log, place, find, file } = logAt();
    const old = await place('old');
    await logAt(file).log.settle([{ write: old, as: 'done', id: 'wr-1' }]);
    await place('new');
    expect(find('old', 'new').map(short)).toEqual([
      ['old', 'done', 'wr-1'],
      ['new', 'unknown', undefined],
    ]);
    const numbers = log.writes(service, 'ines@northlight.example').map(({ number }) => number);
    expect(numbers).toEqual([2, 4]);
  });

  it('takes orders of many processes at once', async () => {
    const { file } = logAt();
    const places = Array.from({ length: 20 }, (_, index) => `a-${index}`);
    await Promise.all(places.map((one) => logAt(file).place(one)));
    expect(logAt(file).find(...places)).toHaveLength(20);
  });
});

describe('without a profile', () => {
  const environment = async () => {
    const { sandbox, env, run } = await shop();
    const token = readFileSync(path.join(env.MAR_CONFIG_DIR, 'token'), 'utf8');
    const account = { MAR_BASE_URL: sandbox.baseUrl, MAR_EMAIL: 'ines@northlight.example' };
    return { run, ci: { ...account, MAR_TOKEN: token } };
  };

  it('MAR_LOG or --log names the file; otherwise, one warning says what is missing', async () => {
    const { run, ci } = await environment();
    const file = path.join(temporaryFolder(), 'orders.jsonl');
    const warned = await run(order, { env: ci });
    expect(warned.code).toBe(0);
    expect(warned.stderr.split(batchWords.notRecorded)).toHaveLength(2);
    for (const MAR_LOG of [file, 'off']) {
      const { code, stderr } = await run(order, { env: { ...ci, MAR_LOG } });
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('warning')]);
    }
    expect((await run([...order, '--log', file], { env: ci })).code).toBe(11);
  });

  it('a log that cannot be written refuses the write, named or not', async () => {
    const { run, ci } = await environment();
    const named = run(order, { env: { ...ci, MAR_LOG: '/dev/null/orders' } });
    expect(await failure(2, named)).toContain('/dev/null/orders');
    const { run: runStored, count } = await shop();
    const before = await count();
    const nowhere = { env: { MAR_STATE_DIR: '/dev/null/state' } };
    expect(await failure(2, runStored(order, nowhere))).toContain('/dev/null/state');
    expect(await count()).toBe(before);
  });
});
