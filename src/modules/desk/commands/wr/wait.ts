import { endpoints } from '../../../../core/api/endpoints.ts';
import { assumptionHint } from '../../../../core/api/service.ts';
import type { Command } from '../../../../core/commands/command.ts';
import { nameOf } from '../../../../core/commands/viewParts.ts';
import { workRequestView } from '../../../../core/commands/wr/view.ts';
import { MarError, usageError } from '../../../../core/errors.ts';
import { type Input, option, optionKey, stringOption } from '../../../../core/input.ts';
import { items, valueAt } from '../../../../core/json/fields.ts';
import type { ServiceRecord } from '../../../../core/json/serviceRecord.ts';
import { listResult, recordResult } from '../../../../core/output/result.ts';
import { distinctIds, idsArgument } from '../../../../core/reads/getRecords.ts';
import { valuesOf } from '../../../../core/records/knownValues.ts';
import type { Context } from '../../../../core/session/context.ts';
import { remember } from '../../../../core/session/remember.ts';
import { cellText } from '../../../../core/values/cell.ts';
import { atMost, defaultConcurrency, settle } from '../../../../core/values/concurrency.ts';
import { formatDuration, parseDuration, pause } from '../../../../core/values/duration.ts';
import { closest } from '../../../../core/values/nearest.ts';
import { sanitise } from '../../../../core/values/sanitise.ts';
import { formatTime } from '../../../../core/values/time.ts';

interface Outcome {
  id: string;
  status?: string;
  record?: ServiceRecord;
  /** Why it has not reached the status. */
  error?: MarError;
}

const defaults = { timeout: '30m', interval: '10s' };

/** The pauses grow up to this while reads fail. */
const maxPauseMs = 60_000;

export const command: Command = {
  summary: 'Wait until work requests reach a status',
  details:
    'Prints changes of status to stderr, and the records that reach the status to stdout. The exit code is 0 if all reach it, else that of a failure: 1 for a --fail-status, 9 if the time is up. While the service fails or is busy, mar keeps trying. Other errors, such as 403 and 404, end the wait for that id.',
  arguments: [{ ...idsArgument, completes: { idOf: 'WorkRequest' } }],
  options: [
    option('--status <names>', 'statuses to wait for, separated by commas (required)', {
      many: true,
      completes: { valueNamed: 'status' },
    }),
    option('--fail-status <names>', 'statuses that end the wait for that id, with exit code 1', {
      many: true,
      completes: { valueNamed: 'status' },
    }),
    option('--timeout <duration>', 'maximum time for the whole wait', {
      default: defaults.timeout,
    }),
    option('--interval <duration>', 'time between two checks, longer while they fail', {
      default: defaults.interval,
    }),
    option('--notify', 'ring the bell of the terminal at the end'),
  ],
  examples: {
    'Wait until it is complete': 'mar wr wait wr-2001 --status complete',
    'Wait for an hour at most, and fail if one is rejected':
      'mar wr wait wr-2001 wr-2004 --status complete --fail-status rejected --timeout 1h',
    'Wait in another window, and hear the end': 'mar wr wait wr-2001 --status complete --notify',
    'Print each id when it is complete': "mar wr wait - --status complete --jq '._id' < ids.txt",
  },
  async *run(context, input) {
    const flags = readWaitFlags(input);
    const ids = await distinctIds(context, input);
    const outcomes: Outcome[] = [];
    // The records that reached the status, each in its own page.
    async function* pages() {
      for await (const outcome of watch(context, ids, flags)) {
        outcomes.push(outcome);
        if (outcome.record && !outcome.error) yield [outcome.record] as const;
      }
    }
    const isOne = input.arguments.length === 1 && input.arguments[0] !== '-';
    if (!isOne) yield listResult(pages(), workRequestView);
    else for await (const [record] of pages()) yield recordResult(record, workRequestView);
    const used = outcomes.flatMap(({ id, record }) =>
      record && input.arguments.includes(id) ? [{ id, record }] : [],
    );
    await remember(context.session, 'WorkRequest', used);
    const { stderr } = context.world.streams;
    if (input.options.notify && stderr.isTerminal) await stderr.write('\u0007').catch(() => {});
    const failures = outcomes.flatMap(({ error }) => error ?? []);
    // The exit code is that of the first failure, which happened before the timeout.
    if (failures.length > 0) throw MarError.together(failures);
  },
};

function timeoutError({ id, status }: Outcome, timeoutMs: number): MarError {
  const time = formatDuration(timeoutMs);
  const message =
    status === undefined
      ? `${id} could not be read within ${time}`
      : `${id} still has ${status === '' ? 'no status' : `status ${status}`} after ${time}`;
  const hint = 'Use a longer --timeout, for example --timeout 1h';
  return new MarError('wait-timeout', message, { ids: [id], recordStatus: status, hint });
}

