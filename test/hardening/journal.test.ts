import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ChecksumChain } from '../../src/batch/journal/format.ts';
import { numbered } from '../batch/harness.ts';
import { runProgram } from '../harness/program.ts';
import { writeService } from '../harness/writeService.ts';
import { newProgramBatch, type ProgramBatch, programBatch } from './batchHarness.ts';

/** A batch of three rows, all of them done. */
async function doneBatch() {
  const { service, batch } = await newProgramBatch(numbered(3));
  expect((await batch.run(['--concurrency', '1'])).code).toBe(0);
  return { service, batch };
}

const linesOf = ({ journal }: ProgramBatch) =>
  readFileSync(journal, 'utf8').trimEnd().split('\n') as [string, ...string[]];

const writeLines = ({ journal }: ProgramBatch, lines: readonly string[]) =>
  writeFileSync(journal, `${lines.join('\n')}\n`);

/** Writes a journal with correct checksums. */
function forgeJournal(batch: ProgramBatch, lines: readonly string[]): void {
  const chain = new ChecksumChain();
  const sealed = lines.map((line) =>
    chain.seal(line.replace(/,"seq":\d+,"crc":"\w+"\}$/, '').replace(/\}$/, '')),
  );
  writeLines(batch, sealed);
}

test.each([
  ['is empty', 0, 'is empty'],
  ['has a part of its header', 40, 'is damaged at line 1'],
])('a journal that %s is refused, and no row is sent again', async (_, size, problem) => {
  const { service, batch } = await doneBatch();
  truncateSync(batch.journal, size);
  for (const run of [batch.run, () => batch.verb('status')]) {
    const { code, stderr } = await run();
    expect(code).toBe(2);
    expect(stderr).toContain(`the journal ${batch.journal} ${problem}`);
    expect(stderr).toContain('--restart');
  }
  expect(service.received).toHaveLength(3);
  expect((await batch.run(['--restart', '--yes'])).code).toBe(0);
  expect(service.received).toHaveLength(6);
});

/** Seven lines: the header, and the intent and the outcome of each row. */
const damages: [string, (lines: string[]) => string[], number, RegExp][] = [
  ['a flipped digit', (l) => l.with(2, (l[2] ?? '').replace('"row":1', '"row":3')), 3, /checksum/],
  ['a flipped state', (l) => l.with(2, (l[2] ?? '').replace('done', 'dond')), 3, /checksum/],
  ['another header', (l) => l.with(0, (l[0] ?? '').replace('"rows":3', '"rows":2')), 1, /checksum/],
  ['a deleted line', (l) => l.toSpliced(2, 1), 3, /found line 4 instead/],
  ['two deleted lines', (l) => l.toSpliced(3, 2), 4, /found line 6 instead/],
  ['a repeated line', (l) => l.toSpliced(2, 0, l[2] ?? ''), 4, /found line 3 instead/],
  [
    'two lines swapped',
    (l) => l.toSpliced(1, 2, l[2] ?? '', l[1] ?? ''),
    2,
    /found line 3 instead/,
  ],
  ['a line cut off in the middle', (l) => l.with(4, (l[4] ?? '').slice(0, 20)), 5, /checksum/],
  ['an empty line', (l) => l.toSpliced(4, 0, ''), 5, /checksum/],
  ['a line without checksum', (l) => [...l, '{"row":1,"event":"sending","at":"x"}'], 8, /checksum/],
];

test.each(damages)('%s is noticed, and its line is named', async (_, damage, line, why) => {
  const { service, batch } = await doneBatch();
  writeLines(batch, damage(linesOf(batch)));
  const { code, stderr } = await batch.run();
  expect(code).toBe(2);
  expect(stderr).toContain(`the journal ${batch.journal} is damaged at line ${line}: `);
  expect(stderr).toMatch(why);
  expect(stderr).toContain('Restore the journal from a backup');
  expect(service.received).toHaveLength(3);
});

