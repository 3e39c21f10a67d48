import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { no, order, orderFor, shop, typing } from '../../core/orders/shop.ts';
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

it('--check refuses the journal of another service, as a run does', async () => {
  const [staging, production] = await Promise.all([shop(), shop()]);
  const rows = staging.file('rows.csv', csv());
  expect((await staging.run(batch(rows))).code).toBe(0);
  for (const more of ['--check', '--dry-run']) {
    const stderr = await failure(2, production.run(batch(rows, more)));
    expect(stderr).toContain(`service: was ${staging.sandbox.baseUrl}`);
  }
});

describe('rows that were ordered before', () => {
  it('are the same after an order with the other code of a country', async () => {
    const { run, file } = await shop();
    const sheet = 'asset,language,territory,use\na-1001,Finnish,Finland,online\n';
    expect((await run(batch(file('rows.csv', sheet)))).code).toBe(0);
    expect((await run([...orderFor('deu', 'DE'), '--again'])).code).toBe(0);
    const { stdout } = await run(batch(file('copy.csv', sheet)));
    expect(stdout).toBe(batchWords.allOrderedBefore('1 row'));
  });

  it('are the same in a copy, which has nothing to do', async () => {
    const { run, file, count } = await shop();
    expect((await run(batch(file('rows.csv', csv())))).code).toBe(0);
    const before = await count();
    const copy = file('copy.csv', csv());
    const checked = await run(batch(copy, '--check', '--json'));
    expect([checked.code, JSON.parse(checked.stdout)]).toMatchObject([
      0,
      { valid: 5, unchanged: 5, changed: 0, gone: 0 },
    ]);
    const same = await run(batch(copy));
    expect(same).toMatchObject({ code: 0, stdout: batchWords.allOrderedBefore('5 rows') });
    expect(same.stderr).toMatch(/rows 1-5: not sent: .*ordered before /);
    expect((await run(batch(copy))).stdout).toBe(batchWords.allOrderedBefore('5 rows'));
    expect(await count()).toBe(before);
    const looked = await run(batch(file('third.csv', csv()), '--check', '--again', '--json'));
    expect(JSON.parse(looked.stdout).orders[0]).toMatchObject({
      state: 'again',
      id: expect.any(String),
    });
    const asked = await run(batch(copy, '--again'), typing(no));
    expect(asked.stderr).toContain('5 rows were ordered before');
    expect((await run(batch(copy, '--again'))).code).toBe(0);
    expect(await count()).toBe(before + 5);
  });

  it.each([
    ['other notes', csv('One line')],
    ['other notes, in JSON', `${asJson.join('\n')}\n`],
  ])('are changed in a copy with %s', async (_, content) => {
    const { run, file, count } = await shop();
    await run(batch(file('rows.csv', csv())));
    const before = await count();
    const copy = file('copy', content);
    const held = await run(batch(copy, '--yes'));
    expect(held).toMatchObject({ code: 0, stdout: '5 rows: 0 done, 5 changed\n' });
    expect(await count()).toBe(before);
    expect((await run(batch(copy, '--again=changed'))).code).toBe(0);
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

  it('are not sent again if they are added in other words, and added with other details with a warning', async () => {
    const { run, file, count } = await shop();
    const rows = file('rows.csv', csv());
    await run(batch(rows));
    const before = await count();
    writeFileSync(rows, `${csv()}a-1001,Finnish,Finland,subtitled,Two lines\n`);
    const equal = await run(batch(rows));
    expect(equal.stderr).toMatch(/row 6: not sent: .*ordered before/);
    expect(await count()).toBe(before);
    writeFileSync(rows, `${csv()}a-1001,fin,FIN,subtitled,One line\n`);
    const other = await run(batch(rows));
    expect(other.stderr).toMatch(/rows 1, 6 order the same .*a-1001/);
    expect(await count()).toBe(before + 1);
  });

  it('by a single order are left out, and the others are sent', async () => {
    const { run, file, count } = await shop();
    await run(order);
    const before = await count();
    const sent = await run(batch(file('rows.csv', csv())));
    expect(sent).toMatchObject({ code: 0, stdout: '5 rows: 4 done, 1 unchanged\n' });
    expect(await count()).toBe(before + 4);
  });

  it.each([
    ['an order', order, batch, csv(), true],
    [
      'an event',
      ['event', 'put', '--type', 'fd', '--file-id', 'f-1001-master'],
      (file: string) => ['event', 'put', '--batch', file],
      'type,files\nfd,f-1001-master\n',
      false,
    ],
  ])('by %s alone name the fields that were compared only for orders', async (...given) => {
    const [, single, inBatch, rows, isOrder] = given;
    const { run, file } = await shop();
    expect((await run(single)).code).toBe(0);
    const { stderr } = await run(inBatch(file('rows.csv', rows)));
    expect(stderr).toMatch(/row 1: not sent: .*ordered before/);
    expect(stderr.includes('were compared')).toBe(isOrder);
  });

  it('are recognised by a single order, and where the journal of the batch was deleted', async () => {
    const { run, file, count } = await shop();
    const rows = file('rows.csv', csv());
    await run(batch(rows));
    expect(await failure(11, run(order))).toContain('rows.csv, row 1');
    const before = await count();
    expect((await run(batch(rows))).stderr).not.toContain(batchWords.orderedBefore);
    rmSync(`${rows}.mar-journal`);
    expect((await run(batch(rows))).stdout).toBe(batchWords.allOrderedBefore('5 rows'));
    expect(await count()).toBe(before);
    expect((await run(batch(rows, '--again=all', '--yes'))).code).toBe(0);
    expect(await count()).toBe(before + 5);
  });

  it.each([
    ['1=created:wr-7', { code: 0, stdout: batchWords.allOrderedBefore('1 row') }, 'wr-7'],
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
    const { stdout } = await run(batch(file('copy.csv', csv()), '--check'));
    expect(stdout).toBe('5 rows: 5 valid, 1 unchanged\n');
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
    for (const code of codes) expect([0, 11]).toContain(code);
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
  expect((await send()).stdout).toMatch(/unchanged/);
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
  for (const shard of shards) {
    expect((await run(batch(rows, '--shard', shard))).stdout).toMatch(/^\d rows?: 0 done/);
  }
  expect(await count()).toBe(before + 5);
});

it('the check of a sheet that was sent has the state of each row', async () => {
  const { run, file } = await shop('/workrequests 422 50%');
  const rows = file('rows.csv', csv());
  await run(batch(rows, '--concurrency', '1'));
  const { stdout } = await run(batch(rows, '--check', '--json'));
  const states = JSON.parse(stdout).orders.map(({ state }: { state: string }) => state);
  expect(states).toEqual(['unchanged', 'failed', 'unchanged', 'failed', 'unchanged']);
});

it('a row is no new order where nearly all of its shard is for something else now', async () => {
  const { run, file, count } = await shop();
  const codes = 'fin est lav lit swe dan nor pol ces slk hun ron'.split(' ');
  const line = (asset: string, code: string) => `${asset},${code},,subtitled,x`;
  const content = (lines: string[]) => [csv().split('\n')[0], ...lines, ''].join('\n');
  const rows = file('rows.csv', content(codes.map((code) => line('a-1001', code))));
  const before = await count();
  const shards = async () => {
    const runs: string[] = [];
    for (const shard of ['1/2', '2/2']) {
      const { code, stderr } = await run(batch(rows, '--shard', shard, '--skip-checks=order'));
      expect(code, stderr).toBe(0);
      runs.push(stderr);
    }
    return runs.join('');
  };
  await shards();
  const [first = '', ...others] = codes.map((code) => line('a-1003', code));
  file('rows.csv', content([first.replace('a-1003', 'a-1001').replace('sub', 'un'), ...others]));
  expect(await shards()).toContain('1 row changed since');
  expect(await count()).toBe(before + 12 + 11);
});

it('an edited row is no new order, with --yes too', async () => {
  const { run, file, count } = await shop();
  const before = await count();
  const rows = file('rows.csv', csv());
  await run(batch(rows));
  const [head, first, ...others] = csv().split('\n');
  file('rows.csv', [head, first?.replace('Two', 'Three'), ...others].join('\n'));
  const held = await run(batch(rows, '--yes'));
  expect(held).toMatchObject({
    code: 0,
    stdout: '5 rows: 4 done (0 sent now, 4 earlier), 1 changed\n',
  });
  expect(await count()).toBe(before + 5);
  expect((await run(batch(rows, '--again=changed', '--yes'))).code).toBe(0);
  expect(await count()).toBe(before + 6);
});

/** A sheet of three orders, and its next version: one is the same, one changed, one gone, one new. */
const heads = 'asset,language,territory,due.date,due.tz,uses.items';
const sheetOf = (...rows: string[]) =>
  [heads, ...rows.map((row) => `a-1001,${row}`), ''].join('\n');
const kept = 'fin,FIN,2031-12-12,Europe/Paris,online';
const firstSheet = sheetOf(
  kept,
  'est,EST,2031-12-12,Europe/Paris,online',
  'lav,LVA,2031-12-12,Europe/Paris,online',
);
const nextSheet = sheetOf(
  kept,
  'est,EST,2031-12-15,Europe/Paris,broadcast',
  'swe,SWE,2031-12-12,Europe/Paris,online',
);

it.each(['plan.csv', 'plan v2.csv'])('the next version of a sheet, named %s', async (name) => {
  const { run, file, folder, count } = await shop();
  await run(batch(file('plan.csv', firstSheet), '--skip-checks=due'));
  const placed = JSON.parse(
    (await run(['batch', 'report', `${folder}/plan.csv`, '--json'])).stdout,
  );
  const [same, changed, gone] = placed.map(({ id }: { id: string }) => id);
  const before = await count();
  const next = batch(file(name, nextSheet), '--skip-checks=due');
  const { orders, ...counts } = JSON.parse((await run([...next, '--check', '--json'])).stdout);
  expect(counts).toMatchObject({ rows: 3, valid: 3, unchanged: 1, changed: 1, gone: 1 });
  expect(orders).toMatchObject([
    { row: 1, state: 'unchanged', id: same },
    { row: 2, state: 'changed', id: changed, page: expect.stringContaining(changed) },
    { row: 3, state: 'new' },
    { state: 'gone', id: gone, asset: 'a-1001', language: 'lav', territory: 'LVA' },
  ]);
  const sent = await run([...next, '--yes']);
  expect(sent.code, sent.stderr).toBe(0);
  expect(sent.stderr).toContain(batchWords.orderedWith('use: online', 'use: broadcast'));
  expect(sent.stderr).toContain('the sheet says 2031-12-15');
  for (const id of [changed, gone]) expect(sent.stderr).toContain(id);
  expect(sent.stdout).toMatch(/, 1 gone\n$/);
  expect(await count()).toBe(before + 1);
  const report = ['batch', 'report', path.join(folder, name), '--json'];
  const states = JSON.parse((await run(report)).stdout);
  expect(states.slice(1)).toMatchObject([
    { state: 'changed', id: changed, message: expect.stringContaining('the sheet says') },
    { state: 'done' },
    { state: 'gone', id: gone, message: expect.stringContaining(batchWords.goneOrder) },
  ]);
  const list = async () => JSON.parse((await run(['batch', 'list', '--json'])).stdout);
  const open = { state: 'changed', changed: 1, next: expect.stringContaining('1 row') };
  expect(await list()).toMatchObject([open]);
  expect((await run(['log'])).stdout).toContain('1 changed');
  expect((await run([...next, '--again=changed', '--yes'])).code).toBe(0);
  expect(await count()).toBe(before + 2);
  expect(await list()).toEqual([]);
  expect((await run([...next, '--yes'])).code).toBe(0);
  expect(await count()).toBe(before + 2);
});

it('a sheet with one of the orders of another one is no version of it', async () => {
  const { run, file } = await shop();
  await run(batch(file('plan.csv', firstSheet), '--skip-checks=due'));
  const other = sheetOf(kept, 'swe,SWE,2031-12-12,Europe/Paris,online');
  const { stdout } = await run(batch(file('other.csv', other), '--check', '--skip-checks=due'));
  expect(stdout).toBe('2 rows: 2 valid, 1 unchanged\n');
});

describe('the next version of a sheet, in shards', () => {
  const places = ['fin,FIN', 'est,EST', 'lav,LVA', 'lit,LTU', 'swe,SWE', 'dan,DNK', 'nob,NOR'];
  const rows = places.map((place) => `${place},2031-12-12,Europe/Paris,online`);
  /** All rows but the last two are changed, and so may be in other shards; the last one is gone. */
  const edited = rows.slice(0, -1).map((row, at) => (at < 5 ? row.replace('12-12', '12-15') : row));
  const parts = [1, 2, 3].map((index) => ['--shard', `${index}/3`, '--skip-checks=due']);

  it.each(['plan.csv', 'plan v2.csv'])('named %s, has each row in one of them', async (name) => {
    const { run, file, count } = await shop();
    const first = file('plan.csv', sheetOf(...rows));
    for (const part of parts) expect((await run(batch(first, ...part))).code).toBe(0);
    const before = await count();
    const next = file(name, sheetOf(...edited));
    for (const more of [['--check'], ['--yes'], ['--yes']]) {
      const counts = { rows: 0, changed: 0, gone: 0 };
      const messages: string[] = [];
      for (const part of parts) {
        const { code, stdout, stderr } = await run(batch(next, ...part, ...more, '--json'));
        expect(code, stderr).toBe(0);
        messages.push(stderr);
        const found = JSON.parse(stdout);
        for (const one of ['rows', 'changed', 'gone'] as const) counts[one] += found[one];
      }
      expect(counts, messages.join('')).toEqual({ rows: 6, changed: 5, gone: 1 });
    }
    expect(await count()).toBe(before);
  });
});
