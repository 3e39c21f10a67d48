import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { orUndefined } from '../../src/core/errors.ts';
import { emptyLog, sealLine } from '../../src/core/log/logFile.ts';
import { replay } from '../../src/modules/batch/journal/replay.ts';
import { writeService } from '../harness/writeService.ts';
import { batchOf, newBatch, numbered } from '../modules/batch/harness.ts';
import { batchWords } from '../words/batch.ts';

type TestBatch = ReturnType<typeof batchOf>;

/** Expects that the run and the status are refused with this problem of the journal. */
async function expectRefused({ run, verb, journal }: TestBatch, problem: string) {
  for (const { code, stderr } of [await run(), await verb('status')]) {
    expect(stderr).toContain(`${journal} ${problem}`);
    expect(code).toBe(2);
  }
}

/** A batch of three rows, all of them done. */
async function doneBatch() {
  const { service, batch } = await newBatch(numbered(3));
  expect((await batch.run(['--concurrency', '1'])).code).toBe(0);
  return { service, batch };
}

const linesOf = ({ journal }: TestBatch) =>
  readFileSync(journal, 'utf8').trimEnd().split('\n') as [string, ...string[]];

const writeLines = ({ journal }: TestBatch, lines: readonly string[]) =>
  writeFileSync(journal, `${lines.join('\n')}\n`);

/** Writes a journal with correct checksums. */
function forgeJournal(batch: TestBatch, lines: readonly string[]): void {
  let end = emptyLog;
  const sealed = lines.map((line) => {
    const json = line.replace(/,"seq":\d+,"crc":"\w+"\}$/, '').replace(/\}$/, '');
    const next = sealLine(json, end);
    end = next.end;
    return next.text.trimEnd();
  });
  writeLines(batch, sealed);
}

it.each([
  ['is empty', 0, 'is empty'],
  ['has a part of its header', 40, batchWords.damagedAt('1')],
])('a journal that %s is refused, and no row is sent again', async (_, size, problem) => {
  const { service, batch } = await doneBatch();
  truncateSync(batch.journal, size);
  await expectRefused(batch, problem);
  expect(service.received).toHaveLength(3);
  expect((await batch.run(['--again=all', '--yes'])).code).toBe(0);
  expect(service.received).toHaveLength(6);
});

/** Seven lines: the header, and the intent and the outcome of each row. */
const damages: [string, (lines: string[]) => string[], number][] = [
  ['a flipped digit', (l) => l.with(2, (l[2] ?? '').replace('"row":1', '"row":3')), 3],
  ['a flipped state', (l) => l.with(2, (l[2] ?? '').replace('done', 'dond')), 3],
  ['another header', (l) => l.with(0, (l[0] ?? '').replace('"rows":3', '"rows":2')), 1],
  ['a deleted line', (l) => l.toSpliced(2, 1), 3],
  ['a repeated line', (l) => l.toSpliced(2, 0, l[2] ?? ''), 4],
  ['two lines swapped', (l) => l.toSpliced(1, 2, l[2] ?? '', l[1] ?? ''), 2],
  ['a line cut off in the middle', (l) => l.with(4, (l[4] ?? '').slice(0, 20)), 5],
  ['an empty line', (l) => l.toSpliced(4, 0, ''), 5],
  ['a line without checksum', (l) => [...l, '{"row":1,"event":"sending","at":"x"}'], 8],
];

it.each(damages)('%s is noticed, and its line is named', async (_, damage, line) => {
  const { service, batch } = await doneBatch();
  writeLines(batch, damage(linesOf(batch)));
  const stderr = await batch.fails(2);
  expect(stderr).toContain(`${batch.journal} ${batchWords.damagedAt(`${line}: `)}`);
  expect(stderr).toContain(batchWords.restore);
  expect(service.received).toHaveLength(3);
});

it('a flipped bit in any byte is noticed', async () => {
  const { batch } = await newBatch(numbered(1));
  await batch.run();
  const bytes = readFileSync(batch.journal);
  const unnoticed: string[] = [];
  for (const [place, byte] of bytes.entries()) {
    // Another bit in each byte, and the one that is the case of a letter.
    for (const bit of [place % 8, 5]) {
      writeFileSync(batch.journal, Buffer.from(bytes).fill(byte ^ (1 << bit), place, place + 1));
      if (orUndefined(() => replay(batch.journal))) unnoticed.push(`byte ${place}, bit ${bit}`);
    }
  }
  expect(unnoticed).toEqual([]);
});

it('lines of another journal are noticed', async () => {
  const { service, batch } = await doneBatch();
  const other = batchOf(service, numbered(3));
  await other.run(['--concurrency', '1']);
  const lines = linesOf(batch);
  writeLines(batch, [lines[0], ...linesOf(other).slice(1)]);
  expect(await batch.fails(2)).toContain(batchWords.damagedAt('2'));
});