test('lines of another journal are noticed', async () => {
  const { service, batch } = await doneBatch();
  const other = programBatch(service, numbered(3));
  await other.run(['--concurrency', '1']);
  const lines = linesOf(batch);
  writeLines(batch, [lines[0], ...linesOf(other).slice(1)]);
  const { code, stderr } = await batch.run();
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('at line 2') });
});

test('a last line that a killed run left half written is cut off, and its row was not sent', async () => {
  const { service, batch } = await doneBatch();
  const lines = linesOf(batch);
  const torn = (lines.at(-1) as string).slice(0, 30);
  writeFileSync(batch.journal, `${lines.slice(0, -1).join('\n')}\n${torn}`);
  expect((await batch.run()).stderr).toContain('Outcome unknown, not resent: row 3.');
  expect((await batch.verb('resolve', ['3=created:wr-3'])).code).toBe(0);
  expect(service.received).toHaveLength(3);
  expect(linesOf(batch).map((line) => JSON.parse(line).seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('a last line that lacks its line end alone counts; other bytes in its place are damage', async () => {
  const { service, batch } = await doneBatch();
  // The intent of the third row, as the last line.
  const whole = linesOf(batch).slice(0, -1).join('\n');
  writeFileSync(batch.journal, whole);
  expect((await batch.run()).stdout).toBe('3 rows: 2 done (0 sent now, 2 earlier), 1 unknown\n');
  writeFileSync(batch.journal, whole);
  expect((await batch.verb('resolve', ['3=created'])).code).toBe(0);
  expect(linesOf(batch)).toHaveLength(7);
  writeFileSync(batch.journal, `${whole}\u000b`);
  const { code, stderr } = await batch.run();
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('at line 6') });
  expect(service.received).toHaveLength(3);
});

test.each([
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
  const batch = programBatch(service, numbered(20));
  const { code, stderr } = await batch.run(['--concurrency', '1']);
  expect(code).toBe(8);
  expect(stderr).toContain(`${batch.journal} was deleted, replaced or changed by another program`);
  expect(stderr).toContain('Nothing more was sent');
  expect(stderr).toContain('row 3 is done (wr-3)');
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

const cases = Object.entries(impostors);

test.each(cases)('%s in place of a journal is an error at once', async (_, put) => {
  const { service, batch } = await newProgramBatch(numbered(1));
  await put(batch.journal);
  const restart = () => batch.run(['--restart']);
  for (const run of [batch.run, () => batch.verb('status'), restart]) {
    const { code, stderr } = await run();
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`${batch.journal} is not a journal of mar`),
    });
  }
  expect(service.received).toEqual([]);
});

test.each(cases)('%s in place of a lock is an error at once, and stays', async (_, put) => {
  const { service, batch } = await newProgramBatch(numbered(1));
  const lock = `${batch.journal}.lock`;
  await put(lock);
  const { code, stderr } = await batch.run();
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(`${lock} is not a lock file of mar`),
  });
  expect(existsSync(lock)).toBe(true);
  expect(service.received).toEqual([]);
});

test.each(cases)('%s in place of the second lock is an error at once', async (_, put) => {
  const { service, batch } = await newProgramBatch(numbered(1));
  const left = { pid: 2 ** 22 + 1, host: hostname(), since: '2026-01-01T00:00:00.000Z' };
  // A lock that a dead process left is taken over under this one.
  const space = readlinkSync('/proc/self/ns/pid');
  writeFileSync(`${batch.journal}.lock`, JSON.stringify({ ...left, space }));
  await put(`${batch.journal}.lock.takeover`);
  const { code, stderr } = await batch.run();
  expect(code).toBe(2);
  expect(stderr).toContain('.lock.takeover is not a lock file of mar');
  expect(service.received).toEqual([]);
});

test.each(cases)('%s in place of the kept input is an error at once', async (_, put) => {
  const { service, batch } = await newProgramBatch('');
  const journal = path.join(batch.folder, 'j');
  const argv = ['wr', 'create', '--batch', '-', '--journal', journal];
  await put(`${journal}.input`);
  const { code, stderr } = await runProgram(argv, batch.env, numbered(1));
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(`cannot save standard input: ${journal}.input`),
  });
  expect(service.received).toEqual([]);
  expect(readdirSync(batch.folder).filter((name) => name.startsWith('.mar-'))).toEqual([]);
});

