import { appendFileSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startMar } from '../../harness/mar.ts';
import { account } from '../../harness/recordingServer.ts';
import { batchWords } from '../../words/batch.ts';
import { networkWords } from '../../words/network.ts';
import { recordWords } from '../../words/records.ts';
import {
  batchOf,
  jsonLines,
  newBatch,
  numbered,
  numbersOf,
  onRequest,
  onRow,
  order,
} from './harness.ts';

const inOrder = (count: number) => Array.from({ length: count }, (_, row) => row + 1);

test('so many rows are under way at a time, and each is recorded when it is sent', async () => {
  const { service, batch } = await newBatch(numbered(7), { treat: () => 'hold' });
  const run = batch.run(['--concurrency', '3']);
  for (const count of [3, 6, 7]) {
    await service.until(count);
    const events = readFileSync(batch.journal, 'utf8');
    expect(events.match(/"event":"sending"/g)).toHaveLength(count);
    service.release();
  }
  expect((await run).code).toBe(0);
  expect(service.maxInProgress()).toBe(3);
});

test('an outcome is in the journal before the next row is sent, also if the output is slow', async () => {
  const { service, batch } = await newBatch(numbered(4));
  const run = startMar([...batch.argv, '--concurrency', '1', '--jsonl'], { env: service.env });
  const printed: (() => void)[] = [];
  run.stdout._write = (_chunk: unknown, _encoding: string, done: () => void) => {
    printed.push(done);
  };
  await service.until(2);
  const done = () => readFileSync(batch.journal, 'utf8').match(/"event":"done"/g)?.length;
  await expect.poll(done).toBe(2);
  expect(printed).toHaveLength(1);
  expect(service.received).toHaveLength(2);
  run.stdout._write = (_chunk: unknown, _encoding: string, done: () => void) => done();
  printed[0]?.();
  expect((await run.ended).code).toBe(0);
});

test('a refusal fails its row alone; it is sent again only when that is asked for', async () => {
  const refusal = { status: 422, body: '{"message":"no such language"}' };
  let isMended = false;
  const { service, batch } = await newBatch(numbered(3), {
    treat: ({ instructions }) => (instructions === '2' && !isMended ? refusal : {}),
  });
  const stderr = await batch.ends(8, '3 rows: 2 done, 1 failed');
  expect(stderr).toMatch(/Row 2 \(line 2\) failed: .*no such language/);
  expect(stderr).toContain(batchWords.refusedRows('row 2'));
  await batch.fails(8);
  expect(service.received).toHaveLength(3);
  isMended = true;
  await batch.ends(0, '3 rows: 3 done (1 sent now, 2 earlier)', ['--again=failed']);
  expect(numbersOf(service).sort()).toEqual([1, 2, 2, 3]);
});

test.each([
  ['hangs up', 'reset' as const],
  ['says 500', { status: 500 }],
  ['says 503 and when to come back', { status: 503, headers: { 'Retry-After': '0' } }],
  ['answers what is no record', { status: 200, body: '<html>' }],
  ['points elsewhere', { status: 303, headers: { Location: '/api/done' } }],
])('a row is unknown when the service %s', async (_, treatment) => {
  const { service, batch } = await newBatch(numbered(3), { treat: onRow('2', treatment) });
  await batch.ends(8, '3 rows: 2 done, 1 unknown');
  await batch.fails(8);
  await batch.fails(8, ['--again=failed']);
  expect(numbersOf(service).sort()).toEqual([1, 2, 3]);
});

test('a row that times out is unknown', async () => {
  const { batch } = await newBatch(numbered(1), { treat: () => 'hold' });
  await batch.ends(8, '1 row: 0 done, 1 unknown', ['--timeout', '1s']);
});

test('rows that never left are pending, and few are tried', async () => {
  const env = { ...account, MAR_BASE_URL: 'http://127.0.0.1:1/api' };
  const batch = batchOf({ env }, numbered(20));
  expect(await batch.ends(7, '20 rows: 0 done, 20 pending')).toContain(
    `${batchWords.serviceSilent}: 127.0.0.1:1 `,
  );
  const events = readFileSync(batch.journal, 'utf8').match(/"event":"unsent"/g);
  expect(events?.length).toBeLessThan(20);
});

test.each([1, 2, 20])(
  '%i rows that never left end with the exit code of the network',
  async (count) => {
    const env = { ...account, MAR_BASE_URL: 'http://127.0.0.1:1/api' };
    const batch = batchOf({ env }, numbered(count));
    const { code, stderr } = await batch.run(['--json']);
    const error = jsonLines(stderr).at(-1);
    expect({ code, error }).toMatchObject({ code: 7, error: { error: { kind: 'network' } } });
    expect(stderr).toContain('127.0.0.1:1');
    expect(stderr).toContain(batchWords.resume(`${count} ${count === 1 ? 'row' : 'rows'}`));
  },
);

test.each([1, 2, 20])(
  'a refused row decides the exit code, with %i that never left',
  async (count) => {
    const { service, batch } = await newBatch(numbered(count + 1), {
      treat: () => ({ status: 422 }),
    });
    const first = await batch.run(['--concurrency', '1', '--stop-on-error']);
    expect(first.code).toBe(8);
    await service.close();
    await batch.ends(8, `${count + 1} rows: 0 done, 1 failed, ${count} pending`);
  },
);