it('a last line that a killed run left half written is cut off, and its row was not sent', async () => {
  const { service, batch } = await doneBatch();
  const lines = linesOf(batch);
  const torn = (lines.at(-1) as string).slice(0, 30);
  writeFileSync(batch.journal, `${lines.slice(0, -1).join('\n')}\n${torn}`);
  expect((await batch.run()).stderr).toContain(batchWords.unknownRows('row 3'));
  expect((await batch.verb('resolve', ['3=created:wr-3'])).code).toBe(0);
  expect(service.received).toHaveLength(3);
  expect(linesOf(batch).map((line) => JSON.parse(line).seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

it('a last line that lacks its line end alone counts; other bytes in its place are damage', async () => {
  const { service, batch } = await doneBatch();
  // The intent of the third row, as the last line.
  const whole = linesOf(batch).slice(0, -1).join('\n');
  writeFileSync(batch.journal, whole);
  expect((await batch.run()).stdout).toBe('3 rows: 2 done (0 sent now, 2 earlier), 1 unknown\n');
  writeFileSync(batch.journal, whole);
  expect((await batch.verb('resolve', ['3=created'])).code).toBe(0);
  expect(linesOf(batch)).toHaveLength(7);
  writeFileSync(batch.journal, `${whole}\u000b`);
  expect(await batch.fails(2)).toContain(batchWords.damagedAt('6'));
  expect(service.received).toHaveLength(3);
});

it.each([
  ['deleted', (journal: string) => rmSync(journal)],
  ['moved away', (journal: string) => renameSync(journal, `${journal}.away`)],
  [
    'replaced by a copy',
    (journal: string) => {
      const copy = readFileSync(journal);
      rmSync(journal);
      writeFileSync(journal, copy);
    },
  ],
  ['emptied', (journal: string) => truncateSync(journal, 0)],
  ['added to', (journal: string) => appendFileSync(journal, '\n')],
])('a journal that is %s during a run ends the run', async (_, harm) => {
  const service = await writeService((__, count) => {
    if (count === 3) harm(batch.journal);
    return {};
  });
  const batch = batchOf(service, numbered(20));
  const stderr = await batch.fails(8, ['--concurrency', '1']);
  expect(stderr).toContain(`${batch.journal} ${batchWords.journalChanged}`);
  expect(stderr).toMatch(/row 3 .*wr-3/);
  expect(service.received).toHaveLength(3);
});

/** Puts something that is no file at a path. */
const impostors: Record<string, (place: string) => unknown> = {
  'a named pipe': (place) => void execFileSync('mkfifo', [place]),
  'a folder': (place) => mkdirSync(place),
  'a device': (place) => symlinkSync('/dev/zero', place),
  async 'a socket'(place) {
    const server = createServer().listen(place);
    onTestFinished(() => void server.close());
    return once(server, 'listening');
  },
};

/** A lock that a dead process left: it is taken over under a second one. */
const leftLock = JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), since: 'then' });

const cases = Object.entries(impostors);

describe.each(cases)('%s is an error at once', (_name, put) => {
  it.each([
    ['a journal', ''],
    ['a lock', '.lock'],
    ['the second lock', '.lock.takeover'],
  ])('in place of %s, and stays', async (_, ending) => {
    const { service, batch } = await newBatch(numbered(1));
    const place = `${batch.journal}${ending}`;
    await put(place);
    if (ending === '.lock.takeover') writeFileSync(`${batch.journal}.lock`, leftLock);
    const runs = [await batch.run()];
    if (ending === '')
      runs.push(await batch.run(['--again=all', '--yes']), await batch.verb('status'));
    for (const { code, stderr } of runs) {
      expect(stderr).toContain(place);
      expect(code).toBe(2);
    }
    expect(lstatSync(place).isFile()).toBe(false);
    expect(service.received).toEqual([]);
    const names = readdirSync(path.dirname(batch.file));
    expect(names.filter((one) => one.startsWith('.mar-'))).toEqual([]);
  });
});

it.each(cases.filter(([name]) => name === 'a folder' || name === 'a socket'))(
  '%s in place of the rejected rows is an error',
  async (name, put) => {
    const { batch } = await newBatch(numbered(1));
    const rejects = path.join(path.dirname(batch.file), 'rejects.csv');
    await put(rejects);
    const { code, stderr } = await batch.run(['--rejects', rejects]);
    expect([1, 2]).toContain(code);
    expect(stderr).toContain(name.replace('a ', ''));
  },
);

it('a journal of a later version is refused', async () => {
  const { batch } = await doneBatch();
  const [header, ...events] = linesOf(batch);
  forgeJournal(batch, [header.replace('"version":1', '"version":2'), ...events]);
  await expectRefused(batch, batchWords.newerVersion);
});

it.each([
  ['null', 'null'],
  ['a number', '7'],
  ['a list', '[]'],
  ['text', '"x"'],
  ['an object', '{}'],
  ['a negative process', '{"pid":-1,"host":"x","since":"y"}'],
  ['a process beyond all numbers', '{"pid":1e300,"host":"x","since":"y"}'],
  ['a host that is none', '{"pid":1,"host":{},"since":"y"}'],
  ['another file', 'my notes\n'],
  ['a huge file', 'x'.repeat(3_000_000)],
])('a lock that holds %s is refused, and left alone', async (_, content) => {
  const { service, batch } = await newBatch(numbered(1));
  const lock = `${batch.journal}.lock`;
  writeFileSync(lock, content);
  const stderr = await batch.fails(2);
  expect(stderr).toContain(lock);
  expect(stderr.length).toBeLessThan(1000);
  expect(readFileSync(lock, 'utf8')).toBe(content);
  expect((await batch.verb('status')).stderr).toContain(batchWords.notStarted(batch.file));
  expect(service.received).toEqual([]);
});
