import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyOf } from '../../../src/core/rows/rowKey.ts';
import { replay } from '../../../src/modules/batch/journal/replay.ts';
import { matchRows, type RemovedRow } from '../../../src/modules/batch/journal/rowMatcher.ts';
import { RowStates } from '../../../src/modules/batch/journal/rowStates.ts';
import { temporaryFolder } from '../../harness/mar.ts';
import { writeService } from '../../harness/writeService.ts';
import { batchWords } from '../../words/batch.ts';
import { batchOf, newBatch, numbered, numbersOf, onRequest, order } from './harness.ts';

const oneByOne = ['--concurrency', '1'];
const parts = [1, 2, 3].map((index) => ['--shard', `${index}/3`]);

test('100 rows, 5 bad: skip them, fix them in place, run again, and exactly 5 are sent', async () => {
  const bad = new Set([3, 17, 18, 50, 100]);
  const rows = (language: string) =>
    `asset,auto,instructions,language\n${Array.from({ length: 100 }, (_, row) => `a-1,yes,${row + 1},${bad.has(row + 1) ? language : 'fra'}\n`).join('')}`;
  const { service, batch } = await newBatch(rows('xx'), { name: 'rows.csv' });
  expect(await batch.fails(2)).toContain('5 of 100 rows');
  expect(service.received).toHaveLength(0);
  await batch.ends(8, '100 rows: 95 done, 5 invalid', ['--skip-invalid']);
  expect(service.received).toHaveLength(95);
  writeFileSync(batch.file, `${rows('deu')}a-1,yes,101,deu\na-1,yes,102,deu\n`);
  const stderr = await batch.ends(0, '102 rows: 102 done (7 sent now, 95 earlier)');
  expect(stderr).toContain('95 done, 7 rows new or corrected: sending 7\n');
  expect(new Set(numbersOf(service).slice(95))).toEqual(new Set([...bad, 101, 102]));
  await batch.ends(0, '102 rows: 102 done (0 sent now, 102 earlier)');
  expect(service.received).toHaveLength(102);
});

test('done rows are skipped wherever they moved, and in whatever form they are written', async () => {
  const { service, batch } = await newBatch(order('1', { auto: true }) + order('2'));
  await batch.run(oneByOne);
  const first = order('1').replace('{', '{"auto" : true, ');
  writeFileSync(batch.file, `[${order('3')},\n${order('2')}, ${first}]`);
  const stderr = await batch.ends(0, '3 rows: 3 done (1 sent now, 2 earlier)');
  expect(stderr).toContain('2 done, 1 row new or corrected: sending 1');
  expect(numbersOf(service)).toEqual([1, 2, 3]);
});

test('columns that moved, were quoted or are empty do not make a row new', async () => {
  const rows = 'asset,language,auto,instructions,due.date\na-1,fra,yes,1,+14d\n';
  const { service, batch } = await newBatch(rows, { name: 'rows.csv' });
  await batch.run();
  writeFileSync(
    batch.file,
    'due.date;tags;instructions;asset;language;auto;\n"+14d";;1;a-1;fra;yes;\n"+14d";;2;a-1;fra;yes;\n',
  );
  await batch.ends(0, '2 rows: 2 done (1 sent now, 1 earlier)');
  expect(numbersOf(service)).toEqual([1, 2]);
});

test('rows that disappeared are reported, and are done if they come back', async () => {
  const { service, batch } = await newBatch(numbered(4));
  await batch.run(oneByOne);
  writeFileSync(batch.file, numbered(1) + order('4'));
  const summary = '2 rows: 2 done (0 sent now, 2 earlier), 2 gone';
  expect(await batch.ends(0, summary)).toContain(batchWords.gone(batch.file));
  await batch.ends(0, summary);
  expect((await batch.verb('status')).stdout).toBe('2 rows: 2 done, 2 gone\n');
  writeFileSync(batch.file, numbered(5));
  await batch.ends(0, '5 rows: 5 done (1 sent now, 4 earlier)');
  expect(numbersOf(service)).toEqual([1, 2, 3, 4, 5]);
});

