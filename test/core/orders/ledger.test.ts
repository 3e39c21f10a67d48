import { readFileSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Ledger, others, type PlacedOrder } from '../../../src/core/config/ledger.ts';
import { temporaryFolder } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { batchWords } from '../../words/batch.ts';
import { damages } from './damages.ts';
import { order, orderFor, shop } from './shop.ts';

const service = 'https://media.example/api';
const day = 24 * 3600 * 1000;

const runAt = (at: Date, more: object = {}) => ({
  at: at.toISOString(),
  service,
  account: 'ines@northlight.example',
  by: 'mar wr create',
  ...more,
});
const orderOf = (place: string, row?: number) => ({ place, wants: '', body: 'x', row });

/** A ledger whose clock stands still, unless a test sets it. */
function ledgerAt(file = path.join(temporaryFolder(), 'folder', 'ledger.jsonl')) {
  const clock = { now: new Date('2026-11-17T12:00:00Z') };
  const ledger = new Ledger(file, () => clock.now);
  const place = (...places: string[]) =>
    ledger.place(
      runAt(clock.now),
      places.map((one) => orderOf(one)),
      () => {},
    );
  const find = (...places: string[]) => ledger.find(service, new Set(places));
  return { ledger, clock, file, place, find };
}

const short = ({ place, outcome, id }: PlacedOrder) => [place, outcome, id];

describe('the ledger', () => {
  it('has what was ordered, without the body, in a private file', async () => {
    const { run, ledgerFile } = await shop();
    await run([...order, '--instructions', 'For s3cret eyes']);
    const text = readFileSync(ledgerFile(), 'utf8');
    expect(text).toMatch(/"place":"a-1001 fin FIN","wants":"dialogue: subtitled"/);
    expect(text).toMatch(/"as":"created","id":"\w+"/);
    expect(text).not.toContain('s3cret');
    expect(statSync(ledgerFile()).mode & 0o777).toBe(0o600);
  });

  it.each(damages)('that is %s refuses the order; --again sends it without', async (_, damage) => {
    const { run, ledgerFile, count } = await shop();
    await run(order);
    damage(ledgerFile());
    const before = await count();
    const other = orderFor('est', 'EST');
    const refused = await failure(2, run(other));
    for (const fact of [ledgerFile(), '--again']) expect(refused).toContain(fact);
    expect(await count()).toBe(before);
    expect((await run([...other, '--again'])).code).toBe(0);
    expect(await count()).toBe(before + 1);
  });

  it('counts an addition that a power cut left incomplete for nothing', async () => {
    const { place, find, file } = ledgerAt();
    await place('a');
    await place('b');
    truncateSync(file, statSync(file).size - 5);
    expect(find('a', 'b').map(short)).toEqual([['a', 'unknown', undefined]]);
    await place('c');
    expect(find('a', 'b', 'c').map(({ place }) => place)).toEqual(['a', 'c']);
  });

  it('keeps the outcome of each order, and that the others of a run were not sent', async () => {
    const { ledger, clock, find } = ledgerAt();
    const rows = [...'abcd'].map((one, index) => orderOf(one, index + 1));
    const run = await ledger.place(runAt(clock.now, { file: 'rows.csv' }), rows, () => {});
    await ledger.settle([
      { order: `${run}/1`, as: 'created', id: 'wr-1' },
      { order: `${run}/2`, as: 'refused' },
      { order: `${run}/3`, as: 'unknown' },
      { order: `${run}${others}`, as: 'unsent' },
    ]);
    expect(find('a', 'b', 'c', 'd').map(short)).toEqual([
      ['a', 'created', 'wr-1'],
      ['c', 'unknown', undefined],
    ]);
    expect(find('a')).toMatchObject([{ row: 1, file: 'rows.csv' }]);
    expect(ledger.find('https://other.example/api', new Set(['a']))).toEqual([]);
  });

  it('is kept for a year, and loses no line of another process', async () => {
    const { ledger, clock, place, find, file } = ledgerAt();
    const old = await place('old');
    await ledger.settle([{ order: old, as: 'created', id: 'wr-1' }]);
    clock.now = new Date(clock.now.getTime() + 300 * day);
    const kept = await place('kept');
    const another = ledgerAt(file);
    await another.ledger.settle([{ order: kept, as: 'created', id: 'wr-2' }]);
    expect(find('old')).toHaveLength(1);
    clock.now = new Date(clock.now.getTime() + 150 * day);
    await place('new');
    expect(find('old', 'kept', 'new').map(short)).toEqual([
      ['kept', 'created', 'wr-2'],
      ['new', 'unknown', undefined],
    ]);
    another.clock.now = clock.now;
    await another.ledger.settle([{ order: old, as: 'created', id: 'wr-3' }]);
    expect(find('kept', 'new')).toHaveLength(2);
  });

  it('takes orders of many processes at once', async () => {
    const { file } = ledgerAt();
    const places = Array.from({ length: 20 }, (_, index) => `a-${index}`);
    await Promise.all(places.map((one) => ledgerAt(file).place(one)));
    expect(ledgerAt(file).find(...places)).toHaveLength(20);
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

  it('a named ledger that cannot be written refuses the order; a machine without a place is warned', async () => {
    const { run, ci } = await environment();
    const named = run(order, { env: { ...ci, MAR_LOG: '/dev/null/orders' } });
    expect(await failure(2, named)).toContain('/dev/null/orders');
    const { run: runStored } = await shop();
    const nowhere = await runStored(order, { env: { MAR_STATE_DIR: '/dev/null/state' } });
    expect(nowhere.code).toBe(0);
    expect(nowhere.stderr).toContain(batchWords.notRecorded);
  });
});
