import { endpoints, knownStatuses } from '../../api/endpoints.ts';
import { pathSegment } from '../../client/request.ts';
import { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { valueAt } from '../../json/fields.ts';
import type { ServiceRecord } from '../../json/serviceRecord.ts';
import { cellText } from '../../terminal/columns.ts';
import { sanitise } from '../../terminal/sanitise.ts';
import { formatDuration, parseDuration } from '../../values/duration.ts';
import { type Input, type Option, textOption } from '../command.ts';
import { idsOf } from '../read/get.ts';
import { items, nameOf } from '../read/readingValues.ts';
import { remember } from '../read/remember.ts';
import { createGate, type Ending, type Goal, type Poll, poll } from './poll.ts';
import { workRequestView } from './view.ts';

/** As many requests as are under way side by side, however many records are waited for. */
const usualConcurrency = 6;

/** What became of one id. */
interface Outcome extends Partial<Ending> {
  id: string;
  error?: MarError;
}

/**
 * Waits until work requests have one of some statuses. Each is printed as it gets there, or as it
 * was when time was up. One that fails does not keep the others back.
 */
export async function wait(context: Context, input: Input): Promise<void> {
  const flags = readWaitFlags(input);
  for (const id of input.arguments) pathSegment(id);
  const ids = new Set<string>();
  for await (const id of idsOf(input.arguments, context.streams)) {
    pathSegment(id);
    ids.add(id);
  }
  const outcomes: Outcome[] = [];
  await print(context, input, collected(watch(context, [...ids], flags), outcomes));
  await remember(
    context,
    endpoints.workRequestGet.resource,
    outcomes.flatMap(({ id, record }) =>
      record && input.arguments.includes(id) ? [{ id, record }] : [],
    ),
  );
  const failures = outcomes.map((outcome) => failureOf(outcome, flags)).filter(isFailure);
  // What failed did so before time was up, and so comes first and decides; a missing record does not.
  if (failures.length > 0) throw MarError.together(failures);
}

const isFailure = (error: MarError | undefined) => error !== undefined;

function failureOf({ id, how, status, error }: Outcome, flags: WaitFlags): MarError | undefined {
  if (error) return error;
  if (how === 'failed') return new MarError('wait-failed', `${id} is ${status}`);
  if (how === 'reached') return undefined;
  const state =
    status === undefined ? 'could not be read' : `is still ${status || 'without status'}`;
  const message = `${id} ${state} after ${formatDuration(flags.timeoutMs)}`;
  return new MarError('wait-timeout', message, {
    hint: 'wait longer, for example with --timeout 1h',
  });
}

/** Every id is polled by itself, and gives its outcome as soon as there is one. */
async function* watch(context: Context, ids: string[], flags: WaitFlags): AsyncGenerator<Outcome> {
  // A read that fails is done again here, when it is time for the next one.
  const asking = new Context(context.world, { ...context.flags, retries: 0 });
  const client = await asking.client();
  const enter = createGate(context.settings.concurrency ?? usualConcurrency);
  const log = new WaitLog(context, flags);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), flags.timeoutMs);
  const polls = ids.map(async (id): Promise<Outcome> => {
    const read = (signal: AbortSignal) =>
      enter(() => client.call(endpoints.workRequestGet, { id, signal }));
    try {
      const ending = await poll({
        ...flags,
        read,
        deadline: deadline.signal,
        interruption: context.world.signal,
        ...log.of(id),
      });
      return { id, ...ending };
    } catch (error) {
      if (!(error instanceof MarError) || context.world.signal.aborted) throw error;
      if (ids.length > 1) log.failed(id, error);
      return { id, error };
    }
  });
  try {
    log.begin();
    yield* asTheyEnd(polls);
  } finally {
    clearTimeout(timer);
    // Nobody wants the others any more: a closed pipe, an interruption.
    deadline.abort();
    await Promise.allSettled(polls);
    asking.close();
  }
}

async function* asTheyEnd<Result>(works: readonly Promise<Result>[]): AsyncGenerator<Result> {
  const pending = new Map(works.map((work, at) => [at, work.then((result) => ({ at, result }))]));
  while (pending.size > 0) {
    const { at, result } = await Promise.race(pending.values());
    pending.delete(at);
    yield result;
  }
}

/** The records to print, each in a page of its own; what became of them is written down. */
async function* collected(
  source: AsyncIterable<Outcome>,
  outcomes: Outcome[],
): AsyncGenerator<ServiceRecord[]> {
  for await (const outcome of source) {
    outcomes.push(outcome);
    if (outcome.record) yield [outcome.record];
  }
}

/** One id gives one record, or none; several, or those of standard input, a list. */
async function print(
  context: Context,
  input: Input,
  pages: AsyncIterable<ServiceRecord[]>,
): Promise<void> {
  const isOne = input.arguments.length === 1 && input.arguments[0] !== '-';
  if (!isOne) return context.printer.list(pages, workRequestView);
  for await (const [record] of pages) {
    if (record) await context.printer.record(record, workRequestView);
  }
}