test.each([
  ['offline put', (id: string) => `{"_id":"${id}","path":"x"}\n`],
  ['preview put', (id: string) => `{"_id":"${id}","label":"x"}\n`],
  ['event put', (id: string) => `{"_id":"${id}","type":"a"}\n`],
  ['file upload-meta', (id: string) => `{"name":"${id}"}\n`],
])('rows of %s that disappeared mean nothing', async (command, row) => {
  const env = { MAR_LOG: path.join(temporaryFolder(), 'log') };
  const service = await writeService();
  const batch = batchOf({ env: { ...service.env, ...env } }, row('1') + row('2'), 'a', command);
  await batch.fails(0, oneByOne);
  writeFileSync(batch.file, row('1'));
  for (const check of [['--check'], []]) {
    const { stdout, stderr } = await batch.run(check);
    expect(stdout + stderr).not.toMatch(/gone|no longer/);
  }
  expect(service.received).toHaveLength(2);
});

test('a failed row that was corrected is sent, and one that was not is not', async () => {
  const rows = order('1', { studio: 'bad' }) + order('2', { studio: 'bad' });
  const { service, batch } = await newBatch(rows, {
    treat: ({ studio }) => (studio === 'bad' ? { status: 422 } : {}),
  });
  expect(await batch.fails(8, oneByOne)).toContain(batchWords.fixInFile);
  writeFileSync(batch.file, rows.replace('bad', 'good'));
  expect(await batch.ends(8, '2 rows: 1 done, 1 failed')).toContain(
    '0 done, 1 row new or corrected: sending 1',
  );
  expect(numbersOf(service)).toEqual([1, 2, 1]);
});

test.each([
  ['edited', order('1') + order('22') + order('3')],
  ['removed', order('1') + order('3')],
])('an unknown row that was %s must be resolved first', async (_, edited) => {
  const { service, batch } = await newBatch(numbered(3), { treat: onRequest(2, 'reset') });
  await batch.run(oneByOne);
  writeFileSync(batch.file, edited);
  const refusal = await batch.fails(2);
  for (const decision of ['2=created:ID', '2=retry']) {
    expect(refusal).toContain(`mar batch resolve ${batch.file} ${decision}\n`);
  }
  expect(service.received).toHaveLength(3);
  const decided = await batch.verb('resolve', ['2=retry']);
  expect(decided.stderr).toContain(batchWords.rowGone('Row 2', batch.file));
  await batch.fails(0);
  expect(numbersOf(service)).toEqual(edited.includes('22') ? [1, 2, 3, 22] : [1, 2, 3]);
});

test('an unknown row that moved keeps its state, and is resolved by the number it had', async () => {
  const { service, batch } = await newBatch(numbered(3), { treat: onRequest(2, 'reset') });
  await batch.run(oneByOne);
  writeFileSync(batch.file, order('2') + order('1') + order('3'));
  const decided = await batch.verb('resolve', ['2=created:wr-9']);
  expect(decided.stderr).toContain('Row 2 (line 1)');
  expect(decided.stdout).toBe('3 rows: 3 done\n');
  expect((await batch.run()).stdout).toBe('3 rows: 3 done (0 sent now, 3 earlier)\n');
  expect(service.received).toHaveLength(3);
});

test('a row that changed after its record was created is not sent as another record unasked', async () => {
  const { service, batch } = await newBatch(numbered(3));
  await batch.run(oneByOne);
  writeFileSync(batch.file, numbered(3).replace('"2"', '"22"'));
  expect(await batch.fails(11, ['--yes'])).toContain(batchWords.maybeChanged);
  expect(service.received).toHaveLength(3);
  await batch.ends(0, '3 rows: 3 done (1 sent now, 2 earlier), 1 gone', ['--again=changed']);
  expect(numbersOf(service)).toEqual([1, 2, 3, 22]);
});

test('a write by id may change a row and write it again', async () => {
  const rows = (path: string) => `{"_id":"o-1","path":"x"}\n{"_id":"o-2","path":"${path}"}\n`;
  const { service, batch } = await newBatch(rows('a'), { command: 'offline put' });
  await batch.run(oneByOne);
  // The last edit goes back to the first version.
  for (const path of ['b', 'a']) {
    writeFileSync(batch.file, rows(path));
    await batch.ends(0, '2 rows: 2 done (1 sent now, 1 earlier)');
  }
  expect(service.received.map(({ path }) => path)).toEqual(['x', 'a', 'b', 'a']);
});

