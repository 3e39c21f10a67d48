import { once } from 'node:events';
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { mar, temporaryFolder } from '../harness/mar.ts';
import { startProgram } from '../harness/program.ts';
import { randomNumbers } from '../harness/random.ts';
import { isolated } from '../harness/service.ts';
import { writeService } from '../harness/writeService.ts';
import { numbered, order } from '../modules/batch/harness.ts';
import { type CommitService, commitService } from './commitService.ts';

const lanes = 2;
const killsOfAKind = 14;
/** Of the runs that undo each batch of a kind. */
const killsOfUndo = 6;
const rows = 150;

interface Status {
  rows: number;
  done: number;
  pending: number;
  unknown: number;
  unknownRows: number[];
}

/** How a batch is run. */
interface Kind {
  name: string;
  /** The flags of each run that shares the rows. */
  slices: readonly (readonly string[])[];
  /** Changes assets, and takes the changes back in the end. */
  isPut?: true;
  /** Changes the file between the runs: rows move, and invalid ones are fixed. */
  isEdited?: true;
  /** The rows are in a workbook. */
  isWorkbook?: true;
  isBodyRight?(body: Record<string, unknown> | undefined): boolean;
}

const shards = (count: number, ...flags: string[]) =>
  Array.from({ length: count }, (_, index) => [...flags, '--shard', `${index + 1}/${count}`]);

const kinds: readonly Kind[] = [
  { name: 'plain', slices: [[]] },
  {
    name: 'with changes by flags',
    slices: [['--set', 'reason=edited', '--unset', 'tags']],
    isBodyRight: (body) => body?.reason === 'edited' && !('tags' in body),
  },
  { name: 'sharded', slices: shards(3) },
  { name: 'with an edited file', slices: [['--skip-invalid']], isEdited: true },
  {
    name: 'sharded, with an edited file',
    // A corrected row may move to another shard, whose journal may have lost that it was never sent.
    slices: shards(2, '--skip-invalid', '--yes'),
    isEdited: true,
  },
  { name: 'of a workbook', slices: [[]], isWorkbook: true },
  { name: 'of an edited workbook', slices: [['--skip-invalid']], isEdited: true, isWorkbook: true },
  { name: 'changes', slices: [['--retries', '0']], isPut: true },
  { name: 'changes by flags', slices: [['--retries', '0', '--set', 'slug=t']], isPut: true },
  {
    name: 'changes, sharded, with an edited file',
    slices: shards(2, '--retries', '0', '--skip-invalid'),
    isEdited: true,
    isPut: true,
  },
];

/** The line of a row in the file, and its asset before. */
const lineOf = ({ isPut }: Kind, row: number, isBad: boolean) => {
  const tags = isBad ? 1 : '["x"]';
  return isPut
    ? `{"_id":"a-${row}","name":"new ${row}","slug":"s","$flags":${tags}}\n`
    : order(String(row), { tags: isBad ? 1 : ['x'] });
};
const assetOf = (row: number) =>
  `{"_id":"a-${row}","size":12345678901234567890,"name":"old ${row}","usage":{"online":true}}`;

/** The same rows in a workbook, where an invalid one has a wrong word. */
async function workbookOf(lines: readonly string[]): Promise<Buffer> {
  const records = lines.map((line) => JSON.parse(line));
  const rows = records.map(({ instructions, tags }) => [
    ...['a-1', 'French', 'online', instructions],
    tags === 1 ? 'perhaps' : 'no',
  ]);
  const heads = ['Asset', 'Language', 'Uses', 'Instructions', 'Auto'];
  const sheets = [{ name: 'Rows', rows: [heads, ...rows] }];
  return Buffer.from(await writeXlsx({ sheets }));
}

type Random = () => number;

interface Result {
  kind: Kind;
  kills: number;
  undoKills: number;
  unknown: number;
}