interface WaitFlags {
  goal: Goal;
  timeoutMs: number;
  intervalMs: number;
}

const defaults = { timeout: '30m', interval: '10s' };

const offerStatuses = () => knownStatuses.workRequest.map((value) => ({ value }));

export const waitOptions: readonly Option[] = [
  {
    flags: '--status <names>',
    summary: 'wait for one of these statuses, separated by commas; must be given',
    many: true,
    completes: offerStatuses,
  },
  {
    flags: '--fail-status <names>',
    summary: 'stop waiting, with exit code 1, at one of these',
    many: true,
    completes: offerStatuses,
  },
  {
    flags: '--timeout <duration>',
    summary: 'give up after this long, all in all',
    default: defaults.timeout,
  },
  {
    flags: '--interval <duration>',
    summary: 'look about this often',
    default: defaults.interval,
  },
];

/** What is waited for, how long, and how often it is looked at. */
function readWaitFlags(input: Input): WaitFlags {
  const duration = (name: 'timeout' | 'interval') =>
    parseDuration(textOption(input, name) ?? defaults[name], `--${name}`);
  const flags = {
    goal: { reached: statuses(input, 'status'), failed: statuses(input, 'failStatus') },
    timeoutMs: duration('timeout'),
    intervalMs: duration('interval'),
  };
  const { reached, failed } = flags.goal;
  if (reached.length === 0) {
    throw usageError('say what to wait for', 'for example --status complete,awaiting-approval');
  }
  const both = reached.find((status) => failed.includes(status));
  if (both !== undefined) {
    throw usageError(`"${both}" cannot be both --status and --fail-status`);
  }
  return flags;
}

/** `--status a,b`, once or several times. */
function statuses(input: Input, name: string): string[] {
  const given = input.options[name];
  if (!Array.isArray(given)) return [];
  const names = given.flatMap((text: string) => text.split(',')).map((text) => text.trim());
  if (names.includes('')) {
    const flag = name === 'status' ? '--status' : '--fail-status';
    throw usageError(`${flag} takes one or more statuses, separated by commas`);
  }
  return [...new Set(names)];
}

/** What happens during a wait, line by line on standard error, each with its time. */
class WaitLog {
  readonly #context: Context;
  readonly #flags: WaitFlags;
  /** The ids that could not be read the last time, and why. */
  readonly #troubles = new Map<string, string>();

  constructor(context: Context, flags: WaitFlags) {
    this.#context = context;
    this.#flags = flags;
  }

  /** Somebody who looks on is told what is going on; a job's log need not be. */
  begin(): void {
    if (!this.#context.streams.stderr.isTerminal) return;
    const { goal, timeoutMs } = this.#flags;
    const end = new Date(this.#context.world.now().getTime() + timeoutMs);
    this.#context.say(
      `waiting for ${goal.reached.join(' or ')}, until ${clock(end)} at most; Ctrl-C ends it`,
    );
  }

  /** For the poll of one id. */
  of(id: string): Pick<Poll, 'onStatus' | 'onTrouble' | 'onAnswer'> {
    return {
      onStatus: (record, status, before) => {
        if (before === undefined) this.#warnOfUnknown(record);
        const change = before === undefined ? '' : `${before || '(no status)'} → `;
        this.#line(id, `${change}${status || '(no status)'}${causeOf(record, status)}`);
      },
      onTrouble: (error) => {
        const isNews = ![...this.#troubles.values()].includes(error.message);
        this.#troubles.set(id, error.message);
        if (isNews) this.#line(id, `${error.message}; will try again`);
      },
      onAnswer: () => {
        if (this.#troubles.delete(id) && this.#troubles.size === 0) {
          this.#line(id, 'the service answers again');
        }
      },
    };
  }

  failed(id: string, error: MarError): void {
    this.#line(id, error.message);
  }

  /** A status that is mistyped is never reached. The record may know which ones there are. */
  #warnOfUnknown(record: ServiceRecord): void {
    const known = items(record.value, '$statuses').map(cellText);
    const { reached, failed } = this.#flags.goal;
    const unknown = [...reached, ...failed].filter((status) => !known.includes(status));
    if (known.length === 0 || unknown.length === 0) return;
    const names = unknown.map((status) => `"${status}"`).join(', ');
    this.#context.note(`warning: the records do not know ${names}, but ${known.join(', ')}`);
  }

  #line(id: string, text: string): void {
    this.#context.say(`${clock(this.#context.world.now())}  ${id}  ${sanitise(text)}`);
  }
}

/** Who brought the record to its status, and why, where its history ends with that. */
function causeOf(record: ServiceRecord, status: string): string {
  const last = items(record.value, 'history').at(-1);
  if (cellText(valueAt(last, 'status')) !== status) return '';
  const who = cellText(nameOf(last, 'user'));
  const why = cellText(valueAt(last, 'reason'));
  const by = who === '' ? '' : `, by ${who}`;
  return why === '' ? by : `${by}: ${why}`;
}

/** The time of day where this runs: `14:03:59`. */
const clock = (date: Date) =>
  [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
