import type { Jq, JqResult } from 'jq-wasm';
import { MarError, runHint, systemCode, usageError } from '../errors.ts';
import { fieldOf, fieldsOf } from '../json/fields.ts';
import type { PathStep } from '../json/path.ts';
import { parseRecord, ServiceRecord } from '../json/serviceRecord.ts';
import { type Json, printJson } from '../json/value.ts';
import { words } from '../values/commandLine.ts';
import { sanitiseLines } from '../values/sanitise.ts';
import { machineText } from './lists.ts';
import type { Pages } from './result.ts';
import type { Output } from './streams.ts';

export interface JqRequest {
  program: string;
  slurp: boolean;
}

export interface JqHost {
  say(text: string): void;
  interruptible<T>(work: () => T): T;
}

/** Input is split at this length: jq has little memory, and results should come early. */
const maxInputLength = 1_000_000;
/** `$row` is the number of the row in a batch, and null elsewhere. */
const flags = ['--argjson', 'row', 'null', '--compact-output', '--'];

export type JqFilter = Awaited<ReturnType<typeof loadFilter>>;

/** Loads jq and compiles a filter. A compile error keeps jq's own message. */
export async function loadFilter({ program, slurp }: JqRequest, host: JqHost) {
  const path = slurp ? undefined : plainPath(program);
  let jq = path ? undefined : await loadJq();
  const name = slurp ? '--jq-slurp' : '--jq';
  // First unchanged, for correct positions in jq's message; then as it will run.
  for (const text of jq ? [program, wrapped(program)] : []) {
    const { exitCode, stderr } = (jq && callJq(jq, '', text, host)) ?? outOfMemory;
    if (exitCode === 0) continue;
    throw usageError(`${name}: ${reasonOf(stderr)}`, { flag: name, value: program });
  }
  return { print: slurp ? printWhole : printEach };

  async function run(inputs: readonly FilterInput[]): Promise<Results> {
    if (!jq) return { results: plainResults(inputs, path ?? []), isHalted: false };
    const json = `[${inputs.map(({ text }) => text).join(',')}]`;
    const rows = inputs.some(({ row }) => row !== undefined)
      ? inputs.map(({ row = null }) => row)
      : undefined;
    const result = callJq(jq, json, wrapped(program, rows), host);
    if (!result) jq = await loadJq();
    const { stdout, stderr, exitCode } = result ?? outOfMemory;
    const lines = stdout === '' ? [] : stdout.split('\n');
    const isWhole = lines.at(-1) === '"end"';
    // Something ended jq itself. Running each record alone shows which one.
    if (!isWhole && inputs.length > 1) return runEach(inputs);
    if (stderr !== '' && exitCode === 0) host.say(stderr);
    const results = (isWhole ? lines.slice(0, -1) : lines).map(readResult);
    if (exitCode !== 0) results.push({ record: 0, text: reasonOf(stderr), isFailed: true });
    return { results, isHalted: !isWhole };
  }

  async function runEach(inputs: readonly FilterInput[]): Promise<Results> {
    const results: Result[] = [];
    for (const [record, input] of inputs.entries()) {
      const alone = await run([input]);
      for (const result of alone.results) results.push({ ...result, record });
      if (alone.isHalted) return { results, isHalted: true };
    }
    return { results, isHalted: false };
  }

  async function printEach(pages: Pages, stdout: Output): Promise<void> {
    let count = 0;
    for await (const page of pages) {
      for (const part of splitRecords(page)) {
        const nameOf = (index: number) => {
          const id = fieldOf(part[index]?.value, '_id');
          return `record ${typeof id === 'string' ? id : count + index}`;
        };
        if (await print(stdout, part, nameOf)) return;
        count += part.length;
      }
    }
  }

  async function printWhole(pages: Pages, stdout: Output): Promise<void> {
    const texts: string[] = [];
    for await (const page of pages) for (const { text } of page) texts.push(text);
    await print(stdout, [{ text: `[${texts.join(',')}]` }], () => 'the list');
  }

  /** Prints the results up to the first failure. Resolves to whether the filter halted. */
  async function print(
    stdout: Output,
    inputs: readonly FilterInput[],
    nameOf: (index: number) => string,
  ): Promise<boolean> {
    const { results, isHalted } = await run(inputs);
    const failure = results.find(({ isFailed }) => isFailed);
    const good = failure ? results.slice(0, results.indexOf(failure)) : results;
    await stdout.write(good.map(({ text }) => `${printable(text, stdout)}\n`).join(''));
    if (!failure) return isHalted;
    throw new MarError('filter', `${name} failed on ${nameOf(failure.record)}: ${failure.text}`, {
      hint: 'The request itself succeeded; --json prints the whole response. --jq runs on each record; for the whole list, use --jq-slurp.',
    });
  }
}

/** Prints what a filter makes of one document. */
export async function printFiltered(
  document: object,
  request: JqRequest,
  { streams, interruptible }: { streams: { stdout: Output } } & Omit<JqHost, 'say'>,
): Promise<void> {
  const filter = await loadFilter(request, { say: () => {}, interruptible });
  await filter.print([[ServiceRecord.fromValue(document)]], streams.stdout);
}

