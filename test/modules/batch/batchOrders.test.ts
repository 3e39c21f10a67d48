import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { order, shop } from '../../core/orders/shop.ts';
import { temporaryFolder } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { writeService } from '../../harness/writeService.ts';
import { batchWords } from '../../words/batch.ts';
import { order as asOrder, batchOf } from './harness.ts';

const languages = ['fin', 'est', 'lav', 'lit', 'swe'];
const territories = ['FIN', 'EST', 'LVA', 'LTU', 'SWE'];
const csv = (note = 'Two lines') =>
  [
    'asset,language,territory,dng.dialogue,instructions',
    ...languages.map((code, index) => `a-1001,${code},${territories[index]},subtitled,${note}`),
    '',
  ].join('\n');
const asJson = languages.map((language, index) => {
  const dng = { dialogue: ['subtitled'] };
  return JSON.stringify({ asset: 'a-1001', language, territory: territories[index], dng });
});

const batch = (file: string, ...more: string[]) => ['wr', 'create', '--batch', file, ...more];

describe('rows that were ordered before', () => {
  it.each([
    ['a copy', csv()],
    ['a copy with other notes', csv('One line')],
    ['an export to JSON', `${asJson.join('\n')}\n`],
  ])('are recognised in %s', async (_, content) => {
    const { run, file, count } = await shop();
    expect((await run(batch(file('rows.csv', csv())))).code).toBe(0);
    const before = await count();
    const copy = file('copy', content);
    const refused = await failure(11, run(batch(copy)));
    expect(refused).toMatch(/rows 1-5: .* 20.*mar wr create --batch \S+rows\.csv/);
    expect(refused.split(`${batchWords.orderedBefore}: `)).toHaveLength(2);
    const checked = await run(batch(copy, '--check', '--json'));
    expect([checked.code, JSON.parse(checked.stdout)]).toMatchObject([8, { valid: 0, invalid: 5 }]);
    expect(checked.stderr).toMatch(/"earlier":\{"id":"\w+"/);
    expect(await count()).toBe(before);
    expect((await run(batch(copy, '--again'))).code).toBe(0);
    expect(await count()).toBe(before + 5);
  });

  it('are warned of inside one file, where only their details differ', async () => {
    const { run, file } = await shop();
    const twice = `${csv()}${csv('One line').split('\n').slice(1).join('\n')}`;
    const { code, stderr } = await run(batch(file('rows.csv', twice), '--check'));
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/rows 1, 6 .*a-1001.* 4 other/);
    expect((await run(batch(file('rows.csv', csv()), '--check'))).stderr).toBe('');
  });

  it('are left out with --skip-invalid, and the others are sent', async () => {
    const { run, file, count } = await shop();
    await run(order);
    const before = await count();
    const sent = await run(batch(file('rows.csv', csv()), '--skip-invalid'));
    expect(sent.code).toBe(8);
    expect(sent.stderr).toContain('Row 1 (line 2) skipped');
    expect(await count()).toBe(before + 4);
  });

  it('are recognised by a single order, and where the journal of the batch was deleted', async () => {
    const { run, file, count } = await shop();
    const rows = file('rows.csv', csv());
    await run(batch(rows));
    expect(await failure(11, run(order))).toContain('rows.csv, row 1');
    const before = await count();
    expect((await run(batch(rows))).stderr).not.toContain(batchWords.orderedBefore);
    rmSync(`${rows}.mar-journal`);
    expect((await run(batch(rows))).stderr).toContain(`rows 1-5: ${batchWords.orderedBefore}`);
    expect(await count()).toBe(before);
    expect((await run(batch(rows, '--again=all', '--yes'))).code).toBe(0);
    expect(await count()).toBe(before + 5);
  });

  it.each([
    ['1=created:wr-7', { code: 11 }, 'wr-7'],
    ['1=retry', { code: 0 }, ''],
  ])('and decided by resolve %s are known to a copy', async (decision, outcome, fact) => {
    const service = await writeService((_, number) => (number === 1 ? 'reset' : {}));
    const env = { ...service.env, MAR_LOG: path.join(temporaryFolder(), 'log.jsonl') };
    const [first, copy] = [batchOf({ env }, asOrder('1')), batchOf({ env }, asOrder('1'))];
    await first.fails(8);
    expect(await copy.fails(11)).toContain(batchWords.mayBeOrdered);
    expect((await first.verb('resolve', [decision])).code).toBe(0);
    const repeated = await copy.run();
    expect(repeated, repeated.stderr).toMatchObject(outcome);
    expect(repeated.stderr).toContain(fact);
    expect(repeated.stderr).not.toContain(batchWords.mayBeOrdered);
  });

  it('of a batch that stopped are sent when it goes on, and known rows are not', async () => {
    const { run, file, count } = await shop('/workrequests 422 50%');
    const before = await count();
    const rows = file('rows.csv', csv());
    expect((await run(batch(rows, '--stop-on-error', '--concurrency', '1'))).code).toBe(8);
    expect(await count()).toBe(before + 1);
    const refused = await failure(11, run(batch(file('copy.csv', csv()))));
    expect(refused).toContain(`row 1 (line 2): ${batchWords.orderedBefore}`);
    expect(refused).not.toMatch(/row [2-5]/);
  });

  it('with an unknown outcome count too', async () => {
    const { run, file, logFile } = await shop('/workrequests reset');
    const rows = file('rows.csv', csv());
    expect((await run(batch(rows, '--concurrency', '1'))).code).toBe(8);
    expect(readFileSync(logFile(), 'utf8')).toContain('[5,"unknown"]');
    const copy = await run(batch(file('copy.csv', csv()), '--json'));
    expect(copy.stderr).toMatch(/"earlier":\{[^}]*"outcome":"unknown"/);
    const again = await failure(2, run(batch(file('copy.csv', csv()), '--again')));
    expect(again).toMatch(/5 rows[\s\S]*--yes/);
    const sent = await run(batch(file('copy.csv', csv()), '--again', '--yes', '--json'));
    expect(JSON.parse(sent.stdout).unknown).toBe(5);
  });

  it('by two processes at once are placed once', async () => {
    const { run, file, count } = await shop();
    const before = await count();
    const files = ['a.csv', 'b.csv', 'c.csv'].map((name) => file(name, csv()));
    const codes = await Promise.all(files.map(async (one) => (await run(batch(one))).code));
    expect(codes.sort()).toEqual([0, 11, 11]);
    expect(await count()).toBe(before + 5);
  });
});

