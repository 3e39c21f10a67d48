import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Fault,
  type FaultyServerOptions,
  faultyServer,
} from '../../../harness/faultyServer.ts';
import { mar, type Outcome } from '../../../harness/mar.ts';
import { account } from '../../../harness/recordingServer.ts';
import { networkWords } from '../../../words/network.ts';
import { outputWords } from '../../../words/output.ts';

/** A way to misbehave, and all that may come of it. */
export interface Row {
  name: string;
  /** The server's faults, one per request; the last one repeats. */
  server: Fault | readonly Fault[];
  options?: FaultyServerOptions;
  /** `mar asset get a-1` unless it says otherwise. */
  argv?: readonly string[];
  flags?: readonly string[];
  stdin?: string;
  code: number;
  /** In the words of the error: what failed and what to do. */
  says?: RegExp | string;
  /** Requests that the server sees: one, unless it says otherwise. */
  requests?: number;
  /** On a busy machine, the time may be over before the request is sent. */
  mayBeUnsent?: boolean;
  /** The expected output, as JSON lines; nothing by default. */
  prints?: readonly unknown[];
  /** How long it may take at least and, on a machine with nothing else to do, at most. */
  takesMs?: readonly [least: number, most: number];
}

/** The body of the record that a usable server sends. */
export const body = '{"_id":"a-1"}';

/** A server whose response can be used. */
export const usable = (name: string, server: Row['server'], row: Partial<Row> = {}): Row => ({
  name,
  server,
  code: 0,
  prints: [{ _id: 'a-1' }],
  ...row,
});

export const failing = (
  name: string,
  server: Row['server'],
  code: number,
  says?: RegExp | string,
  row: Partial<Row> = {},
): Row => ({ name, server, code, says, ...row });

/** A server whose response cannot be used, which is not requested again. */
export const unusable = (
  name: string,
  server: Row['server'],
  says: RegExp | string = networkWords.unusable,
  row: Partial<Row> = {},
) => failing(name, server, 1, says, row);

const getAsset = ['asset', 'get', 'a-1'];
/** On a busy machine. Waits that would be wrong take longer than that, or never end. */
const spareMs = 45_000;

/** How people and programs run a command. */
const ways = {
  piped: { flags: [], columns: undefined },
  'for a program': { flags: ['--jsonl'], columns: undefined },
  // Wide, so that no message is wrapped.
  'on a terminal': { flags: ['--no-color'], columns: 400 },
} as const;
type Way = keyof typeof ways;
const allWays = Object.keys(ways) as Way[];

/** A test for each row, in one of the ways: the next row has the next one. */
export function faultTable(rows: readonly Row[]): void {
  watchProcess();
  const tests = rows.map((row, at) => [row.name, allWays[at % allWays.length], row] as const);
  it.each(tests)('%s, %s', (_name, way = 'piped', row) => runRow(row, way));
}

/** One test for rows that take their time, side by side. */
export function faultsTogether(name: string, rows: readonly Row[]): void {
  watchProcess();
  it(name, async () => {
    await Promise.all(rows.map(inEachWay));
  });
}

/** All at once, each against a server of its own. */
export async function inEachWay(row: Row): Promise<void> {
  await Promise.all(allWays.map((way) => runRow(row, way)));
}

async function runRow(row: Row, way: Way): Promise<void> {
  const { argv = getAsset, flags = [], stdin, prints = [], takesMs } = row;
  const server = await faultyServer(row.server, row.options);
  const { columns, flags: ownFlags } = ways[way];
  const start = performance.now();
  const run = await mar([...argv, ...flags, ...ownFlags], { env: server.env, stdin, columns });
  const took = performance.now() - start;
  const facts = `${row.name}, ${way}: ${JSON.stringify(run)}`;

  expect(run.code, facts).toBe(row.code);
  const { requests = 1 } = row;
  if (row.mayBeUnsent) expect(server.requests.length, facts).toBeLessThanOrEqual(requests);
  else expect(server.requests.length, `requests, ${facts}`).toBe(requests);
  expectNoHarm(run);
  if (prints.length === 0) expect(run.stdout, facts).toBe('');
  else if (way === 'for a program')
    expect(run.stdout.trim().split('\n').map(parsed)).toEqual(prints);
  if (run.code !== 0) expect(wordsOf(run, way), facts).toMatch(row.says ?? /./);
  if (takesMs) {
    expect(took, facts).toBeGreaterThan(takesMs[0] - 20);
    expect(took, facts).toBeLessThan(takesMs[1] + spareMs);
  }
  await server.released();
}

const parsed = (line: string): unknown => JSON.parse(line);

/** The error's message and hint. A program finds them in the last line of standard error. */
function wordsOf({ stderr, code }: Outcome, way: Way): string {
  if (way !== 'for a program') return stderr;
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
  expect(error.exitCode).toBe(code);
  return `${error.message} ${error.hint ?? ''}`;
}

const secrets = [
  account.MAR_TOKEN,
  Buffer.from(`${account.MAR_EMAIL}:token-${account.MAR_TOKEN}`).toString('base64'),
];

/** Traces that no failure may leave behind. */
export function expectNoHarm({ code, stdout, stderr }: Outcome): void {
  const written = stdout + stderr;
  expect(stderr).not.toMatch(/^ +at /m);
  expect(stderr).not.toContain(outputWords.bug);
  for (const text of [stdout, stderr]) expect(text).toMatch(/(^|\n)$/);
  for (const secret of secrets) expect(written).not.toContain(secret);
  // A cursor that was hidden is shown again.
  expect(written.lastIndexOf('\x1b[?25l')).toBeLessThanOrEqual(written.lastIndexOf('\x1b[?25h'));
  if (code !== 0) expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(8);
}

/** Nothing goes wrong behind a run's back, either. */
export function watchProcess(): void {
  const problems: unknown[] = [];
  const note = (problem: unknown) => problems.push(problem);
  const noteLeak = (warning: Error) => {
    if (warning.name === 'MaxListenersExceededWarning') problems.push(warning);
  };
  beforeAll(() => {
    process.on('unhandledRejection', note);
    process.on('uncaughtException', note);
    process.on('warning', noteLeak);
  });
  afterAll(async () => {
    // Node tells of a rejection when all that was ready to run has run.
    await setImmediate();
    process.off('unhandledRejection', note);
    process.off('uncaughtException', note);
    process.off('warning', noteLeak);
    expect(problems).toEqual([]);
  });
}