/** The steps of a path such as `.due.date` or `.tags[0]`; undefined for every other filter. */
function plainPath(program: string): PathStep[] | undefined {
  if (!/^\.[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d{1,6}\])*$/.test(program)) return undefined;
  const steps = program.matchAll(/\.(\w+)|\[(\d+)\]/g);
  return [...steps].map(([, field, index]) => field ?? Number(index));
}

/** The results of a path, which needs no jq: loading it takes longer than most requests. */
const plainResults = (inputs: readonly FilterInput[], path: readonly PathStep[]): Result[] =>
  inputs.map(({ text: json, value }, record) => {
    const plain = plainValue(value, path);
    // Its digits may be more than a number can hold.
    const isExact = typeof plain !== 'number' && typeof plain !== 'object';
    const found = isExact ? plain : plainValue(parseRecord(json), path);
    if (found === undefined) return { record, text: 'it has no such path', isFailed: true };
    return { record, text: printJson(found as Json), isFailed: false };
  });

/** Null for a missing field; undefined if jq would report an error. */
function plainValue(record: unknown, path: readonly PathStep[]): unknown {
  let value = record;
  for (const step of path) {
    if (value === null) return null;
    if (typeof step === 'number') value = Array.isArray(value) ? (value[step] ?? null) : undefined;
    else value = fieldOf(value, step) ?? (fieldsOf(value) && null);
    if (value === undefined) return undefined;
  }
  return value;
}

/** Also happens at compile time, when jq folds a constant such as "x" * 1e9. */
const outOfMemory: JqResult = {
  stdout: '',
  stderr: 'the filter needs too much memory; use --jsonl and pipe the output to jq',
  exitCode: 5,
};

/** Runs jq once. Undefined if it ran out of memory, after which the instance is unusable. */
function callJq(jq: Jq, input: string, program: string, host: JqHost): JqResult | undefined {
  try {
    return host.interruptible(() => withoutConsole(() => jq.raw(input, program, flags)));
  } catch (error) {
    // WebAssembly's errors for out of memory and out of stack.
    if (error instanceof Error && /^(?:Runtime|Range)Error$/.test(error.name)) return undefined;
    throw error;
  }
}

async function loadJq(): Promise<Jq> {
  try {
    return await (await import('jq-wasm')).loadJq();
  } catch (error) {
    // The codes of a failed import, and of a failed require in the bundle.
    if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(systemCode(error) ?? '')) throw error;
    const hint = [
      runHint('To install it', words`npm install -g jq-wasm@3.0.0-jq-1.8.2`),
      'Or use --jsonl, and pipe the output to jq.',
    ];
    const message = '--jq needs the package jq-wasm, which is not installed';
    throw usageError(message, hint, { cause: error });
  }
}

/** jq's runtime prints "Aborted()" on the console in addition to throwing an error. */
function withoutConsole<T>(action: () => T): T {
  const { console } = globalThis;
  const { error } = console;
  console.error = () => {};
  try {
    return action();
  } finally {
    console.error = error;
  }
}

/**
 * Passes an array of records as one input, so that `input` cannot reach the next one. Each result and
 * each error carries the number of its record. An error does not stop the other records. jq's own
 * environment is that of a WebAssembly module, so `$ENV` and `env` are empty instead.
 */
const wrapped = (program: string, rows: readonly (number | null)[] = []) =>
  `def env: {}; {} as $ENV | (. as $page | range(length) as $i | ${JSON.stringify(rows)}[$i] as $row | $page[$i] | try ((${program}\n) | [$i,0,.]) catch [$i,1,.]), "end"`;

const resultLine = /^\[(\d+),([01]),/;

type Result = { record: number; text: string; isFailed: boolean };

type FilterInput = Pick<ServiceRecord, 'text' | 'row'> & Partial<ServiceRecord>;

type Results = { results: Result[]; isHalted: boolean };

function* splitRecords(records: readonly ServiceRecord[]): Generator<readonly ServiceRecord[]> {
  let start = 0;
  let size = 0;
  for (const [index, { text }] of records.entries()) {
    if (index > start && size + text.length > maxInputLength) {
      yield records.slice(start, index);
      start = index;
      size = 0;
    }
    size += text.length;
  }
  if (start < records.length) yield records.slice(start);
}

function readResult(line: string): Result {
  const [head = '', record, state] = resultLine.exec(line) ?? [];
  const text = line.slice(head.length, -1);
  if (state !== '1') return { record: Number(record), text, isFailed: false };
  const reason: string = text.startsWith('"') ? JSON.parse(text) : `${text} (not a string)`;
  return { record: Number(record), text: reason, isFailed: true };
}

/** A string without quotes, everything else as JSON, like `jq --raw-output`. */
function printable(json: string, stdout: Output): string {
  if (!json.startsWith('"')) return machineText(json, 'jsonl', stdout);
  const text: string = JSON.parse(json);
  return stdout.isTerminal ? sanitiseLines(text).join('\n') : text;
}

const reasonOf = (stderr: string): string =>
  stderr
    .replace(/^jq: (?:parse )?error(?: \(at [^)]*\))?: /, '')
    .replace(/\n+jq: \d+ compile errors?$/, '')
    .trimEnd();
