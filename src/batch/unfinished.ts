import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { MarError } from '../errors.ts';
import { shortPath } from '../files/paths.ts';
import type { Context } from '../session/context.ts';
import { commandLine } from '../values/commandLine.ts';
import { groupDigits, plural } from '../values/numbers.ts';
import { batchName, inputBeside } from './journal/findJournals.ts';
import type { JournalHeader } from './journal/format.ts';
import { type Holder, journalHolder } from './journal/journalLock.ts';
import { undoneJournalPath } from './journal/journalPaths.ts';
import { type ReplayedJournal, replay } from './journal/replay.ts';
import type { Summary } from './journal/rowStates.ts';

const kind = 'Batch';

/** One path for all names of a journal. */
const idOf = (journal: string) => realpath(journal).catch(() => path.resolve(journal));

/** Remembers where the journal of a batch is, for `mar batch list`. `words` run the batch: `wr create`. */
export async function rememberBatch(context: Context, journal: string, words: string) {
  await context.session.memory.add([{ kind, id: await idOf(journal), text: words }]);
}

export async function forgetBatch(context: Context, journal: string) {
  await context.session.memory.forget([kind], [await idOf(journal)]);
}

interface RememberedBatch {
  journal: string;
  words: string;
  lastRun: string;
}

/** The batches of this account with rows that are not done, the latest first. Forgets the others. */
export async function unfinishedBatches(context: Context): Promise<object[]> {
  const finished: string[] = [];
  const unfinished: object[] = [];
  for (const { id: journal, text: words, at } of context.session.memory.entries(kind)) {
    const remembered = { journal, words, lastRun: new Date(at).toISOString() };
    const batch = existsSync(journal) && (await describeBatch(context, remembered));
    if (batch) unfinished.push(batch);
    else finished.push(journal);
  }
  await context.session.memory.forget([kind], finished);
  return unfinished;
}

/** Undefined for a batch that is finished, or that another account has started anew. */
async function describeBatch(context: Context, remembered: RememberedBatch) {
  const { journal, words: command, lastRun } = remembered;
  const known = { file: batchName(journal), command };
  let replayed: ReplayedJournal | undefined;
  try {
    replayed = await replay(journal);
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    return { ...known, state: 'unreadable', next: error.message, lastRun, journal };
  }
  const { baseUrl, email } = context.session.identity();
  const { header, states } = replayed ?? {};
  if (!header || !states || header.baseUrl !== baseUrl.href || header.account !== email) return;
  const holder = await journalHolder(journal, context.world.processes);
  if (!holder) states.markInterrupted();
  const summary = states.summarise();
  const done = summary.done + summary.unchanged;
  const state = holder ? 'running' : stepStates.find((one) => summary[one] > 0);
  if (state === undefined) return;
  const progress = `${groupDigits(done)} of ${groupDigits(summary.rows)} done`;
  const next = context.reporter.withProfile(
    nextStep(state, { ...remembered, header, summary, holder }),
  );
  const { shard, at: started } = header;
  return { ...known, progress, state, next, lastRun, started, shard, ...summary, journal };
}

/** The states of rows with something to do, the most urgent first. */
const stepStates = ['unknown', 'conflict', 'failed', 'invalid', 'pending'] as const;

interface OpenBatch extends RememberedBatch {
  header: JournalHeader;
  summary: Summary;
  holder?: Holder;
}

function nextStep(state: (typeof stepStates)[number] | 'running', batch: OpenBatch): string {
  const { journal, summary, holder } = batch;
  const name = shortPath(batchName(journal));
  const command = resumeCommand(batch);
  const run = command ? `run: ${command}` : 'run the same command again';
  switch (state) {
    case 'running':
      return `Running in process ${holder?.pid}: ${commandLine`mar batch status ${name}`}`;
    case 'unknown': {
      const rows = plural(summary.unknown, 'row');
      return `Decide about ${rows}: ${commandLine`mar batch resolve ${name}`}`;
    }
    case 'conflict':
      return `Look at the records, then ${run}${command ? '' : ' with'} --retry-failed`;
    case 'pending':
      return `To resume, ${run}`;
    default:
      return `Fix the rows, then ${run}`;
  }
}

/** The command that started a batch, if that is known: a journal only describes `--set` and the like. */
function resumeCommand({ journal, words, header }: OpenBatch): string | undefined {
  if (header.undoOf !== undefined) {
    const undone = undoneJournalPath(journal);
    if (undone === undefined || !existsSync(undone)) return undefined;
    return commandLine`mar batch undo ${shortPath(batchName(undone))}`;
  }
  const input = inputBeside(journal);
  if (input === undefined || header.changes.length > 0) return undefined;
  const shard = header.shard === '1/1' ? '' : commandLine` --shard ${header.shard}`;
  return `mar ${words}${commandLine` --batch ${shortPath(input)}`}${shard}`;
}