test.each([
  ['rows.csv', '_id,type\ne-1,a\n', '{"_id":"e-1","type":"a"}\n'],
  ['rows.jsonl', '[{"_id":"e-1","type":"a"}]', '_id\ttype\ne-1\ta\n'],
])(
  '%s that was converted to another format may repeat what was sent',
  async (name, before, after) => {
    const { service, batch } = await newBatch(before, { name, command: 'event put' });
    await batch.fails(0);
    writeFileSync(batch.file, after);
    expect(await batch.fails(11)).toContain(batchWords.maybeChanged);
    expect(service.received).toHaveLength(1);
    await batch.fails(0, ['--again=all', '--yes']);
  },
);

test('--dry-run on an edited file shows only what would be sent', async () => {
  const { batch } = await newBatch(numbered(2));
  await batch.run();
  const journal = readFileSync(batch.journal, 'utf8');
  writeFileSync(batch.file, numbered(3));
  const stderr = await batch.fails(0, ['--dry-run']);
  expect(stderr).toContain('2 done, 1 row new or corrected: sending 1');
  expect(stderr).toContain(batchWords.wouldSend('1 row'));
  expect(readFileSync(batch.journal, 'utf8')).toBe(journal);
});

test('rows keep their shard when the file is edited, and none is sent twice', async () => {
  const { service, batch } = await newBatch(numbered(20));
  for (const part of parts) await batch.fails(0, part);
  const more = Array.from({ length: 10 }, (_, row) => order(String(row + 21)));
  writeFileSync(batch.file, `${more.join('')}${numbered(20)}`);
  for (const part of parts) await batch.fails(0, part);
  const all = Array.from({ length: 30 }, (_, row) => row + 1);
  expect(numbersOf(service).sort((a, b) => a - b)).toEqual(all);
  expect(await batch.fails(2)).toContain('--shard 1/3');
  await batch.fails(2, ['--shard', '1/2']);
});

/** Rows 1 to 12, of which these were edited. */
const edited = (...rows: number[]) =>
  numbered(12).replace(/(?<=instructions":")\d+/g, (row) =>
    rows.includes(Number(row)) ? `${row}00` : row,
  );

test('a done row that was edited is not ordered again by another shard', async () => {
  const { service, batch } = await newBatch(numbered(12));
  const options = { env: { MAR_LOG: path.join(temporaryFolder(), 'log.jsonl') } };
  for (const part of parts) expect((await batch.run(part, options)).code).toBe(0);
  for (const row of [1, 2, 3]) {
    writeFileSync(batch.file, edited(row));
    const runs = [];
    for (const part of parts) runs.push(await batch.run([...part, '--yes'], options));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(service.received).toHaveLength(12);
  }
});

test('rows that no shard has sent are corrected in all of them', async () => {
  const { service, batch } = await newBatch(numbered(12), {
    treat: ({ instructions }) => (Number(instructions) % 2 === 1 ? { status: 422 } : {}),
  });
  for (const part of parts) await batch.run(part);
  writeFileSync(batch.file, edited(1, 3, 5, 7, 9, 11));
  for (const part of parts) await batch.run(part);
  const created = numbersOf(service).filter((row) => row % 2 === 0);
  const corrected = [100, 300, 500, 700, 900, 1100];
  expect(created.sort((a, b) => a - b)).toEqual([2, 4, 6, 8, 10, 12, ...corrected]);
});

test('a journal that lost the end of an edited input was not used with it', async () => {
  const { service, batch } = await newBatch(numbered(2));
  await batch.run();
  const { length } = readFileSync(batch.journal);
  // Their keys are a long line.
  writeFileSync(batch.file, `${numbered(2)}${'{"language":"xx"}\n'.repeat(10_000)}`);
  await batch.run(['--skip-invalid']);
  const bytes = readFileSync(batch.journal);
  const end = bytes.indexOf('"event":"invalid"');
  for (let size = length; size < end - 20; size += 5_003) {
    writeFileSync(batch.journal, bytes.subarray(0, size));
    const { rows, states } = replay(batch.journal) ?? {};
    expect([rows, states?.summarise().done]).toEqual([2, 2]);
  }
  writeFileSync(batch.journal, bytes.subarray(0, length + 90_000));
  writeFileSync(batch.file, numbered(3));
  await batch.ends(0, '3 rows: 3 done (1 sent now, 2 earlier)');
  expect(numbersOf(service).sort()).toEqual([1, 2, 3]);
});

