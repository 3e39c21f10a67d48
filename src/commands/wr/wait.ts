import { endpoints } from '../../api/endpoints.ts';
import { knownStatuses } from '../../api/knownStatuses.ts';
import { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { valueAt } from '../../json/fields.ts';
import type { ServiceRecord } from '../../json/serviceRecord.ts';
import { closest } from '../../records/knownValues.ts';
import { notify } from '../../terminal/notify.ts';
import { Progress } from '../../terminal/progress.ts';
import { cellText } from '../../values/cell.ts';
import { defaultConcurrency, Semaphore } from '../../values/concurrency.ts';
import { formatDuration, formatSeconds, parseDuration } from '../../values/duration.ts';
import { sanitise } from '../../values/sanitise.ts';
import { formatTime } from '../../values/time.ts';
import { type Command, type Input, optionKey, stringOption } from '../command.ts';
import { distinctIds, idsArgument } from '../read/get.ts';
import { items, nameOf } from '../read/readingValues.ts';
import { remember, seenValues } from '../read/remember.ts';
import { type Ending, type Goal, type Poll, poll } from './poll.ts';
import { workRequestView } from './view.ts';

interface Outcome extends Partial<Ending> {
  id: string;
  error?: MarError;
}

const defaults = { timeout: '30m', interval: '10s' };

export const command: Command = {
  name: 'wait',
  summary: 'Wait until work requests reach a status',
  details:
    'Status changes go to stderr. Each record is printed to stdout when it reaches the status; the others are ' +
    'not printed. Exits with 0 if all reached the status, with 1 if one has a status given with --fail-status, with 9 ' +
    'if the time is up. Network errors, 5xx and 429 are retried at growing intervals, regardless of ' +
    '--retries. 401, 403 and 404 end the wait for that id. --timeout limits the whole wait; a single request ' +
    'may take 30s.',
  arguments: [{ ...idsArgument, completes: { idOf: 'WorkRequest' } }],
  options: [
    {
      flags: '--status <names>',
      summary: 'statuses to wait for, separated by commas (required)',
      many: true,
      completes: { valueNamed: 'status' },
    },
    {
      flags: '--fail-status <names>',
      summary: 'statuses that end the wait with exit code 1',
      many: true,
      completes: { valueNamed: 'status' },
    },
    {
      flags: '--timeout <duration>',
      summary: 'maximum time for the whole wait',
      default: defaults.timeout,
    },
    {
      flags: '--interval <duration>',
      summary: 'time between two checks',
      default: defaults.interval,
    },
    {
      flags: '--notify',
      summary:
        'notify you at the end: with a notification if the terminal can show one, otherwise with the bell',
    },
  ],
  examples: {
    'Wait until it is complete': 'mar wr wait wr-2001 --status complete',
    'Wait for an hour at most, and stop if one is rejected':
      'mar wr wait wr-2001 wr-2004 --status complete --fail-status rejected --timeout 1h',
    'Wait in another window, and be notified at the end':
      'mar wr wait wr-2001 --status complete --notify',
    'Print each id when it is complete': "mar wr wait - --status complete --jq '._id' < ids.txt",
  },
  checkFlags: readWaitFlags,
  async run(context, input) {
    const flags = readWaitFlags(input);
    const isNotified = input.options.notify === true;
    if (isNotified && !context.streams.stderr.isTerminal) {
      context.warn('no-terminal', '--notify has no effect, because stderr is not a terminal');
    }
    const ids = await distinctIds(context, input.arguments, 'WorkRequest');
    const outcomes: Outcome[] = [];
    await print(context, input, collected(watch(context, ids, flags), outcomes));
    const used = outcomes.flatMap(({ id, record }) =>
      record && input.arguments.includes(id) ? [{ id, record }] : [],
    );
    await remember(context, 'WorkRequest', used);
    const failures = outcomes.flatMap((outcome) => failureOf(outcome, flags) ?? []);
    if (isNotified) {
      const all = outcomes.length > 1 ? 'all work requests have' : `${outcomes[0]?.id} has`;
      const text = failures[0]?.message ?? `${all} reached the status`;
      await notify(context.streams.stderr, context.world.env, text);
    }
    // The exit code is that of the first failure, which happened before the timeout.
    if (failures.length > 0) throw MarError.together(failures);
  },
};

function failureOf({ id, how, status, error }: Outcome, flags: WaitFlags): MarError | undefined {
  if (error) return error;
  const facts = { ids: [id], recordStatus: status };
  if (how === 'failed') {
    const message = `${id} now has status ${status}, which is a --fail-status`;
    return new MarError('wait-failed', message, facts);
  }
  if (how === 'reached') return undefined;
  const time = formatDuration(flags.timeoutMs);
  const message =
    status === undefined
      ? `${id} could not be read within ${time}`
      : `${id} still has ${status === '' ? 'no status' : `status ${status}`} after ${time}`;
  return new MarError('wait-timeout', message, {
    ...facts,
    hint: 'Use a longer --timeout, for example --timeout 1h',
  });
}

async function* watch(context: Context, ids: string[], flags: WaitFlags): AsyncGenerator<Outcome> {
  // No retries: the next poll repeats a failed read.
  const polling = new Context(context.world, { ...context.flags, retries: 0 });
  const client = await polling.client();
  const requests = new Semaphore(context.settings.concurrency ?? defaultConcurrency.reads);
  const log = waitLog(context, flags);
  const goal = flags.goal.reached.join(' or ');
  const progress = new Progress(context.progressOptions, (elapsedMs) => [
    `Waiting for ${goal}… ${formatSeconds(elapsedMs / 1000)}`,
  ]);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), flags.timeoutMs);
  const polls = ids.map(async (id): Promise<Outcome> => {
    try {
      const ending = await poll({
        ...flags,
        read: (signal) => requests.run(() => client.call(endpoints.workRequestGet, { id, signal })),
        deadline: deadline.signal,
        interruption: context.world.signal,
        ...log.handlersFor(id),
      });
      return { id, ...ending };
    } catch (error) {
      if (!(error instanceof MarError) || context.world.signal.aborted) throw error;
      if (ids.length > 1) log.line('failed', id, error.message);
      return { id, error };
    }
  });
  try {
    // Only for a person at a terminal: the log of a job does not need it.
    if (context.streams.stderr.isTerminal && !context.flags.quiet) {
      const end = formatTime(new Date(context.world.now().getTime() + flags.timeoutMs));
      context.report(
        `Waiting until ${end} for ${flags.goal.reached.join(' or ')} (Ctrl-C stops waiting)`,
      );
    }
    yield* asTheyFinish(polls);
  } finally {
    clearTimeout(timer);
    progress.end();
    // After a closed pipe or an interruption, other polls are still running.
    deadline.abort();
    await Promise.allSettled(polls);
    polling.close();
  }
}

