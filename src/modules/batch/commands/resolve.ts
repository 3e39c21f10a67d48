import { hideSecrets } from '../../../core/api/secretFields.ts';
import type { Command } from '../../../core/commands/command.ts';
import { orUndefined, usageError } from '../../../core/errors.ts';
import { pretty } from '../../../core/json/text.ts';
import { printJson } from '../../../core/json/value.ts';
import type { RecordChange } from '../../../core/records/recordChange.ts';
import type { Row } from '../../../core/rows/row.ts';
import { keyOf } from '../../../core/rows/rowKey.ts';
import type { Context } from '../../../core/session/context.ts';
import { plural } from '../../../core/values/numbers.ts';
import { batchFile } from '../batchable.ts';
import { settleRuns } from '../batchLog.ts';
import { findJournal, inputOf, journaledRows } from '../journal/findJournals.ts';
import type { JournalEvent } from '../journal/format.ts';
import { type Journal, lockJournal, resumeJournal } from '../journal/journal.ts';
import {
  latestChange,
  latestEvent,
  type ReplayedJournal,
  replayExisting,
} from '../journal/replay.ts';
import { batchStatus } from '../report/status.ts';

export const command: Command = {
  summary: 'Say what happened to rows whose outcome is unknown',
  details:
    'A row that got no response may have arrived, so mar does not send it again on its own. Look in the service, then decide: created if what the row writes is there, retry if it is not. Then run the command of the batch again. If a row was sent again, and you find only one record, created:ID says so.',
  arguments: [
    batchFile,
    {
      name: 'row=outcome',
      summary: 'such as 17=created, 17=created:ID or 17=retry; without it, mar shows the rows',
      optional: true,
      many: true,
    },
  ],
  examples: {
    'Show the rows to decide about': 'mar batch resolve requests.csv',
    'Decide about two rows': 'mar batch resolve requests.csv 17=created:wr-9 18=retry',
  },
  async *run(context, { arguments: [file = '', ...texts] }) {
    const path = await findJournal(file, 'resolve', context.flags.outputFile);
    const lock = await lockJournal(path);
    try {
      const known = replayExisting(path);
      known.states.markInterrupted();
      const journal = resumeJournal(known, lock);
      try {
        const decided = await resolveRows(context, journal, known, texts);
        // A decision needs no account.
        const log = orUndefined(() => context.session.identity()) && (await context.session.log());
        if (log) await settleRuns(context, log, { ...known, id: known.header.id }, decided);
      } finally {
        await journal.close();
      }
    } finally {
      lock.release();
    }
    yield* batchStatus(context, file);
  },
};

type Decision = Pick<JournalEvent, 'as' | 'id' | 'message'>;

async function resolveRows(
  context: Context,
  journal: Journal,
  known: ReplayedJournal,
  texts: readonly string[],
): Promise<ReadonlySet<number>> {
  const decisions = new Map<number, Decision>();
  for (const { rows, decision } of texts.map((text) => parseResolution(text, known.rows))) {
    for (const row of rows) {
      if (decisions.has(row)) throw usageError(`duplicate decision about row ${row}`);
      const { id } = decision;
      const twin = [...decisions.keys(), ...known.states.rowsIn('done')].find(
        (other) => other !== row && id === (decisions.get(other) ?? latestEvent(known, other)).id,
      );
      if (id && twin) throw usageError(`rows ${twin} and ${row} cannot both have made ${id}`);
      checkResolvable(known, row, decision);
      decisions.set(row, decision);
    }
  }
  const rows = texts.length === 0 ? known.states.rowsIn('unknown') : decisions.keys();
  for await (const { row, text, change } of describeRows(context, known, rows)) {
    context.reporter.reportOnce(text);
    const decision = decisions.get(row);
    if (decision) {
      // Keeps the replaced values of the row, which are needed if it is sent again.
      journal.append({ row, event: 'resolved', ...decision }, change);
      if (decision.as === 'created') known.states.retried.delete(row);
    }
    await journal.synced();
  }
  return new Set(decisions.keys());
}

/** `17=created:wr-9`, `17=created`, `17,20-22=retry`. */
function parseResolution(text: string, count: number): { rows: number[]; decision: Decision } {
  const [, list = '', retry, id] =
    /^(\d{1,9}(?:[-,]\d{1,9})*)=(?:(retry)|created(?::(.+))?)$/s.exec(text) ?? [];
  const rows = list.split(',').flatMap((range) => {
    const [first = 0, last = first, ...more] = range.split('-').map(Number);
    if (last > count)
      throw usageError(`row ${last} not found: the input has ${plural(count, 'row')}`);
    return more.length > 0 ? [] : Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
  if (list === '' || rows.length === 0 || (id && rows.length > 1)) {
    throw usageError(
      `expected a row and its outcome, not "${text}"`,
      'For example: 17=created:wr-9, 17=created or 17,20-22=retry',
    );
  }
  if (retry) return { rows, decision: { as: 'retry' } };
  const message = `you said it was created${id ? '' : '; no id'}`;
  return { rows, decision: { as: 'created', id, message } };
}

function checkResolvable(journal: ReplayedJournal, row: number, { as, id }: Decision): void {
  const { states, rows } = journal;
  const state = states.get(row);
  if (state === 'unknown' || state === 'sending') return;
  if (states.isResent(row) && as === 'created' && id) return;
  if (row < 1) throw usageError(`row ${row} not found: the input has ${plural(rows, 'row')}`);
  // Whoever decided may have been wrong.
  if (state === 'done' && latestEvent(journal, row).event === 'resolved') return;
  const known = state === 'pending' ? 'not sent yet' : state;
  throw usageError(`the outcome of row ${row} is known: ${known}`, 'Nothing was changed.');
}

/** Shows the content of rows; the file may have been edited since. */
async function* describeRows(
  context: Context,
  journal: ReplayedJournal,
  numbers: Iterable<number>,
): AsyncGenerator<{ row: number; text: string; change?: RecordChange }> {
  const left = new Set(numbers);
  const describeRow = (row: number, place: string, content: string) => {
    const { at, event, message } = latestEvent(journal, row);
    const reason =
      message ?? (event === 'sending' ? 'the run ended before a response arrived' : event);
    const text = `Row ${row} (${place}), ${at}: ${reason}${content}`;
    return { row, text, change: latestChange(journal, row) };
  };
  for await (const row of journaledRows(context, journal)) {
    if (left.size === 0) break;
    const key = keyOf(row.original);
    const found = [...left].find((one) => journal.keys[one - 1] === key);
    if (found === undefined) continue;
    left.delete(found);
    yield describeRow(found, `line ${row.line}`, `\n${contentOf(row)}`);
  }
  for (const row of left) yield describeRow(row, `no longer in ${inputOf(journal)}`, '');
}

/** A row as it is in the file, without the changes of `--set` and `--like`. */
function contentOf({ original, read }: Row): string {
  if ('text' in original) return pretty(printJson(hideSecrets(read())));
  const { names, cells } = original;
  const lines = cells.map((cell, at) => {
    const name = names[at] || `#${at + 1}`;
    return cell.trim() && `${name}: ${hideSecrets(cell, name)}`;
  });
  return lines.filter(Boolean).join('\n');
}
