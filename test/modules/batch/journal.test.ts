import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { batchWords } from '../../words/batch.ts';
import { jsonLines, newBatch, numbered, numbersOf, onRow } from './harness.ts';

test('each row is sent once, with its intent before it and its outcome behind it', async () => {
  const { service, batch } = await newBatch(numbered(3));
  const stderr = await batch.ends(0, '3 rows: 3 done', ['--concurrency', '1']);
  const account = 'ines@northlight.example';
  expect(stderr).toMatch(
    new RegExp(`^Writing to .*${new URL(service.baseUrl).host} .*${account}\n`, 'm'),
  );
  expect(service.received).toEqual(jsonLines(numbered(3)));
  const [header, ...events] = jsonLines(readFileSync(batch.journal, 'utf8'));
  expect(header).toMatchObject({ command: 'POST /workrequests', account });
  expect(events.map(({ row, event, id }) => [row, event, id])).toEqual(
    [1, 2, 3].flatMap((row) => [
      [row, 'sending', undefined],
      [row, 'done', `wr-${row}`],
    ]),
  );
  expect(existsSync(`${batch.journal}.lock`)).toBe(false);
});

test('a row whose outcome is not in the journal is unknown, and is not sent again', async () => {
  const { service, batch } = await newBatch(numbered(3));
  await batch.run(['--concurrency', '1']);
  // Removes the last outcome, as if the run was killed before it was written.
  writeFileSync(batch.journal, readFileSync(batch.journal, 'utf8').replace(/.*\n$/, ''));
  expect(await batch.fails(8)).toContain(batchWords.unknownRows('row 3'));
  expect(service.received).toHaveLength(3);
});

test('a file that is no journal is left alone', async () => {
  const { batch } = await newBatch(numbered(2));
  writeFileSync(batch.journal, 'my notes\n');
  expect(await batch.fails(2)).toContain(batchWords.notAJournal(batch.journal));
  expect(readFileSync(batch.journal, 'utf8')).toBe('my notes\n');
});

test.each([
  ['another account', [], { MAR_EMAIL: 'omar@northlight.example' }, /account: .*ines@.* omar@/],
  ['other changes', ['--set', 'language=fra'], {}, /--set and --unset: .*none.* --set/],
])('%s is not the same batch', async (_, more, env, facts) => {
  const { service, batch } = await newBatch(numbered(2));
  await batch.run();
  expect(await batch.fails(2, more, { env })).toMatch(facts);
  expect(service.received).toHaveLength(2);
});

test('what a file among the changes holds is part of the batch', async () => {
  const { batch } = await newBatch(numbered(1));
  const notes = `${batch.file}.txt`;
  writeFileSync(notes, 'first');
  const set = ['--set', `reason=@${notes}`];
  await batch.fails(0, set);
  writeFileSync(notes, 'second');
  expect(await batch.fails(2, set)).toContain('--set and --unset: ');
});

test('--again=all sends done rows again with --yes, and keeps the old journal', async () => {
  const { service, batch } = await newBatch(numbered(3), { treat: onRow('2', { status: 422 }) });
  await batch.run();
  const old = readFileSync(batch.journal, 'utf8');
  expect(await batch.fails(2, ['--again=all'])).toMatch(/--again=all .*[\s\S]*--yes/);
  expect(service.received).toHaveLength(3);
  expect(existsSync(`${batch.journal}.1`)).toBe(false);
  expect(await batch.fails(8, ['--again=all', '--yes'])).toContain(`${batch.journal}.1`);
  expect(readFileSync(`${batch.journal}.1`, 'utf8')).toBe(old);
  expect(numbersOf(service).sort()).toEqual([1, 1, 2, 2, 3, 3]);
});

test('--again=all gets past a journal that is damaged, with --yes', async () => {
  const { batch } = await newBatch(numbered(2));
  await batch.run();
  const text = readFileSync(batch.journal, 'utf8');
  writeFileSync(batch.journal, text.replace('{"row":1', '{"r'));
  await batch.fails(2, ['--again=all']);
  await batch.fails(0, ['--again=all', '--yes']);
});

test('the journal of a batch that runs can be read, but not used, and it shows who runs it', async () => {
  const { service, batch } = await newBatch(numbered(3), {
    treat: (_, count) => (count <= 2 ? 'hold' : {}),
  });
  const first = batch.run(['--concurrency', '2']);
  await service.until(2);
  const running = `process ${process.pid} on ${hostname()}`;
  expect(await batch.fails(2)).toContain(running);
  const { stdout, stderr } = await batch.verb('status');
  expect(stdout).toBe('3 rows: 0 done, 2 in progress, 1 pending\n');
  expect(stderr).toContain(`process ${process.pid}\n`);
  const report = jsonLines((await batch.verb('report', ['--jsonl'])).stdout);
  expect(report.map(({ state }) => state)).toEqual(['sending', 'sending', 'pending']);
  const link = `${batch.file}.link`;
  symlinkSync(batch.journal, link);
  expect(await batch.fails(2, ['--journal', link])).toContain(running);
  service.release();
  expect((await first).code).toBe(0);
});

const since = '2026-01-01T00:00:00.000Z';
/** Above the highest process id of Linux. */
const endedPid = 2 ** 22 + 1;

/** A batch whose journal is locked by a process. */
async function lockedBatch(pid: number, host: string) {
  const { service, batch } = await newBatch(numbered(1));
  const lock = `${batch.journal}.lock`;
  writeFileSync(lock, JSON.stringify({ pid, host, since }));
  return { service, batch, lock };
}

test.each([
  ['that has ended on this machine', endedPid],
  ['with the id of this one, in an earlier container,', process.pid],
])('the lock of a process %s is taken over', async (_, pid) => {
  const { service, batch, lock } = await lockedBatch(pid, hostname());
  expect((await batch.run()).code).toBe(0);
  expect(service.received).toHaveLength(1);
  expect(existsSync(lock)).toBe(false);
});

test.each([
  ['still runs here', process.ppid, hostname()],
  ['was on another machine', endedPid, 'elsewhere'],
])('the lock of a process that %s is refused until its file is deleted', async (_, pid, host) => {
  const { service, batch, lock } = await lockedBatch(pid, host);
  const stderr = await batch.fails(2, ['--yes']);
  expect(stderr).toContain(`process ${pid} on ${host} has held ${lock} since ${since}`);
  expect(stderr).toContain(batchWords.lockHint);
  expect(service.received).toEqual([]);
  rmSync(lock);
  expect((await batch.run()).code).toBe(0);
});

test.each([
  ['in a folder that is not there', 'no/journal', 'journal.lock: no such folder'],
  ['below a file', 'rows.jsonl/journal', 'journal.lock: no such folder'],
  ['that is no file', '/dev/full', batchWords.notAJournal('/dev/full')],
])('a journal %s is an error before anything is sent', async (_, journal, message) => {
  const { service, batch } = await newBatch(numbered(1));
  const place = path.resolve(path.dirname(batch.file), journal);
  expect(await batch.fails(2, ['--journal', place])).toContain(message);
  expect(service.received).toEqual([]);
});