/** One batch of a kind after the other, each killed over and over until all its rows are sent. */
async function killKind(kind: Kind, random: Random): Promise<Result> {
  let kills = 0;
  let undoKills = 0;
  let unknown = 0;
  while (kills < killsOfAKind) {
    const service = await commitService(random);
    const env = isolated(service.env);
    const file = path.join(temporaryFolder(), 'rows.jsonl');
    const lines = Array.from({ length: rows }, (_, row) => lineOf(kind, row + 1, isBad(kind, row)));
    for (let row = 1; kind.isPut && row <= rows; row += 1) service.assets.set(row, assetOf(row));
    const write = async () =>
      writeFileSync(file, kind.isWorkbook ? await workbookOf(lines) : lines.join(''));
    await write();
    const command = kind.isPut ? ['asset', 'put'] : ['wr', 'create'];
    const argvs = kind.slices.map((flags) => [...command, '--batch', file, ...flags]);

    const pending = new Set(argvs);
    while (pending.size > 0 && kills < killsOfAKind) {
      const argv = [...pending][Math.floor(random() * pending.size)] as string[];
      const wasKilled = await runAndKill(argv, env, service, random);
      if (wasKilled) kills += 1;
      else if (
        !lines.some(isInvalid) &&
        (await statusOf(journalOf(file, argv), env)).pending === 0
      ) {
        pending.delete(argv);
      }
      if (wasKilled) loseLastBlock(journalOf(file, argv), random);
      await service.changeByOthers();
      if (kind.isEdited && random() < 0.5) {
        edit(lines, random, 1 + Math.floor(random() * 4));
        await write();
      }
    }
    service.behave();
    edit(lines, random, kind.isEdited ? rows : 0);
    await write();
    const ended = await Promise.all(
      argvs.map(async (argv) => {
        const { code, stderr } = await mar(argv, { env });
        expect(code, stderr).not.toBe(2);
        return statusOf(journalOf(file, argv), env);
      }),
    );
    checkNothingLost(service, ended, lines);
    for (const { unknownRows } of ended) unknown += unknownRows.length;
    // The changes of unknown rows can be taken back too: the assets show whether they arrived.
    const isUndoneAtOnce = kind.isPut && random() < 0.5;
    for (const [index, { unknownRows }] of isUndoneAtOnce ? [] : ended.entries()) {
      const argv = argvs[index] as string[];
      const journal = journalOf(file, argv);
      await resolveAll({ journal, argv }, env, service, { unknownRows, lines });
    }
    if (kind.isPut) {
      for (const argv of argvs) {
        const undone = await undoAndKill(journalOf(file, argv), env, service, random);
        undoKills += undone.kills;
        unknown += undone.unknown;
      }
      for (let row = 1; row <= rows; row += 1) {
        const note = service.notes.get(row);
        const before = { ...JSON.parse(assetOf(row)), ...(note !== undefined && { note }) };
        expect(JSON.parse(service.assets.get(row) ?? '')).toEqual(before);
      }
      continue;
    }
    const statuses = await Promise.all(argvs.map((argv) => statusOf(journalOf(file, argv), env)));
    expect(statuses.reduce((sum, { done }) => sum + done, 0)).toBe(rows);
    expect(service.commits.size).toBe(rows);
    expect([...service.commits.values()].filter((count) => count > 1)).toEqual([]);
    const { isBodyRight = () => true } = kind;
    expect([...service.bodies.values()].filter((body) => !isBodyRight(body))).toEqual([]);
  }
  return { kind, kills, undoKills, unknown };
}

