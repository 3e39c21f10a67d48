import { recordIdOf } from '../../client/response.ts';
import { MarError } from '../../errors.ts';
import type { RecordChange } from '../../records/recordChange.ts';
import type { Row } from '../../rows/row.ts';
import type { Journal } from '../journal/journal.ts';
import type { RowOutcome, SendRow } from './sendRow.ts';
import { Throttle } from './throttle.ts';

/** After so many rows in succession, the service counts as down. */
const maxRowsWithoutResponse = 5;
/** If the service asks for a longer wait, the run stops; the batch can be resumed later. */
const maxWaitMs = 10 * 60_000;

interface RunnerOptions {
  rows: AsyncGenerator<Row>;
  journal: Journal;
  concurrency: number;
  stopOnError: boolean;
  signal: AbortSignal;
  /**
   * Builds the request of a row; reads and compares the record that the row changes. Called when the
   * row has its slot, because a record that waits in memory gets old. Returns an outcome if there is
   * nothing to send. Never throws.
   */
  prepare(row: Row): Promise<ReadyRow | RowOutcome>;
  /** Called once a row's outcome is on the disk. Must not throw. */
  onOutcome(row: Row, outcome: RowOutcome): Promise<void>;
  onUnrecorded(row: Row, outcome: RowOutcome): void;
  /** Called while the rows in progress are finished. */
  onInterrupted(): void;
  /** Removes secrets from messages for the journal: a service may quote what it was sent. */
  redact(text: string): string;
}

export type StopReason =
  | { why: 'interrupted' }
  /** `input`: it changed after it was validated. */
  | { why: 'error' | 'down' | 'auth' | 'input'; error: MarError }
  | { why: 'wait'; error: MarError; waitMs: number };

/** A row that is sent at once. */
interface ReadyRow {
  send: SendRow;
  id?: string;
  /** The values that the row replaces. */
  change?: RecordChange;
}

interface Sent {
  row: Row;
  outcome: RowOutcome;
}

/** Each row is sent once, except after a 429, which says that the service did not process it. */
export async function sendRows(options: RunnerOptions): Promise<StopReason | undefined> {
  const { rows, journal, concurrency, signal, onOutcome } = options;
  const throttle = new Throttle(concurrency);
  const { slots } = throttle;
  /** Rows that were refused with 429 or had to wait for its pause: they are read again and sent next. */
  const refused: Row[] = [];
  let rowsWithoutResponse = 0;
  let stop: StopReason | undefined;
  journal.maxIntents = Math.ceil(concurrency / 2);

  const end = (reason: StopReason) => {
    stop ??= reason;
    throttle.end();
  };

  const next = async (): Promise<Row | undefined> => {
    if (stop) return undefined;
    try {
      return refused.shift() ?? (await rows.next()).value;
    } catch (error) {
      if (!(error instanceof MarError)) throw error;
      end({ why: 'input', error });
      return undefined;
    }
  };

  const handleOutcome = (row: Row, outcome: RowOutcome, change?: RecordChange) => {
    const event = eventFor(outcome, options.redact);
    // The next run compares the record with the change before it sends the row again.
    const mayBeSentAgain = event.event === 'unknown' || event.event === 'unsent';
    // A row that was never sent is pending without an event.
    if (event.event !== 'unsent' || journal.states.get(row.number) === 'sending') {
      journal.append({ row: row.number, ...event }, mayBeSentAgain ? change : undefined);
    }
    const hasResponse = outcome.kind !== 'unknown' && outcome.kind !== 'unsent';
    rowsWithoutResponse = hasResponse ? 0 : rowsWithoutResponse + 1;
    if (outcome.kind === 'done' || outcome.kind === 'unchanged') return throttle.succeeded();
    const { error } = outcome;
    if (outcome.kind === 'throttled') {
      const { waitMs = 0 } = outcome;
      if (waitMs > maxWaitMs) return end({ why: 'wait', error, waitMs });
      refused.push(row);
      throttle.slowDown(waitMs);
    } else if (outcome.kind === 'locked-out') end({ why: 'auth', error });
    else if (rowsWithoutResponse >= maxRowsWithoutResponse) end({ why: 'down', error });
    else if (options.stopOnError) end({ why: 'error', error });
  };

  const recorded = async (sent: Sent | undefined, record: Promise<void>) => {
    try {
      await record;
    } catch (error) {
      if (sent) options.onUnrecorded(sent.row, sent.outcome);
      throw error;
    }
  };

  /** An outcome is printed only when it is on the disk. */
  const save = async (sent: Sent | undefined): Promise<undefined> => {
    if (!sent) return;
    await recorded(sent, journal.synced());
    await onOutcome(sent.row, sent.outcome);
  };

  /** Sends a row, and saves the previous outcome of its worker. Nothing waits between read and write. */
  const send = async (row: Row, previous: Sent | undefined): Promise<Sent | undefined> => {
    const prepared = await options.prepare(row);
    const isOutcome = 'kind' in prepared;
    if (stop || (throttle.isPaused && !isOutcome)) {
      refused.push(row);
      return previous;
    }
    if (isOutcome) {
      handleOutcome(row, prepared);
      await save(previous);
      return { row, outcome: prepared };
    }
    const { id, change } = prepared;
    // One sync covers the previous row's outcome and the intent to send this row.
    const intended = journal.intend({ row: row.number, event: 'sending', id }, change);
    await recorded(previous, intended);
    let sent: Promise<Sent> | undefined;
    if (stop || throttle.isPaused) {
      journal.append({ row: row.number, event: 'unsent' }, change);
      refused.push(row);
      await journal.synced();
    } else {
      sent = prepared.send().then((outcome) => {
        handleOutcome(row, outcome, change);
        return { row, outcome };
      });
    }
    // Printed while the row is sent, because a reader of the output may be slow.
    if (previous) await onOutcome(previous.row, previous.outcome);
    return sent;
  };

  const work = async () => {
    let previous: Sent | undefined;
    try {
      for (;;) {
        // While no row may be sent, save the previous outcome now.
        if (slots.isFull) previous = await save(previous);
        await slots.acquire();
        try {
          const row = await next();
          if (!row) break;
          previous = await send(row, previous);
        } finally {
          slots.release();
        }
      }
      await save(previous);
    } catch (error) {
      // The journal cannot be written, so no other worker may send either.
      end({ why: 'error', error: error as MarError });
      throw error;
    }
  };

  const interrupt = () => {
    end({ why: 'interrupted' });
    options.onInterrupted();
  };
  if (signal.aborted) end({ why: 'interrupted' });
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    const ended = await Promise.allSettled(Array.from({ length: concurrency }, work));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    return stop;
  } finally {
    signal.removeEventListener('abort', interrupt);
    throttle.end();
    await rows.return(undefined);
  }
}

function eventFor(outcome: RowOutcome, redact: RunnerOptions['redact']) {
  if (outcome.kind === 'done') {
    return { event: 'done', id: recordIdOf(outcome.record.value) } as const;
  }
  if (outcome.kind === 'unchanged') return { event: 'unchanged', id: outcome.id } as const;
  const { kind, error } = outcome;
  const event = kind === 'throttled' || kind === 'locked-out' ? 'unsent' : kind;
  return { event, status: error.details.status, message: redact(error.message) } as const;
}