test.each([
  ['a cell', 'rows.csv', '_id,password\nu-1,SECRET\n', ['--map', 'password=password']],
  ['a cell of a path', 'rows.csv', '_id,login.password\nu-1,SECRET\n', ['--skip-checks']],
  ['a cell of JSON', 'rows.csv', '_id,login\nu-1,"{""password"":""SECRET""}"\n', ['--skip-checks']],
  ['a JSON row', 'rows.jsonl', '{"_id":"u-1","a":[{"password":"SECRET"}]}\n', []],
  ['--set', 'rows.jsonl', '{"_id":"u-1"}\n', ['--set', 'password=SECRET']],
  ['--set-string', 'rows.jsonl', '{"_id":"u-1"}\n', ['--set-string', 'password=SECRET']],
  ['JSON in --set', 'rows.jsonl', '{"_id":"u-1"}\n', ['--set', 'login={"password":"SECRET"}']],
])('a journal does not depend on a password in %s, so nobody can guess it', async (...given) => {
  const [, name, content, flags] = given;
  const service = await writeService();
  const journalWith = async (secret: string) => {
    const rows = content.replace('SECRET', secret);
    const { journal, fails } = batchOf(service, rows, name, 'offline put');
    const given = flags.map((flag) => flag.replace('SECRET', secret));
    await fails(0, given);
    return readFileSync(journal, 'utf8').replaceAll(/"(?:id|input|at|crc)":"[^"]*"/g, '');
  };
  expect(await journalWith('hunter2')).toBe(await journalWith('secret99'));
  expect(service.received).toHaveLength(2);
});

test.each([
  ['of a wrong type', '{"_id":"u-1","password":31415}\n'],
  ['in broken JSON', '{"_id":"u-1","password":"31415"\n'],
  ['in a row with too many cells', '_id,name,password\nu-1,Doe, Jo,31415\n'],
])('a password %s is in no message and in no journal', async (_, row) => {
  const { batch } = await newBatch(row, { command: 'user put' });
  const stderr = await batch.fails(8, ['--skip-invalid']);
  expect(stderr).toContain('Row 1 ');
  expect(stderr).not.toContain('31415');
  expect(readFileSync(batch.journal, 'utf8')).not.toContain('31415');
});

test('a changed password alone is not noticed, and mar reports that', async () => {
  const row = (name: string, password: string) => `_id,path,password\nu-1,${name},${password}\n`;
  const options = { name: 'rows.csv', command: 'offline put' };
  const { service, batch } = await newBatch(row('A', 'one'), options);
  const map = ['--map', 'password=password'];
  expect(await batch.fails(0, map)).not.toContain(batchWords.passwordNotCompared);
  writeFileSync(batch.file, row('A', 'two'));
  expect(await batch.ends(0, '1 row: 1 done (0 sent now, 1 earlier)', map)).toContain(
    batchWords.passwordNotCompared,
  );
  writeFileSync(batch.file, row('B', 'two'));
  await batch.fails(0, map);
  expect(service.received.map(({ password }) => password)).toEqual(['one', 'two']);
});

const letters = fc.array(fc.constantFrom(...'abcdef'), { maxLength: 30 });
const outcomes = fc.array(fc.constantFrom('pending', 'done', 'failed', 'unknown'), {
  minLength: 30,
  maxLength: 30,
});

test('whatever the edit, no more rows of a content are pending than were added to it', async () => {
  await fc.assert(
    fc.property(letters, letters, letters, outcomes, (first, second, third, states) => {
      const keys: readonly string[] = [];
      let known = { rows: 0, hash: '', at: '', keys, states: new RowStates(0) };
      let removed: RemovedRow[] = [];
      const sent = new Map<string, number>();
      for (const rows of [first, second, third]) {
        const now = rows.map((row) => keyOf({ text: JSON.stringify(row) }));
        const matcher = matchRows({ index: 1, count: 1 }, now, { ...known, removed });
        for (const letter of 'abcdef') {
          const numbers = rows.flatMap((row, index) => (row === letter ? [index + 1] : []));
          const isSent = (row: number) => matcher.states.get(row) !== 'pending';
          const kept = Math.min(numbers.length, sent.get(letter) ?? 0);
          expect(numbers.filter(isSent)).toHaveLength(kept);
        }
        for (const [index, row] of rows.entries()) {
          const state = states[index] as 'done';
          if (matcher.states.get(index + 1) !== 'pending' || String(state) === 'pending') continue;
          matcher.states.set(index + 1, state);
          sent.set(row, (sent.get(row) ?? 0) + 1);
        }
        ({ removed } = matcher);
        known = { ...known, rows: rows.length, keys: now, states: matcher.states };
      }
    }),
    { seed: 19, numRuns: 300 },
  );
});