test('a service that is plainly down is left alone, and the rest of the rows with it', async () => {
  const { batch } = await newBatch(numbered(100), { treat: () => ({ status: 500 }) });
  const summary = '100 rows: 0 done, 5 unknown, 95 pending';
  expect(await batch.ends(8, summary, ['--concurrency', '1'])).toContain(batchWords.serviceFails);
});

test('an input that is changed on the way changes nothing in this run, and is new in the next', async () => {
  const content = inOrder(100)
    .map((row) => order(String(row), { studio: 'x'.repeat(1000) }))
    .join('');
  const { service, batch } = await newBatch(content, {
    treat(_, count) {
      if (count === 1) appendFileSync(batch.file, order('more'));
      return {};
    },
  });
  const { code, stdout, stderr } = await batch.run();
  expect([code, stdout], stderr).toEqual([0, '100 rows: 100 done\n']);
  expect(numbersOf(service).sort((a, b) => a - b)).toEqual(inOrder(100));
  await batch.run();
  expect(service.received.at(-1)).toMatchObject({ instructions: 'more' });
});

test('who is not let in stops at once, and goes on where it was when it is', async () => {
  let isRevoked = true;
  const { service, batch } = await newBatch(numbered(9), {
    treat: () => (isRevoked ? { status: 401 } : {}),
  });
  const stderr = await batch.fails(4, ['--concurrency', '2']);
  expect(stderr).toContain('MAR_TOKEN');
  expect(stderr).not.toContain('failed');
  // Requests were sent, and refused.
  expect(stderr).toContain(recordWords.nothingWritten);
  expect(stderr).not.toContain(networkWords.nothingSent);
  expect(service.received.length).toBeLessThanOrEqual(2);
  isRevoked = false;
  await batch.ends(0, '9 rows: 9 done');
});

test('asked to wait, all wait as long as they are asked to, and every row is done once', async () => {
  const cameAt: number[] = [];
  const { service, batch } = await newBatch(numbered(12), {
    treat(_, count) {
      cameAt.push(Date.now());
      return count <= 4 ? { status: 429, headers: { 'Retry-After': '1' } } : {};
    },
  });
  expect(await batch.ends(0, '12 rows: 12 done')).toMatch(
    /Row 1 \(line 1\) .* wait 1 s: .*too many requests/,
  );
  expect(service.received).toHaveLength(16);
  expect(new Set(numbersOf(service)).size).toBe(12);
  const [first = 0, , , , fifth = 0] = cameAt;
  expect(fifth - first).toBeGreaterThanOrEqual(1000);
  const events = readFileSync(batch.journal, 'utf8');
  expect(events.match(/"event":"unsent","status":429/g)).toHaveLength(4);
});

test('a service that wants a very long wait is not waited for', async () => {
  const { batch } = await newBatch(numbered(3), {
    treat: () => ({ status: 429, headers: { 'Retry-After': '7200' } }),
  });
  const stderr = await batch.ends(1, '3 rows: 0 done, 3 pending', ['--concurrency', '1']);
  expect(stderr).toContain(batchWords.serviceWantsWait('2 h'));
});

test('--stop-on-error stops at the first row that fails', async () => {
  const { batch } = await newBatch(numbered(9), { treat: onRequest(2, { status: 400 }) });
  const flags = ['--stop-on-error', '--concurrency', '1'];
  await batch.ends(8, '9 rows: 1 done, 1 failed, 7 pending', flags);
});

test('interrupted, it finishes what is under way, reports it, and goes on the next time', async () => {
  const { service, batch } = await newBatch(numbered(9), {
    treat: (_, count) => (count <= 2 ? 'hold' : {}),
  });
  const run = startMar([...batch.argv, '--concurrency', '2'], { env: service.env });
  await service.until(2);
  run.signal('SIGINT');
  await run.stderr.until(batchWords.finishing);
  service.release();
  const { code, stdout, stderr } = await run.ended;
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).toContain(`9 rows: 2 done, ${batchWords.resume('7')}`);
  await batch.ends(0, '9 rows: 9 done (7 sent now, 2 earlier)');
  expect(numbersOf(service).sort((a, b) => a - b)).toEqual(inOrder(9));
});

test('a summary shows what this run sent, and what earlier runs did', async () => {
  const { batch } = await newBatch(numbered(5), { treat: onRequest(3, { status: 401 }) });
  const first = await batch.run(['--concurrency', '1', '--json']);
  expect(JSON.parse(first.stdout)).toMatchObject({ done: 2, sentNow: 2 });
  await batch.ends(0, '5 rows: 5 done (3 sent now, 2 earlier)');
  await batch.ends(0, '5 rows: 5 done (0 sent now, 5 earlier)');
  expect(JSON.parse((await batch.run(['--json'])).stdout)).toMatchObject({ done: 5, sentNow: 0 });
  expect(await batch.fails(0, ['--jsonl'], { columns: 80 })).toContain(
    '5 rows: 5 done (0 sent now, 5 earlier)\n',
  );
  expect((await batch.verb('status')).stdout).toBe('5 rows: 5 done\n');
});