test.each(cases.filter(([name]) => name !== 'a device'))(
  '%s in place of the rejected rows is an error, and never waited for',
  async (_, put) => {
    const { batch } = await newProgramBatch(numbered(1));
    const rejects = path.join(batch.folder, 'rejects.csv');
    await put(rejects);
    const { code, stderr } = await batch.run(['--rejects', rejects]);
    expect([1, 2]).toContain(code);
    expect(stderr).toMatch(/no program reads this pipe|is a folder|is a socket/);
  },
);

test.each([
  ['a negative row', '{"row":-1,"event":"sending","at":"x"}'],
  ['row 0', '{"row":0,"event":"sending","at":"x"}'],
  ['a row beyond the input', '{"row":4,"event":"sending","at":"x"}'],
  ['a row beyond all memory', '{"row":4294967296,"event":"sending","at":"x"}'],
  ['a row beyond all numbers', '{"row":9007199254740991,"event":"sending","at":"x"}'],
  ['half a row', '{"row":1.5,"event":"sending","at":"x"}'],
  ['an unknown event', '{"row":1,"event":"toString","at":"x"}'],
  ['an id that is no text', '{"row":1,"event":"done","at":"x","id":{}}'],
  ['an outcome without intent', '{"row":2,"event":"done","at":"x"}'],
  ['two outcomes of one intent', '{"row":1,"event":"failed","at":"x"}'],
  ['a decision about a row that is done', '{"row":1,"event":"resolved","as":"retry","at":"x"}'],
  ['null', 'null'],
  ['a list', '[]'],
  ['text', 'row 1 done'],
])('a foreign journal that has %s is refused', async (_, line) => {
  const { service, batch } = await doneBatch();
  forgeJournal(batch, [...linesOf(batch).slice(0, 3), line]);
  for (const run of [batch.run, () => batch.verb('status')]) {
    const { code, stderr } = await run();
    expect(code).toBe(2);
    expect(stderr).toContain(`the journal ${batch.journal} is damaged at line 4: `);
  }
  expect(service.received).toHaveLength(3);
});

test.each([
  ['too many rows', { rows: 1e15 }, 'damaged at line 1'],
  ['less than no rows', { rows: -1 }, 'damaged at line 1'],
  ['no slice', { shard: '0/0' }, 'damaged at line 1'],
  ['no changes', { changes: null }, 'damaged at line 1'],
  ['a number for an account', { account: 7 }, 'damaged at line 1'],
  ['a later version', { version: 2 }, 'was written by a newer version of mar'],
])('a journal whose header has %s is refused', async (_, change, problem) => {
  const { batch } = await doneBatch();
  const [header, ...events] = linesOf(batch);
  const { seq: _seq, crc: _crc, ...facts } = JSON.parse(header);
  forgeJournal(batch, [JSON.stringify({ ...facts, ...change }), ...events]);
  for (const run of [batch.run, () => batch.verb('status')]) {
    const { code, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) });
  }
});

test.each([
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
  const { service, batch } = await newProgramBatch(numbered(1));
  const lock = `${batch.journal}.lock`;
  writeFileSync(lock, content);
  const { code, stderr } = await batch.run();
  expect(code).toBe(2);
  expect(stderr).toContain(`${lock} is not a lock file of mar`);
  expect(stderr.length).toBeLessThan(1000);
  expect(readFileSync(lock, 'utf8')).toBe(content);
  expect((await batch.verb('status')).stderr).toContain('this batch has not been started');
  expect(service.received).toEqual([]);
});

test('a link that leads nowhere in place of a journal is an error', async () => {
  const { service, batch } = await newProgramBatch(numbered(1));
  symlinkSync(path.join(batch.folder, 'nowhere'), batch.journal);
  const { code, stderr } = await batch.run();
  expect(code).toBe(2);
  expect(stderr).toContain(`cannot write the journal ${batch.journal}: it is a broken link`);
  expect(service.received).toEqual([]);
});
