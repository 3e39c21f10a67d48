import type { Jq, JqResult } from 'jq-wasm';
import { MarError, systemCode, usageError } from '../errors.ts';
import { fieldOf } from '../json/fields.ts';
import { compact } from '../json/text.ts';
import type { ListWriter } from './lists.ts';
import { sanitiseLines, visibleJson } from './sanitise.ts';
import type { Output } from './streams.ts';
import type { Shown } from './view.ts';

/** A filter as the user gave it. */
export interface JqRequest {
  program: string;
  /** On the whole array rather than on each record. */
  slurp: boolean;
}

/** What a filter needs of the place it runs in. */
export interface JqHost {
  /** What the filter says beside its results (`debug`, `stderr`). */
  say(text: string): void;
  /** jq keeps the process busy: while it runs, an interruption is to end it at once. */
  interruptible<T>(work: () => T): T;
}

/** jq's memory is small, and results are not to be waited for: as much text as it gets at once. */
const mostText = 1_000_000;
const flags = ['--compact-output', '--'];

/** Loads jq and a filter. A filter that does not compile is told with jq's own words. */
export async function loadFilter({ program, slurp }: JqRequest, host: JqHost): Promise<JqFilter> {
  const jq = await loadJq();
  const name = slurp ? '--jq-slurp' : '--jq';
  // First as it is, for the places in jq's message; then as it will run.
  for (const text of [program, wrapped(program)]) {
    const { exitCode, stderr } = run(jq, '', text, host) ?? outOfMemory;
    if (exitCode !== 0) throw usageError(`${name}: ${reasonOf(stderr)}`);
  }
  return new JqFilter(jq, program, slurp, host);
}

/** jq counts a constant such as "x" * 1e9 when it compiles the filter, so this can happen then too. */
const outOfMemory: JqResult = {
  stdout: '',
  stderr: 'the filter needs more memory than jq has here: pipe --json to jq itself',
  exitCode: 5,
};

/** Runs jq once. Undefined where it ran out of memory: that instance cannot be used again. */
function run(jq: Jq, input: string, program: string, host: JqHost): JqResult | undefined {
  try {
    return host.interruptible(() => withoutConsole(() => jq.raw(input, program, flags)));
  } catch (error) {
    // WebAssembly's own failures: out of memory, and out of stack.
    if (error instanceof Error && /^(?:Runtime|Range)Error$/.test(error.name)) return undefined;
    throw error;
  }
}

async function loadJq(): Promise<Jq> {
  try {
    return await (await import('jq-wasm')).loadJq();
  } catch (error) {
    // As an import fails, and as the bundle's require does.
    if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(systemCode(error) ?? '')) throw error;
    throw new MarError('usage', '--jq needs the package jq-wasm, which is not installed', {
      hint: 'npm install -g jq-wasm@3.0.0-jq-1.8.2\nor pipe to jq itself: mar … --jsonl | jq …',
      cause: error,
    });
  }
}

/** jq's runtime prints "Aborted()" on the console beside the error that it throws. */
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
 * Takes an array of records as one input, so that `input` cannot reach the next of them. Each result
 * is told with the number of its record, and so is an error, after which the others go on.
 */
const wrapped = (program: string) =>
  `(. as $page | range(length) as $i | $page[$i] | try ((${program}\n) | [$i,0,.]) catch [$i,1,.]), "end"`;

