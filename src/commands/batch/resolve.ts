import { hideSecrets } from '../../api/secrets.ts';
import { readRows, rowRequest } from '../../batch/input/rows.ts';
import { JournalDetails } from '../../batch/journal/replay.ts';
import type { RowStates } from '../../batch/journal/rowStates.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { pretty } from '../../json/text.ts';
import { printJson } from '../../json/value.ts';
import { Prompter } from '../../terminal/prompt.ts';
import type { Batch } from './batch.ts';

interface Decision {
  as: 'created' | 'retry';
  id?: string;
}

/** Records decisions about unknown rows: those of the flags, or else the user is asked about each. */
export async function resolveRows(
  context: Context,
  batch: Batch,
  texts: readonly string[],
): Promise<void> {
  const { journal, rows } = batch;
  const decisions = new Map<number, Decision>();
  for (const { row, decision } of texts.map(parseResolution)) {
    if (decisions.has(row)) throw usageError(`--resolve decides row ${row} twice`);
    checkResolvable(journal.states, rows, row);
    decisions.set(row, decision);
  }
  if (texts.length === 0) return askAboutEach(context, batch);
  for await (const { row, text } of describeRows(batch, decisions)) {
    context.reportOnce(text);
    record(batch, row, decisions.get(row));
  }
  await journal.saved();
}

/** `17=created`, `17=created:wr-9`, `17=retry`. */
function parseResolution(text: string): { row: number; decision: Decision } {
  const [, row, outcome = ''] = /^(\d{1,9})=(.*)$/s.exec(text) ?? [];
  const decision = row === undefined ? undefined : parseDecision(outcome);
  if (decision) return { row: Number(row), decision };
  throw usageError(
    `--resolve takes a row and what became of it, not "${text}"`,
    '--resolve 17=created, --resolve 17=created:wr-9 or --resolve 17=retry',
  );
}

function parseDecision(text: string): Decision | undefined {
  if (text === 'retry' || text === 'created') return { as: text };
  const [, id] = /^created:(.+)$/s.exec(text) ?? [];
  return id === undefined ? undefined : { as: 'created', id };
}

function checkResolvable(states: RowStates, rows: number, row: number): void {
  const state = states.get(row);
  if (state === 'unknown' || state === 'sending') return;
  if (row < 1 || row > rows) throw usageError(`there is no row ${row}: the input has ${rows}`);
  const known = state === 'pending' ? 'it is not sent yet' : `it is ${state}`;
  throw usageError(`row ${row} is not unknown: ${known}`, 'nothing was decided, nothing was sent');
}

function record({ journal }: Batch, row: number, decision: Decision | undefined): void {
  if (decision) journal.append({ row, event: 'resolved', as: decision.as, id: decision.id });
}

async function askAboutEach(context: Context, batch: Batch): Promise<void> {
  const unknown = new Set(batch.journal.states.rowsIn('unknown'));
  const [first] = unknown;
  if (first === undefined) return context.reportOnce('no row is unknown');
  if (!context.isInteractive) {
    throw usageError(
      '--resolve without a row asks for each, and there is nobody to ask',
      `say it: --resolve ${first}=created or --resolve ${first}=retry`,
    );
  }
  const { stdin, stderr } = context.streams;
  for await (const { row, text } of describeRows(batch, unknown)) {
    context.reportOnce(text);
    // A new prompter for each question leaves the terminal in its normal mode in between.
    const prompter = new Prompter(stdin, stderr, context.world.signal);
    try {
      record(batch, row, await askAbout(prompter, row));
    } finally {
      prompter.close();
    }
    await batch.journal.saved();
  }
}

async function askAbout(prompter: Prompter, row: number): Promise<Decision | undefined> {
  for (;;) {
    const label = `Row ${row}: created, created:ID, retry, or skip`;
    const reply = (await prompter.ask({ label, fallback: 'skip' })).trim();
    if (reply === 'skip') return undefined;
    const decision = parseDecision(reply);
    if (decision) return decision;
  }
}

async function* describeRows(
  { source, rules, journal }: Batch,
  numbers: { has(row: number): boolean },
): AsyncGenerator<{ row: number; text: string }> {
  const details = new JournalDetails(journal.path, journal.states);
  try {
    for await (const row of readRows(source, rules)) {
      if (!numbers.has(row.number)) continue;
      const { message = 'the run ended before an answer came', at } = await details.latestEvent(
        row.number,
      );
      const body = pretty(printJson(hideSecrets(rowRequest(row, rules).body)));
      const text = `row ${row.number} (line ${row.line}), ${at}: ${message}\n${body}`;
      yield { row: row.number, text };
    }
  } finally {
    await details.close();
  }
}