async function* watch(context: Context, ids: string[], flags: WaitFlags): AsyncGenerator<Outcome> {
  const { reached, failed, timeoutMs, intervalMs } = flags;
  const { signal: interruption } = context.world;
  // No retries: the next poll repeats a failed read.
  const polling = context.session.withoutRetries();
  const client = await polling.client();
  const limited = atMost(context.session.settings.concurrency ?? defaultConcurrency.reads);
  /** Error messages by id, for ids whose last read failed. */
  const troubles = new Map<string, string>();
  const log = (code: string, id: string, message: string, facts: object = {}) => {
    if (context.flags.quiet) return;
    const now = context.world.now();
    const text = `${formatTime(now)}  ${id}  ${sanitise(message)}`;
    context.reporter.note(code, message, { id, ...facts, time: now.toISOString() }, text);
  };
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  const signal = AbortSignal.any([interruption, deadline.signal]);
  const read = (id: string) =>
    settle(limited(() => client.call(endpoints.workRequestGet, { id, signal })));

  async function poll(id: string): Promise<Outcome> {
    const last: Outcome = { id };
    let failures = 0;
    /** Longer while reads fail. */
    const waitForNextRead = async (error?: MarError) => {
      failures = error ? failures + 1 : 0;
      const max = Math.max(intervalMs, maxPauseMs);
      const pauseMs = Math.min(max, intervalMs * 2 ** Math.min(failures, 10));
      // Varies by a fifth, so that polls that start together spread out.
      const variedMs = pauseMs * (0.8 + 0.4 * Math.random());
      await pause(Math.max(variedMs, error?.details.retryAfterMs ?? 0), signal);
    };
    try {
      for (;;) {
        const { result: record, error } = await read(id);
        if (!record) {
          if (signal.aborted || !(error instanceof MarError) || !isTemporary(error)) throw error;
          const isNews = ![...troubles.values()].includes(error.message);
          troubles.set(id, error.message);
          if (isNews) log('retrying', id, `${error.message}; retrying`);
          await waitForNextRead(error);
          continue;
        }
        const { status: before } = last;
        const status = cellText(valueAt(record.value, 'status'));
        const isOver = troubles.delete(id) && troubles.size === 0;
        if (isOver) log('responding', id, 'the service responds again');
        if (before === undefined) checkStatuses(context, flags, record);
        if (status !== before) {
          const change = before === undefined ? '' : `${before || '(no status)'} → `;
          const message = `${change}${status || '(no status)'}${causeOf(record, status)}`;
          log('status', id, message, { status, before });
        }
        Object.assign(last, { record, status });
        // Statuses are compared without regard to case.
        const current = status.toLowerCase();
        if (reached.includes(current)) return last;
        if (failed.includes(current)) {
          const message = `${id} now has status ${status}, which is a --fail-status`;
          const facts = { ids: [id], recordStatus: status };
          return { ...last, error: new MarError('wait-failed', message, facts) };
        }
        await waitForNextRead();
      }
    } catch (error) {
      if (interruption.aborted) throw error;
      if (deadline.signal.aborted) return { ...last, error: timeoutError(last, timeoutMs) };
      if (!(error instanceof MarError)) throw error;
      if (ids.length > 1) log('failed', id, error.message);
      return { id, error };
    }
  }

  const endWait = context.reporter.startWait(reached.join(' or '));
  const polls = new Map(ids.map((id) => [id, poll(id)]));
  try {
    while (polls.size > 0) {
      const outcome = await Promise.race(polls.values());
      polls.delete(outcome.id);
      yield outcome;
    }
  } finally {
    clearTimeout(timer);
    endWait();
    // After a closed pipe or an interruption, other polls are still running.
    deadline.abort();
    await Promise.allSettled(polls.values());
    polling.close();
  }
}

function isTemporary(error: MarError): boolean {
  const { status = 0, retryable = false } = error.details;
  return error.kind === 'network' || retryable || status >= 500;
}

type WaitFlags = ReturnType<typeof readWaitFlags>;

function readWaitFlags(input: Input) {
  const duration = (name: 'timeout' | 'interval') =>
    parseDuration(stringOption(input, name) ?? defaults[name], `--${name}`);
  const reached = statuses(input, '--status');
  const failed = statuses(input, '--fail-status');
  const times = { timeoutMs: duration('timeout'), intervalMs: duration('interval') };
  if (reached.length === 0) {
    const hint = 'For example: --status complete,awaiting-approval';
    throw usageError('--status is required', hint, { flag: '--status' });
  }
  const both = reached.find((status) => failed.includes(status));
  if (both !== undefined) {
    const facts = { flag: '--status', value: both };
    throw usageError(`"${both}" is in both --status and --fail-status`, facts);
  }
  return { reached, failed, ...times };
}

function statuses(input: Input, flag: string): string[] {
  const given = input.options[optionKey(flag)];
  if (!Array.isArray(given)) return [];
  const value = given.join(',');
  const names = value.split(',').map((text) => text.trim().toLowerCase());
  if (names.includes('')) {
    const message = `${flag} takes one or more statuses, separated by commas`;
    throw usageError(message, { flag, value });
  }
  return [...new Set(names)];
}

/** A mistyped status is never reached. The API does not list all of them, so any other word may come. */
function checkStatuses(context: Context, { reached, failed }: WaitFlags, { value }: ServiceRecord) {
  const seen = valuesOf('WorkRequest', value).filter(([name]) => name === 'status');
  const known = [...context.session.service().items('status'), ...seen.map(([, one]) => one)];
  const isKnown = (status: string) => known.some((one) => one.toLowerCase() === status);
  for (const status of [...reached, ...failed].filter((one) => !isKnown(one))) {
    const meant = closest(status, known);
    if (meant !== undefined && meant.length >= 6) {
      const flag = reached.includes(status) ? '--status' : '--fail-status';
      const facts = { flag, value: status, suggestion: meant, allowed: [...new Set(known)] };
      const hint = assumptionHint({ key: `status.${status}`, value: 'open' });
      throw usageError(`unknown status "${status}" (did you mean "${meant}"?)`, hint, facts);
    }
    if (items(value, '$statuses').length > 0) {
      context.reporter.reportOnce(`Waiting for "${status}", which is not a status that mar knows`);
    }
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
