import { existsSync } from 'node:fs';
import type { Entry } from '../../core/config/memory.ts';
import { type Hint, MarError } from '../../core/errors.ts';
import { resolveLinks, shortPath } from '../../core/files/paths.ts';
import type { Context } from '../../core/session/context.ts';
import { words } from '../../core/values/commandLine.ts';
import { settle } from '../../core/values/concurrency.ts';
import { groupDigits, plural } from '../../core/values/numbers.ts';
import { batchName, inputBeside, readJournal } from './journal/findJournals.ts';
import type { JournalHeader } from './journal/format.ts';
import { undoneJournalPath } from './journal/journalPaths.ts';

const kind = 'Batch';

/** Remembers where the journal of a batch is, for `mar batch list`. `words` run the batch: `wr create`. */
export async function rememberBatch(context: Context, journal: string, words: string) {
  await context.session.memory.add([{ kind, id: resolveLinks(journal), text: words }]);
}

export async function forgetBatch(context: Context, journal: string) {
  await context.session.memory.forget([kind], [resolveLinks(journal)]);
}

/** The batches of this account with rows that are not done, the latest first. Forgets the others. */
export async function unfinishedBatches(context: Context): Promise<object[]> {
  const { memory } = context.session;
  const finished: string[] = [];
  const unfinished: object[] = [];
  for (const entry of memory.entries(kind)) {
    const { id: journal, text: command } = entry;
    const progress = existsSync(journal) && (await progressOf(context, entry));
    if (!progress) finished.push(journal);
    else unfinished.push({ file: batchName(journal), command, ...progress, journal });
  }
  await memory.forget([kind], finished);
  return unfinished;
}

/** Undefined for a batch that is finished, or that another account has started anew. */
async function progressOf({ session, reporter }: Context, { id, text, at }: Entry) {
  const lastRun = new Date(at).toISOString();
  const { result: journal, error } = await settle(readJournal(id));
  if (error instanceof MarError) return { state: 'unreadable', next: error.message, lastRun };
  if (!journal) throw error;
  const { header, states, holder } = journal;
  const { baseUrl, email } = session.identity();
  if (header.baseUrl !== baseUrl.href || header.account !== email) return undefined;
  const summary = states.summarise();
  const steps = nextSteps(journal, summary.unknown, text);
  const counts = { ...summary, running: holder ? 1 : 0 };
  const [state, next] =
    Object.entries(steps).find(([one]) => counts[one as keyof typeof steps]) ?? [];
  if (next === undefined) return undefined;
  const done = groupDigits(summary.done + summary.unchanged);
  return {
    progress: `${done} of ${groupDigits(summary.rows)} done`,
    state,
    next: reporter.textOf(next),
    lastRun,
    started: header.at,
    shard: header.shard,
    ...summary,
  };
}

/** The states with something to do, the most urgent first, and what that is. */
function nextSteps(
  { path, header, holder }: Awaited<ReturnType<typeof readJournal>>,
  unknown: number,
  verb: string,
): Record<'running' | 'unknown' | 'conflict' | 'failed' | 'invalid' | 'pending', Hint> {
  const name = shortPath(batchName(path));
  const command = resumeCommand(path, header, verb);
  const run = (text: string): Hint =>
    command ? { text: `${text} run:`, command } : { text: `${text} run the same command again` };
  const fix = run('Fix the rows, then');
  return {
    running: {
      text: `Running in process ${holder?.pid}:`,
      command: words`mar batch status ${name}`,
    },
    unknown: {
      text: `Decide about ${plural(unknown, 'row')}:`,
      command: words`mar batch resolve ${name}`,
    },
    conflict: command
      ? { text: 'Look at the records, then run:', command: [...command, '--again=failed'] }
      : { text: 'Look at the records, then run the same command again with --again=failed' },
    failed: fix,
    invalid: fix,
    pending: run('To resume,'),
  };
}

/** The command that started a batch, if that is known: a journal only describes `--set` and the like. */
function resumeCommand(journal: string, header: JournalHeader, verb: string) {
  if (header.undoOf !== undefined) {
    const undone = undoneJournalPath(journal);
    if (undone === undefined || !existsSync(undone)) return undefined;
    return words`mar batch undo ${shortPath(batchName(undone))}`;
  }
  const input = inputBeside(journal);
  if (input === undefined || header.changes.length > 0) return undefined;
  const shard = header.shard === '1/1' ? [] : words`--shard ${header.shard}`;
  return ['mar', ...verb.split(' '), ...words`--batch ${shortPath(input)}`, ...shard];
}
