import { expect, test } from 'vitest';
import { mar } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { batchWords } from '../../words/batch.ts';
import { jsonLines, newBatch, numbered, onRequest, onRow } from './harness.ts';

const statusOf = async (file: string) => {
  const { code, stdout, stderr } = await mar(['batch', 'status', file, '--json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};

test('batch status has the counts, rows and ids of a batch, and the rows that were invalid', async () => {
  const { batch } = await newBatch(`${numbered(2)}{"language":1}\n`, {
    treat: onRow('2', { status: 422 }),
  });
  await batch.run(['--skip-invalid', '--concurrency', '1']);
  const status = await statusOf(batch.file);
  expect(status).toMatchObject({ rows: 3, done: 1, failed: 1, invalid: 1, pending: 0 });
  expect(status).toMatchObject({ failedRows: [2], invalidRows: [3], unknownRows: [] });
  expect(status.results).toEqual([
    { row: 1, state: 'done', id: 'wr-1' },
    { row: 2, state: 'failed', message: expect.stringContaining('422') },
    { row: 3, state: 'invalid', message: expect.stringContaining('language: ') },
  ]);
  const { stdout } = await mar(['batch', 'status', batch.journal]);
  expect(stdout).toBe('3 rows: 1 done, 1 failed, 1 invalid\n');
});

test('batch status names all rows that are not done, up to 20 of each state', async () => {
  const { batch } = await newBatch(`${numbered(26)}{"language":1}\n{"language":2}\n`, {
    treat({ instructions }) {
      if (Number(instructions) <= 3) return 'reset';
      return Number(instructions) <= 25 ? { status: 422 } : {};
    },
  });
  await batch.run(['--skip-invalid', '--concurrency', '1']);
  const { code, stdout, stderr } = await batch.verb('status');
  const summary = '28 rows: 1 done, 22 failed, 3 unknown, 2 invalid\n';
  expect({ code, stdout }).toEqual({ code: 0, stdout: summary });
  const refused = Array.from({ length: 20 }, (_, index) => index + 4).join(', ');
  expect(stderr.split('\n').slice(1)).toEqual([
    batchWords.unknownRows('rows 1, 2, 3'),
    expect.stringContaining(`mar batch resolve ${batch.file} 1=created`),
    expect.stringContaining(`mar batch resolve ${batch.file} 1=retry`),
    batchWords.refusedRows(`rows ${refused} and 2 more`),
    batchWords.invalidRows('rows 27, 28'),
    '',
  ]);
});

test('batch status and report show all shards together, and those that were not started', async () => {
  const { service, batch } = await newBatch(numbered(12), { treat: onRequest(1, 'reset') });
  for (const shard of ['1/3', '3/3']) await batch.run(['--shard', shard, '--concurrency', '1']);
  const sent = new Map(service.received.map(({ instructions }, index) => [instructions, index]));
  const status = await statusOf(batch.file);
  const counts = { rows: sent.size, done: sent.size - 1, unknown: 1, pending: 0 };
  expect(status).toMatchObject(counts);
  expect(status.shards.map(({ shard }: { shard: string }) => shard)).toEqual(['1/3', '3/3']);
  const expected = Array.from({ length: 12 }, (_, index) => {
    const place = sent.get(String(index + 1));
    if (place === undefined) return [];
    return place === 0
      ? { row: index + 1, state: 'unknown', message: expect.anything() }
      : { row: index + 1, state: 'done', id: `wr-${place + 1}` };
  }).flat();
  expect(status.results).toEqual(expected);
  expect(jsonLines((await batch.verb('report', ['--jsonl'])).stdout)).toEqual(expected);
  const { stderr } = await batch.verb('status');
  expect(stderr).toContain('shard 2/3');
  expect(stderr).toContain(`Shard 1/3: ${batchWords.unknownRows(`row ${status.unknownRows[0]}`)}`);
  const [first, last] = ['1-of-3', '3-of-3'].map((shard) => `${batch.file}.${shard}.mar-journal`);
  expect(stderr).toContain(`mar batch resolve ${first} `);
  const one = await statusOf(last ?? '');
  expect(one.rows).toBe(status.shards[1].rows);
});

test('a decision and an undo take the journal of one shard', async () => {
  const { batch } = await newBatch(numbered(12), { treat: onRequest(1, 'reset') });
  for (const shard of ['1/2', '2/2']) await batch.run(['--shard', shard, '--concurrency', '1']);
  const journals = ['1-of-2', '2-of-2'].map((shard) => `${batch.file}.${shard}.mar-journal`);
  for (const verb of ['resolve', 'undo']) {
    const stderr = await failure(2, batch.verb(verb));
    for (const journal of journals) expect(stderr).toContain(`mar batch ${verb} ${journal}\n`);
  }
  const [row] = (await statusOf(batch.file)).unknownRows;
  const decided = await mar(['batch', 'resolve', journals[0] ?? '', `${row}=retry`]);
  expect(decided.stderr).toContain(batchWords.resumeWith('1 row', 'mar wr create', batch.file));
});

test.each(['status', 'report', 'resolve', 'undo'])('batch %s needs a batch', async (verb) => {
  const { batch } = await newBatch(numbered(1));
  expect(await failure(2, batch.verb(verb))).toContain(batchWords.notStarted(batch.file));
  const missing = await mar(['batch', verb, `${batch.file}.none`]);
  expect(missing.stderr).toContain(`cannot find ${batch.file}.none`);
  expect((await mar(['batch', verb])).stderr).toContain('argument <file>');
});