async function* asTheyFinish<Result>(works: readonly Promise<Result>[]): AsyncGenerator<Result> {
  const pending = new Map(works.map((work, at) => [at, work.then((result) => ({ at, result }))]));
  while (pending.size > 0) {
    const { at, result } = await Promise.race(pending.values());
    pending.delete(at);
    yield result;
  }
}

/** The records that reached the status, each in its own page. Adds all outcomes to a list. */
async function* collected(source: AsyncIterable<Outcome>, outcomes: Outcome[]) {
  for await (const outcome of source) {
    outcomes.push(outcome);
    if (outcome.record && outcome.how === 'reached') yield [outcome.record];
  }
}

async function print({ printer }: Context, input: Input, pages: AsyncIterable<ServiceRecord[]>) {
  const isOne = input.arguments.length === 1 && input.arguments[0] !== '-';
  if (!isOne) return printer.list(pages, workRequestView);
  for await (const [record] of pages) if (record) await printer.record(record, workRequestView);
}

type WaitFlags = ReturnType<typeof readWaitFlags>;

function readWaitFlags(input: Input) {
  const duration = (name: 'timeout' | 'interval') =>
    parseDuration(stringOption(input, name) ?? defaults[name], `--${name}`);
  const reached = statuses(input, '--status');
  const failed = statuses(input, '--fail-status');
  const times = { timeoutMs: duration('timeout'), intervalMs: duration('interval') };
  if (reached.length === 0) {
    throw usageError('--status is required', 'For example: --status complete,awaiting-approval');
  }
  const both = reached.find((status) => failed.includes(status));
  if (both !== undefined) {
    throw usageError(`"${both}" is in both --status and --fail-status`);
  }
  return { goal: { reached, failed }, ...times };
}

