import { endpoints } from '../../api/endpoints.ts';
import { pathSegment } from '../../client/request.ts';
import { Context } from '../../context.ts';
import { MarError } from '../../errors.ts';
import { formatDuration } from '../../http/duration.ts';
import type { Shown } from '../../terminal/view.ts';
import type { Input } from '../command.ts';
import { idsOf } from '../verbs/get.ts';
import { remember } from '../verbs/remember.ts';
import { workRequestView } from '../views/workRequest.ts';
import { createGate } from './gate.ts';
import { type Ending, poll } from './poll.ts';
import { readWaitFlags, type WaitFlags } from './waitFlags.ts';
import { WaitLog } from './waitLog.ts';

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
): AsyncGenerator<Shown[]> {
  for await (const outcome of source) {
    outcomes.push(outcome);
    if (outcome.record) yield [outcome.record];
  }
}

/** One id gives one record, or none; several, or those of standard input, a list. */
async function print(context: Context, input: Input, pages: AsyncIterable<Shown[]>): Promise<void> {
  const isOne = input.arguments.length === 1 && input.arguments[0] !== '-';
  if (!isOne) return context.printer.list(pages, workRequestView);
  for await (const [record] of pages) {
    if (record) await context.printer.record(record, workRequestView);
  }
}
