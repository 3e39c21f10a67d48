import { setMaxListeners } from 'node:events';
import { schemas } from '../../api/schemas.ts';
import type { Row } from '../../batch/input/row.ts';
import { rowsOf } from '../../batch/input/rows.ts';
import type { Source } from '../../batch/input/source.ts';
import type { Journal } from '../../batch/journal/journal.ts';
import { shardSize } from '../../batch/journalPaths.ts';
import { Runner, type Stop } from '../../batch/runner.ts';
import { type Outcome, type Sending, sendRow } from '../../batch/send.ts';
import { summarise } from '../../batch/summary.ts';
import { parcelOf, type Rules } from '../../batch/survey.ts';
import type { Context } from '../../context.ts';
import { loginHint } from '../../credentials/identity.ts';
import { MarError } from '../../errors.ts';
import type { InvalidRows } from './invalidRows.ts';
import { BatchOutput } from './progress.ts';
import { type Ending, endBatch } from './result.ts';
import type { BatchSettings } from './settings.ts';

/** What they look like, all that follow do as well. */
const checkedAnswers = 100;

/** A batch whose input was looked at and whose journal is open. */
export interface Batch {
  source: Source;
  rules: Rules;
  settings: BatchSettings;
  journal: Journal;
  /** Of the whole input. */
  rows: number;
  /** Whether a row is still to be sent. */
  isSent(row: number): boolean;
  invalid: InvalidRows;
}

/** Decides what is to be decided, sends what is left, and tells what became of it. */
export async function sendRows(context: Context, batch: Batch): Promise<void> {
  const { settings } = batch;
  if (settings.resolve) {
    const { resolveRows } = await import('./resolve.ts');
    await resolveRows(context, batch, settings.resolve);
  }
  if (settings.status) return endBatch(context, batch, { isStatus: true });
  if (settings.skipInvalid) for (const line of batch.invalid.lines) context.note(line);
  await endBatch(context, batch, await send(context, batch));
}

async function send(context: Context, batch: Batch): Promise<Ending> {
  const { journal, rules, settings, rows } = batch;
  const total = shardSize(rows, settings.shard);
  if (!hasMore(batch)) return {};
  const { signal, redactor } = context.world;
  const output = new BatchOutput(context, () => summarise(total, journal.states));
  const sending = await sendingOf(context, rules);
  const runner = new Runner({
    rows: rowsToSend(batch.source, rules, batch.isSent),
    journal,
    signal,
    concurrency: settings.concurrency,
    stopOnError: settings.stopOnError,
    send: (row) => sendOne(sending, row, rules),
    onOutcome: (row, outcome) => output.row(row, outcome),
    onLost: (row, outcome) => output.lost(row, outcome),
    clean: (text) => redactor.clean(text),
  });
  const tellDraining = () => {
    context.note('finishing what is under way; once more to leave at once, which is safe as well');
  };
  signal.addEventListener('abort', tellDraining, { once: true });
  let stop: Stop | undefined;
  try {
    stop = await runner.run();
  } finally {
    signal.removeEventListener('abort', tellDraining);
    await output.end();
  }
  const { misfit, unprinted } = output;
  return { stop, misfit, unprinted };

  async function sendingOf({ flags }: Context, { endpoint }: Rules): Promise<Sending> {
    const identity = context.identity();
    context.tellDestination(identity);
    const client = await context.client();
    let answers = 0;
    return {
      client,
      baseUrl: identity.baseUrl,
      endpoint,
      schema: schemas[endpoint.response](),
      loginHint: loginHint(identity),
      isChecked: () => {
        answers += 1;
        return flags.strict || answers <= checkedAnswers;
      },
      signal: untouched(),
      // The row is done whatever its answer looks like: an error comes when all are.
      onMisfit: (message) => output.noteMisfit(message, flags.strict),
    };
  }
}

/** A signal for many requests at a time: Node would take so many listeners for a mistake. */
function untouched(): AbortSignal {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return signal;
}

async function sendOne(sending: Sending, row: Row, rules: Rules): Promise<Outcome> {
  try {
    return await sendRow(sending, parcelOf(row, rules));
  } catch (error) {
    // It was fit to be sent a moment ago; whatever it is now, it was not sent.
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'unsent', error: new MarError('usage', reason, { cause: error }) };
  }
}

/** Whether anything is left to send: if not, nobody has to be logged in. */
function hasMore(batch: Batch): boolean {
  for (let row = 1; row <= batch.rows; row += 1) {
    if (batch.isSent(row)) return true;
  }
  return false;
}

/** The rows that are still to be sent. */
export async function* rowsToSend(
  source: Source,
  rules: Rules,
  isSent: (row: number) => boolean,
): AsyncGenerator<Row> {
  for await (const row of rowsOf(source, { ...rules, onUnknown: () => {} })) {
    if (isSent(row.number)) yield row;
  }
}
