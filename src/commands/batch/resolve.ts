import { hideSecrets } from '../../api/secrets.ts';
import { rowsOf } from '../../batch/input/rows.ts';
import { JournalDetails } from '../../batch/journal/replay.ts';
import {
  checkResolvable,
  parseDecision,
  parseResolution,
  type Resolution,
  resolvedEvent,
} from '../../batch/resolution.ts';
import { parcelOf } from '../../batch/survey.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { pretty } from '../../json/text.ts';
import { printJson } from '../../json/value.ts';
import { Prompter } from '../../terminal/prompt.ts';
import type { Batch } from './send.ts';

/** Decides unknown rows: as the flags say, or each as a person answers. */
export async function resolveRows(
  context: Context,
  batch: Batch,
  texts: readonly string[],
): Promise<void> {
  const { journal, rows } = batch;
  const decisions = new Map<number, Resolution>();
  for (const one of texts.map(parseResolution)) {
    if (decisions.has(one.row)) throw usageError(`--resolve decides row ${one.row} twice`);
    checkResolvable(journal.states, rows, one.row);
    decisions.set(one.row, one);
  }
  if (texts.length === 0) return askForEach(context, batch);
  for await (const { row, text } of unknownRows(batch, (row) => decisions.has(row))) {
    context.note(text);
    decide(batch, decisions.get(row) as Resolution);
  }
  await journal.saved();
}

function decide({ journal }: Batch, resolution: Resolution): void {
  journal.note(resolvedEvent(resolution));
}

async function askForEach(context: Context, batch: Batch): Promise<void> {
  const unknown = [...batch.journal.states.rowsIn('unknown')];
  if (unknown.length === 0) return context.note('no row is unknown');
  if (!context.isInteractive) {
    throw usageError(
      '--resolve without a row asks for each, and there is nobody to ask',
      `say it: --resolve ${unknown[0]}=created or --resolve ${unknown[0]}=retry`,
    );
  }
  const { stdin, stderr } = context.streams;
  const wanted = new Set(unknown);
  for await (const { row, text } of unknownRows(batch, (number) => wanted.has(number))) {
    context.note(text);
    // For each question anew: between them the terminal is the terminal's own.
    const prompter = new Prompter(stdin, stderr, context.world.signal);
    try {
      const decision = await ask(prompter, row);
      if (decision) decide(batch, { row, ...decision });
    } finally {
      prompter.close();
    }
    await batch.journal.saved();
  }
}

async function ask(prompter: Prompter, row: number): Promise<Omit<Resolution, 'row'> | undefined> {
  for (;;) {
    const label = `Row ${row}: created, created:ID, retry, or skip`;
    const answer = (await prompter.ask({ label, fallback: 'skip' })).trim();
    if (answer === 'skip') return undefined;
    const decision = parseDecision(answer);
    if (decision) return decision;
  }
}

/** What was sent for a row, and what is known of it. */
async function* unknownRows(
  { source, rules, journal }: Batch,
  isWanted: (row: number) => boolean,
): AsyncGenerator<{ row: number; text: string }> {
  const details = new JournalDetails(journal.path, journal.states);
  try {
    for await (const row of rowsOf(source, { ...rules, onUnknown: () => {} })) {
      if (!isWanted(row.number)) continue;
      const { message = 'the run ended before an answer came', at } = await details.of(row.number);
      const body = pretty(printJson(hideSecrets(parcelOf(row, rules).body)));
      const text = `row ${row.number} (line ${row.line}), ${at}: ${message}\n${body}`;
      yield { row: row.number, text };
    }
  } finally {
    await details.close();
  }
}