function statuses(input: Input, flag: string): string[] {
  const given = input.options[optionKey(flag)];
  if (!Array.isArray(given)) return [];
  const names = given
    .flatMap((text: string) => text.split(','))
    .map((text) => text.trim().toLowerCase());
  if (names.includes('')) {
    throw usageError(`${flag} takes one or more statuses, separated by commas`);
  }
  return [...new Set(names)];
}

function waitLog(context: Context, { goal }: WaitFlags) {
  /** Error messages by id, for ids whose last read failed. */
  const troubles = new Map<string, string>();
  const seen = seenValues(context, 'status');
  const line = (code: string, id: string, message: string, facts: object = {}) => {
    if (context.flags.quiet) return;
    const now = context.world.now();
    const text = `${formatTime(now)}  ${id}  ${sanitise(message)}`;
    context.note(code, message, { id, ...facts, time: now.toISOString() }, text);
  };
  const handlersFor = (id: string): Pick<Poll, 'onStatus' | 'onFailure' | 'onSuccess'> => ({
    onStatus(record, status, before) {
      if (before === undefined) refuseUnknown(goal, record, seen);
      const change = before === undefined ? '' : `${before || '(no status)'} → `;
      const message = `${change}${status || '(no status)'}${causeOf(record, status)}`;
      line('status', id, message, { status, before });
    },
    onFailure({ message }) {
      const isNews = ![...troubles.values()].includes(message);
      troubles.set(id, message);
      if (isNews) line('retrying', id, `${message}; retrying`);
    },
    onSuccess() {
      if (!troubles.delete(id) || troubles.size > 0) return;
      line('responding', id, 'the service responds again');
    },
  });
  return { line, handlersFor };
}

/** A mistyped status is never reached. The record may list the statuses that there are. */
function refuseUnknown(
  { reached, failed }: Goal,
  record: ServiceRecord,
  seen: readonly string[],
): void {
  const listed = items(record.value, '$statuses').map(cellText);
  const known = [...new Set([...listed, ...knownStatuses.workRequest, ...seen])];
  const isKnown = (status: string) => known.some((one) => one.toLowerCase() === status);
  for (const status of [...reached, ...failed].filter((one) => !isKnown(one))) {
    const meant = closest(status, known);
    if (meant === undefined && listed.length === 0) continue;
    const suggestion = meant === undefined ? '' : ` (did you mean "${meant}"?)`;
    throw usageError(
      `unknown status "${status}"${suggestion}`,
      `Known statuses: ${known.join(', ')}`,
      { value: status, suggestion: meant, allowed: known },
    );
  }
}

function causeOf(record: ServiceRecord, status: string): string {
  const last = items(record.value, 'history').at(-1);
  if (cellText(valueAt(last, 'status')) !== status) return '';
  const who = cellText(nameOf(last, 'user'));
  const why = cellText(valueAt(last, 'reason'));
  const by = who === '' ? '' : `, by ${who}`;
  return why === '' ? by : `${by}: ${why}`;
}
