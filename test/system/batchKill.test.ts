import { once } from 'node:events';
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { runProgram, startProgram } from '../harness/program.ts';
import { randomNumbers } from '../harness/random.ts';
import { isolated } from '../harness/service.ts';
import { type CommitService, commitService } from './commitService.ts';

const lanes = 2;
const killsOfAKind = 17;
const rows = 150;

interface Status {
  rows: number;
  done: number;
  left: number;
  unknown: number;
  unknownRows: number[];
}

/** How a batch is run. */
interface Kind {
  name: string;
  /** The flags of each run that shares the rows. */
  slices: readonly (readonly string[])[];
  /** Makes the journal one of version 1 once, so that a run resumes it. */
  startsAsVersion1?: true;
  /** Changes the file between the runs: rows move, and invalid ones are fixed. */
  isEdited?: true;
  isBodyRight?(body: Record<string, unknown> | undefined): boolean;
}

const kinds: readonly Kind[] = [
  { name: 'plain', slices: [[]] },
  {
    name: 'with changes by flags',
    slices: [['--set', 'reason=edited', '--unset', 'tags']],
    isBodyRight: (body) => body?.reason === 'edited' && !('tags' in body),
  },
  {
    name: 'sharded',
    slices: [
      ['--shard', '1/3'],
      ['--shard', '2/3'],
      ['--shard', '3/3'],
    ],
  },
  { name: 'resumed from version 1', slices: [[]], startsAsVersion1: true },
  { name: 'with an edited file', slices: [['--skip-invalid']], isEdited: true },
  {
    name: 'sharded, with an edited file',
    slices: [
      ['--skip-invalid', '--shard', '1/2'],
      ['--skip-invalid', '--shard', '2/2'],
    ],
    isEdited: true,
  },
];

type Random = () => number;

/** One batch of a kind after the other, each killed over and over until all its rows are sent. */
async function killKind(kind: Kind, random: Random): Promise<{ kills: number; unknown: number }> {
  let kills = 0;
  let unknown = 0;
  while (kills < killsOfAKind) {
    const service = await commitService(random);
    const env = isolated(service.env);
    const file = path.join(temporaryFolder(), 'rows.jsonl');
    const lines = Array.from(
      { length: rows },
      (_, row) => `{"instructions":"${row + 1}","tags":${isBad(kind, row) ? 1 : '["x"]'}}\n`,
    );
    writeFileSync(file, lines.join(''));
    const argvs = kind.slices.map((flags) => ['wr', 'create', '--batch', file, ...flags]);

    const pending = new Set(argvs);
    let isVersion1 = false;
    while (pending.size > 0 && kills < killsOfAKind) {
      const argv = [...pending][Math.floor(random() * pending.size)] as string[];
      const wasKilled = await runAndKill(argv, env, service, random);
      if (wasKilled) kills += 1;
      else if (!lines.some(isInvalid) && (await statusOf(argv, env)).left === 0) {
        pending.delete(argv);
      }
      if (wasKilled) loseLastBlock(journalOf(file, argv), random);
      if (kind.isEdited && random() < 0.5) {
        edit(lines, random, 1 + Math.floor(random() * 4));
        writeFileSync(file, lines.join(''));
      }
      if (kind.startsAsVersion1 && !isVersion1) isVersion1 = makeVersion1(`${file}.mar-journal`);
    }
    service.behave();
    edit(lines, random, kind.isEdited ? rows : 0);
    writeFileSync(file, lines.join(''));
    const ended = await Promise.all(
      argvs.map(async (argv) => {
        const { code, stderr } = await runProgram(argv, env);
        expect(code, stderr).not.toBe(2);
        return statusOf(argv, env);
      }),
    );
    checkNothingLost(service, ended, lines);
    for (const [index, { unknownRows }] of ended.entries()) {
      unknown += unknownRows.length;
      await resolveAll(argvs[index] as string[], env, service, { unknownRows, lines });
    }
    const statuses = await Promise.all(argvs.map((argv) => statusOf(argv, env)));
    expect(statuses.reduce((sum, { done }) => sum + done, 0)).toBe(rows);
    expect(service.commits.size).toBe(rows);
    expect([...service.commits.values()].filter((count) => count > 1)).toEqual([]);
    const { isBodyRight = () => true } = kind;
    expect([...service.bodies.values()].filter((body) => !isBodyRight(body))).toEqual([]);
  }
  return { kills, unknown };
}

const isBad = ({ isEdited }: Kind, row: number) => isEdited === true && row % 20 === 7;
const isInvalid = (line: string) => line.includes('"tags":1');
const numberIn = (line: string | undefined) => Number(JSON.parse(line ?? '{}').instructions);

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
    lines[invalid] = (lines[invalid] as string).replace('"tags":1', '"tags":["x"]');
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

async function statusOf(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<Status> {
  const { code, stdout, stderr } = await runProgram([...argv, '--status', '--json'], env);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Takes the checksums out of a journal. A last line that is half written stays as it is. */
function makeVersion1(journal: string): boolean {
  if (!existsSync(journal)) return false;
  const lines = readFileSync(journal, 'utf8').split('\n');
  const torn = lines.pop() as string;
  const plain = lines.map((line) => {
    const { seq: _, crc: __, baseUrl: ___, keys: ____, ...rest } = JSON.parse(line);
    return `${JSON.stringify('version' in rest ? { ...rest, version: 1 } : rest)}\n`;
  });
  writeFileSync(journal, `${plain.join('')}${torn}`);
  return true;
}

/** Kills a run somewhere: while it starts, or while rows are on their way, or says it ended. */
async function runAndKill(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  service: CommitService,
  random: Random,
) {
  const child = startProgram(argv, env);
  const exited = once(child, 'exit');
  const ended = exited.then(() => 'ended');
  const wait = async () => {
    if (random() < 0.1) return pause(random() * 300);
    await service.more(1 + Math.floor(random() * 8));
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
  expect(sum(({ left }) => left)).toBe(0);
  expect(sum(({ done }) => done) + unknown.size).toBe(rows);
  expect([...commits.values()].filter((count) => count > 1)).toEqual([]);
  const missing = Array.from({ length: rows }, (_, row) => row + 1).filter(
    (row) => !commits.has(row) && !unknown.has(row),
  );
  expect(missing).toEqual([]);
}

/** Does what a person would do: check the service, then decide. */
async function resolveAll(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  { commits }: CommitService,
  { unknownRows, lines }: { unknownRows: readonly number[]; lines: readonly string[] },
): Promise<void> {
  if (unknownRows.length === 0) return;
  const decisions = unknownRows.flatMap((row) => [
    '--resolve',
    `${row}=${commits.has(numberIn(lines[row - 1])) ? 'created' : 'retry'}`,
  ]);
  const { code, stderr } = await runProgram([...argv, ...decisions], env);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
}

test('killed 200 times, also with the end of the journal lost, batches send nothing twice, lose nothing, and report what is unknown, with edited files and shards too', {
  timeout: 600_000,
}, async () => {
  const ran = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const numbers = randomNumbers(lane + 1);
      const random = () => numbers(2 ** 32) / 2 ** 32;
      const results: { kills: number; unknown: number }[] = [];
      for (const kind of kinds) results.push(await killKind(kind, random));
      return results;
    }),
  );
  const results = ran.flat();
  expect(results.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThanOrEqual(200);
  // Without any, it was never killed where it hurts.
  expect(results.reduce((sum, { unknown }) => sum + unknown, 0)).toBeGreaterThan(0);
});