/** Undoes a batch, killed over and over, and decides what is unknown in the end. */
async function undoAndKill(
  journal: string,
  env: Record<string, string>,
  service: CommitService,
  random: Random,
): Promise<{ kills: number; unknown: number }> {
  const argv = ['batch', 'undo', journal, '--retries', '0', '--yes'];
  const undoJournal = journal.replace('.mar-journal', '.undo.mar-journal');
  service.forget();
  service.behave(false);
  let kills = 0;
  while (kills < killsOfUndo) {
    if (!(await runAndKill(argv, env, service, random))) break;
    kills += 1;
    loseLastBlock(undoJournal, random);
    await service.changeByOthers();
  }
  service.behave();
  const { code, stderr } = await mar(argv, { env });
  expect(code, stderr).not.toBe(2);
  const { pending, unknownRows } = await statusOf(undoJournal, env);
  expect(pending).toBe(0);
  expect([...service.commits.values()].filter((count) => count > 1)).toEqual([]);
  const lines = readFileSync(`${undoJournal}.input`, 'utf8').trimEnd().split('\n');
  await resolveAll({ journal: undoJournal, argv }, env, service, { unknownRows, lines });
  return { kills, unknown: unknownRows.length };
}

const isBad = ({ isEdited }: Kind, row: number) => isEdited === true && row % 20 === 7;
const isInvalid = (line: string) => /"(?:tags|\$flags)":1/.test(line);
const numberIn = (line = '{}') => {
  const { instructions, _id } = JSON.parse(line);
  return Number(instructions ?? _id.slice(2));
};

const journalOf = (file: string, argv: readonly string[]) => {
  const shard = argv[argv.indexOf('--shard') + 1] ?? '';
  return argv.includes('--shard')
    ? `${file}.${shard.replace('/', '-of-')}.mar-journal`
    : `${file}.mar-journal`;
};