const resultLine = /^\[(\d+),([01]),/;

/** One result of a filter: JSON, or why it failed on that record. */
type Result = { record: number; text: string; failed: boolean };

export class JqFilter {
  #jq: Jq;
  readonly #program: string;
  readonly #slurps: boolean;
  readonly #host: JqHost;

  constructor(jq: Jq, program: string, slurps: boolean, host: JqHost) {
    this.#jq = jq;
    this.#program = wrapped(program);
    this.#slurps = slurps;
    this.#host = host;
  }

  writer(stdout: Output): ListWriter {
    return this.#slurps ? this.#arrayWriter(stdout) : this.#recordWriter(stdout);
  }

  #recordWriter(stdout: Output): ListWriter {
    let count = 0;
    let isDone = false;
    const page = async (records: readonly Shown[]) => {
      for (const part of inParts(records)) {
        const name = (index: number) => {
          const id = fieldOf(part[index]?.value, '_id');
          return `record ${typeof id === 'string' ? id : count + index}`;
        };
        isDone ||= await this.#print(
          stdout,
          part.map(({ text }) => text),
          name,
        );
        if (isDone) return;
        count += part.length;
      }
    };
    return { page, isDone: () => isDone, end: async () => {} };
  }

  #arrayWriter(stdout: Output): ListWriter {
    const texts: string[] = [];
    return {
      async page(records) {
        for (const { text } of records) texts.push(text);
      },
      end: async () => {
        await this.#print(stdout, [`[${texts.join(',')}]`], () => 'the list');
      },
    };
  }

  /** Prints the results up to the first failure; says whether the filter halted. */
  async #print(
    stdout: Output,
    texts: readonly string[],
    name: (index: number) => string,
  ): Promise<boolean> {
    const { results, halted } = await this.#run(texts);
    const failure = results.find(({ failed }) => failed);
    const good = failure ? results.slice(0, results.indexOf(failure)) : results;
    await stdout.write(good.map(({ text }) => `${printable(text, stdout.isTerminal)}\n`).join(''));
    if (!failure) return halted;
    throw new MarError('service', `the filter failed on ${name(failure.record)}: ${failure.text}`, {
      hint: 'the request itself was done; --json shows the whole answer',
    });
  }

  async #run(texts: readonly string[]): Promise<{ results: Result[]; halted: boolean }> {
    const { stdout, stderr, exitCode } = await this.#call(`[${texts.join(',')}]`);
    const lines = stdout === '' ? [] : stdout.split('\n');
    const isWhole = lines.at(-1) === '"end"';
    // Something ended jq itself. On which record shows when each is tried alone.
    if (!isWhole && texts.length > 1) return this.#runEach(texts);
    if (stderr !== '' && exitCode === 0) this.#host.say(stderr);
    const results = (isWhole ? lines.slice(0, -1) : lines).map(readResult);
    if (exitCode !== 0) results.push({ record: 0, text: reasonOf(stderr), failed: true });
    return { results, halted: !isWhole };
  }

  async #runEach(texts: readonly string[]): Promise<{ results: Result[]; halted: boolean }> {
    const results: Result[] = [];
    for (const [record, text] of texts.entries()) {
      const alone = await this.#run([text]);
      for (const result of alone.results) results.push({ ...result, record });
      if (alone.halted) return { results, halted: true };
    }
    return { results, halted: false };
  }

  async #call(input: string): Promise<JqResult> {
    const result = run(this.#jq, withoutLoneSurrogates(input), this.#program, this.#host);
    if (result) return result;
    this.#jq = await loadJq();
    return outOfMemory;
  }
}

const surrogateEscape = /\\u[dD][89a-fA-F]/;
const escapes =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/g;

/** jq refuses half a surrogate pair, where other readers put the replacement character. */
function withoutLoneSurrogates(json: string): string {
  if (!surrogateEscape.test(json)) return json;
  return json.replace(escapes, (found, lone) => (lone === undefined ? found : '\\ufffd'));
}

/** As few parts as can be, each small enough for jq. */
function* inParts(records: readonly Shown[]): Generator<readonly Shown[]> {
  let start = 0;
  let size = 0;
  for (const [index, { text }] of records.entries()) {
    if (index > start && size + text.length > mostText) {
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
  const failed = state === '1';
  return { record: Number(record), text: failed ? reasonFrom(text) : text, failed };
}

/** An error is a text as a rule, and can be any value. */
const reasonFrom = (json: string): string =>
  json.startsWith('"') ? JSON.parse(json) : `${json} (not a string)`;

/** A string as it is, all else as JSON, as `jq --raw-output` has them. */
function printable(json: string, isTerminal: boolean): string {
  if (!json.startsWith('"')) return isTerminal ? visibleJson(compact(json)) : compact(json);
  const text: string = JSON.parse(json);
  return isTerminal ? sanitiseLines(text).join('\n') : text;
}

/** jq's own words, without what it says of itself. */
function reasonOf(stderr: string): string {
  return stderr
    .replace(/^jq: (?:parse )?error(?: \(at [^)]*\))?: /, '')
    .replace(/\n+jq: \d+ compile errors?$/, '')
    .trimEnd();
}
