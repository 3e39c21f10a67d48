import { hideSecrets } from '../api/secrets.ts';
import { usageError } from '../errors.ts';
import { pretty } from '../json/text.ts';
import { printJson } from '../json/value.ts';
import { withPrompter } from '../output/prompt.ts';
import type { RecordChange } from '../records/recordChange.ts';
import { keyOf } from '../rows/rowKey.ts';
import { readRows, rowRequest } from '../rows/rows.ts';
import type { Context } from '../session/context.ts';
import { plural } from '../values/numbers.ts';
import type { Journal } from './journal/journal.ts';
import { latestChange, latestEvent } from './journal/replay.ts';
import type { KnownRows } from './journal/rowMatcher.ts';
import type { BatchInput } from './rules.ts';

/** Rows have the numbers that they had in the input of the last run: those that it printed. */
interface UnresolvedBatch extends BatchInput {
  journal: Journal;
  known: KnownRows;
}

interface Decision {
  as: 'created' | 'retry';
  id?: string;
}

export const resolveFlags = (row: number) => `--resolve ${row}=created or --resolve ${row}=retry`;

/** Records decisions about unknown rows. Without `texts`, the user is asked about each. */
export async function resolveRows(
  context: Context,
  batch: UnresolvedBatch,
  texts: readonly string[],
): Promise<void> {
  const { journal } = batch;
  const isAsking = texts.length === 0;
  const decisions = new Map<number, Decision | undefined>();
  if (isAsking) for (const row of rowsToAskAbout(context, journal)) decisions.set(row, undefined);
  for (const { row, decision } of texts.map(parseResolution)) {
    if (decisions.has(row)) throw usageError(`duplicate --resolve for row ${row}`);
    checkResolvable(batch, row);
    decisions.set(row, decision);
  }
  for await (const { row, text, change } of describeRows(batch, decisions.keys())) {
    context.reporter.reportOnce(text, isAsking ? 'essential' : undefined);
    const decision = isAsking ? await askAbout(context, row) : decisions.get(row);
    // Keeps the replaced values of the row, which are needed if it is sent again.
    if (decision) journal.append({ row, event: 'resolved', ...decision }, change);
    await journal.synced();
  }
}

function rowsToAskAbout(context: Context, { states }: Journal): number[] {
  const unknown = [...states.rowsIn('unknown')];
  const [first] = unknown;
  if (first === undefined) context.reporter.reportOnce('No row has an unknown outcome');
  else if (!context.reporter.isInteractive) {
    throw usageError(
      '--resolve without a value asks about each row, which needs a terminal',
      `Name the row: ${resolveFlags(first)}`,
    );
  }
  return unknown;
}

/** `17=created`, `17=created:wr-9`, `17=retry`. */
function parseResolution(text: string): { row: number; decision: Decision } {
  const [, row, outcome = ''] = /^(\d{1,9})=(.*)$/s.exec(text) ?? [];
  const decision = row === undefined ? undefined : parseDecision(outcome);
  if (decision) return { row: Number(row), decision };
  throw usageError(
    `--resolve takes a row and its outcome, not "${text}"`,
    'For example: --resolve 17=created, --resolve 17=created:wr-9 or --resolve 17=retry',
  );
}

function parseDecision(text: string): Decision | undefined {
  if (text === 'retry' || text === 'created') return { as: text };
  const [, id] = /^created:(.+)$/s.exec(text) ?? [];
  return id === undefined ? undefined : { as: 'created', id };
}

function checkResolvable({ journal, known: { rows } }: UnresolvedBatch, row: number): void {
  const state = journal.states.get(row);
  if (state === 'unknown' || state === 'sending') return;
  if (row < 1 || row > rows) {
    throw usageError(`row ${row} not found: the input has ${plural(rows, 'row')}`);
  }
  const known = state === 'pending' ? 'not sent yet' : state;
  throw usageError(
    `the outcome of row ${row} is known: ${known}`,
    'Nothing was changed. Nothing was sent.',
  );
}

/** A new prompter for each question leaves the terminal in its normal mode in between. */
const askAbout = ({ world }: Context, row: number): Promise<Decision | undefined> =>
  withPrompter(world, async (prompter) => {
    for (;;) {
      const label = `Row ${row}: created, created:ID, retry, or skip`;
      const reply = (await prompter.ask({ label, fallback: 'skip' })).trim();
      const decision = parseDecision(reply);
      if (decision || reply === 'skip') return decision;
    }
  });

/** Shows the content of rows; the file may have been edited since. */
async function* describeRows(
  { source, rules, journal, known }: UnresolvedBatch,
  numbers: Iterable<number>,
): AsyncGenerator<{ row: number; text: string; change?: RecordChange }> {
  const left = new Set(numbers);
  const describeRow = (row: number, place: string, content: string) => {
    const { at, message = 'the run ended before a response arrived' } = latestEvent(journal, row);
    const text = `Row ${row} (${place}), ${at}: ${message}${content}`;
    return { row, text, change: latestChange(journal, row) };
  };
  for await (const row of readRows(source, rules)) {
    if (left.size === 0) break;
    const key = keyOf(row.original);
    const found = [...left].find((one) => known.keys[one - 1] === key);
    if (found === undefined) continue;
    left.delete(found);
    const body = pretty(printJson(hideSecrets(rowRequest(row, rules).body)));
    yield describeRow(found, `line ${row.line}`, `\n${body}`);
  }
  for (const row of left) yield describeRow(row, `no longer in ${source.name}`, '');
}