/** Moves the first rows to the end, as many as `random` says, and fixes some invalid rows. */
function edit(lines: string[], random: Random, fixes: number): void {
  if (fixes === 0) return;
  lines.push(...lines.splice(0, Math.floor(random() * lines.length)));
  for (let left = fixes; left > 0; left -= 1) {
    const invalid = lines.findIndex(isInvalid);
    if (invalid < 0) return;
    lines[invalid] = (lines[invalid] as string).replace(/(?<=":)1(?=[,}])/, '["x"]');
  }
}

/**
 * Loses a part of what a machine may not have written yet when its power fails: outcomes, keys of an
 * edited file, invalid rows. An intent may have been sent, so it was on the disk.
 */
function loseLastBlock(journal: string, random: Random): void {
  if (!existsSync(journal) || random() < 0.5) return;
  const text = readFileSync(journal, 'latin1');
  const intent = Math.max(text.lastIndexOf('"event":"sending"'), 0);
  const safe = text.indexOf('\n', intent) + 1;
  if (safe > 0) truncateSync(journal, safe + Math.floor(random() * (text.length - safe)));
}

async function statusOf(journal: string, env: Record<string, string>): Promise<Status> {
  const { code, stdout, stderr } = await mar(['batch', 'status', journal, '--json'], { env });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Kills a run somewhere: while it starts, or while rows are on their way, or says it ended. */
async function runAndKill(
  argv: readonly string[],
  env: Record<string, string>,
  service: CommitService,
  random: Random,
) {
  const child = startProgram(argv, env);
  const exited = once(child, 'exit');
  const ended = exited.then(() => 'ended');
  const wait = async () => {
    if (random() < 0.1) return pause(random() * 300);
    await service.more(1 + Math.floor(random() * (argv.includes('create') ? 8 : 40)));
    // Anywhere between the request and what is written about its answer.
    return pause(random() * 12);
  };
  const first = await Promise.race([ended, wait()]);
  if (first === 'ended') return false;
  child.kill('SIGKILL');
  const [, signal] = await exited;
  return signal === 'SIGKILL';
}

/** Never twice; and what the service has is done or known to be unknown. */
function checkNothingLost(
  { commits }: CommitService,
  ended: readonly Status[],
  lines: readonly string[],
): void {
  const unknown = new Set(
    ended.flatMap(({ unknownRows }) => unknownRows.map((row) => numberIn(lines[row - 1]))),
  );
  const sum = (count: (status: Status) => number) =>
    ended.reduce((total, status) => total + count(status), 0);
  expect(sum(({ pending }) => pending)).toBe(0);
  expect(sum(({ done }) => done) + unknown.size).toBe(rows);
  expect([...commits.values()].filter((count) => count > 1)).toEqual([]);
  const missing = Array.from({ length: rows }, (_, row) => row + 1).filter(
    (row) => !commits.has(row) && !unknown.has(row),
  );
  expect(missing).toEqual([]);
}

/** Does what a person would do: check the service, then decide. */
async function resolveAll(
  { journal, argv }: { journal: string; argv: readonly string[] },
  env: Record<string, string>,
  { commits }: CommitService,
  { unknownRows, lines }: { unknownRows: readonly number[]; lines: readonly string[] },
): Promise<void> {
  if (unknownRows.length === 0) return;
  const decisions = unknownRows.map(
    (row) => `${row}=${commits.has(numberIn(lines[row - 1])) ? 'created' : 'retry'}`,
  );
  for (const line of [['batch', 'resolve', journal, ...decisions], argv]) {
    const { code, stderr } = await mar(line, { env });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  }
}

test('killed 200 times, also with the end of the journal lost, batches send nothing twice, lose nothing, and report what is unknown: creates, changes beside those of others, edited files, shards and undoing', {
  timeout: 1_800_000,
}, async () => {
  const ran = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const results: Result[] = [];
      for (const [index, kind] of kinds.entries()) {
        const seed = 100 * lane + index + 1;
        const numbers = randomNumbers(seed);
        const random = () => numbers(2 ** 32) / 2 ** 32;
        const killed = killKind(kind, random).catch((error: Error) => {
          error.message = `${kind.name}, seed ${seed}: ${error.message}`;
          throw error;
        });
        results.push(await killed);
      }
      return results;
    }),
  );
  const results = ran.flat();
  const sum = (count: (result: Result) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  expect(sum(({ kills, undoKills }) => kills + undoKills)).toBeGreaterThanOrEqual(200);
  expect(sum(({ undoKills }) => undoKills)).toBeGreaterThanOrEqual(20);
  const changes = results.filter(({ kind }) => kind.isPut);
  const changeKills = changes.map(({ kills, undoKills }) => kills + undoKills);
  expect(changeKills.reduce((total, kills) => total + kills)).toBeGreaterThanOrEqual(100);
  // Without any, it was never killed where it hurts.
  expect(sum(({ unknown }) => unknown)).toBeGreaterThan(0);
});

/** The rows of a journal whose last event is the intent to send them. */
function openRows(journal: string): number[] {
  const events = new Map<number, string>();
  for (const line of readFileSync(journal, 'utf8').split('\n')) {
    const [, row, event = ''] = /^\{"row":(\d+),"event":"(\w+)".*\}$/.exec(line) ?? [];
    if (row !== undefined) events.set(Number(row), event);
  }
  return [...events].flatMap(([row, event]) => (event === 'sending' ? [row] : []));
}

test('after a kill, no more rows are unknown than were sent at a time, and few of them never arrived', {
  timeout: 300_000,
}, async () => {
  const concurrency = 4;
  const random = randomNumbers(3);
  const kills = 20;
  const neverArrived: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const service = await writeService();
    const file = path.join(temporaryFolder(), 'rows.jsonl');
    writeFileSync(file, numbered(300));
    const argv = ['wr', 'create', '--batch', file, '--concurrency', `${concurrency}`];
    const child = startProgram(argv, isolated(service.env));
    await service.until(1 + random(60));
    child.kill('SIGKILL');
    await once(child, 'exit');
    await service.disconnected();
    const open = openRows(`${file}.mar-journal`);
    const received = new Set(service.received.map(({ instructions }) => Number(instructions)));
    expect(open.length).toBeLessThanOrEqual(concurrency);
    neverArrived.push(open.filter((row) => !received.has(row)).length);
  }
  neverArrived.sort((one, other) => one - other);
  expect(neverArrived[kills / 2]).toBeLessThanOrEqual(concurrency / 2);
});