it('the shards of a file are parts of one batch', async () => {
  const { run, file, count } = await shop();
  const before = await count();
  const line = 'a-1001,fin,FIN,subtitled,';
  const rows = Array.from({ length: 8 }, (_, row) => `${line}${row}\n`).join('');
  const source = file('rows.csv', `asset,language,territory,dng.dialogue,instructions\n${rows}`);
  for (const shard of ['1/2', '2/2']) {
    const sent = await run(batch(source, '--shard', shard));
    expect(sent.code, sent.stderr).toBe(0);
  }
  expect(await count()).toBe(before + 8);
});

it('of a journal that was restored from a backup are not placed again', async () => {
  const { run, file, requests } = await shop('/workrequests 422 50%');
  const before = (await requests()).length;
  const rows = file('rows.csv', csv());
  const journal = `${rows}.mar-journal`;
  const send = (...more: string[]) => run(batch(rows, '--concurrency', '1', ...more));
  expect((await send('--stop-on-error')).code).toBe(8);
  const backup = readFileSync(journal);
  await send();
  await send('--again=failed');
  const placed = (await requests()).length;
  expect(placed).toBeGreaterThan(before + 1);
  writeFileSync(journal, backup);
  expect((await send()).code).toBe(11);
  expect((await send('--skip-invalid')).code).toBe(8);
  expect((await requests()).length).toBeLessThanOrEqual(before + 5);
});

it('rows that were edited are the same orders in whichever shard they are now', async () => {
  const { run, file, count } = await shop();
  const before = await count();
  const rows = file('rows.csv', csv());
  const shards = ['1/2', '2/2'];
  for (const shard of shards) expect((await run(batch(rows, '--shard', shard))).code).toBe(0);
  expect(await count()).toBe(before + 5);
  file('rows.csv', csv('One line'));
  for (const shard of shards) expect((await run(batch(rows, '--shard', shard))).code).not.toBe(0);
  expect(await count()).toBe(before + 5);
});

it('an edited row is an order that was placed before, with --yes too', async () => {
  const { run, file, count } = await shop();
  const before = await count();
  const rows = file('rows.csv', csv());
  await run(batch(rows));
  const [head, first, ...others] = csv().split('\n');
  file('rows.csv', [head, first?.replace('Two', 'Three'), ...others].join('\n'));
  expect((await run(batch(rows, '--yes'))).code).toBe(11);
  expect(await count()).toBe(before + 5);
  expect((await run(batch(rows, '--again', '--yes'))).code).toBe(0);
  expect(await count()).toBe(before + 6);
});
