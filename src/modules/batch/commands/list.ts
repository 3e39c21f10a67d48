import { existsSync } from 'node:fs';
import type { Command } from '../../../core/commands/command.ts';
import { describeWrite, loggedWrites, nextStep, stateOf } from '../../../core/commands/log.ts';
import { type Hint, MarError } from '../../../core/errors.ts';
import { shortPath } from '../../../core/files/paths.ts';
import { textAt } from '../../../core/json/fields.ts';
import type { LoggedWrite } from '../../../core/log/accountLog.ts';
import { rowsResult } from '../../../core/output/result.ts';
import type { View } from '../../../core/output/viewType.ts';
import type { Context } from '../../../core/session/context.ts';
import { words } from '../../../core/values/commandLine.ts';
import { settle } from '../../../core/values/concurrency.ts';
import { groupDigits, plural } from '../../../core/values/numbers.ts';
import { formatRelative } from '../../../core/values/time.ts';
import { batchName, readJournal } from '../journal/findJournals.ts';
import type { Summary } from '../journal/rowStates.ts';

const view: View = {
  columns: [
    {
      title: 'File',
      path: 'file',
      importance: 4,
      wraps: true,
      words: (one) => shortPath(textAt(one, 'file')),
    },
    { title: 'Command', path: 'command', importance: 2 },
    { title: 'Progress', path: 'progress', importance: 3 },
    { title: 'State', path: 'state', importance: 1 },
    { title: 'Next step', path: 'next', importance: 4, wraps: true },
    {
      title: 'Last run',
      path: 'lastRun',
      importance: 2,
      words: (one, { now }) => formatRelative(new Date(textAt(one, 'lastRun')), now),
    },
  ],
};

export const command: Command = {
  isPaged: true,
  summary: 'List your unfinished batches, and writes whose outcome is unknown',
  details:
    'A batch that tried to send something is listed while it runs, or has rows to send, fix or decide about. The list comes from the log of your writes; mar sends no request. To remove a batch from the list, move its journal away.',
  view,
  examples: {
    'List unfinished batches, each with its next step': 'mar batch list',
    'Print the files of those with unknown rows':
      "mar batch list --jq 'select(.unknown > 0) | .file'",
  },
  async *run(context) {
    const batches: object[] = [];
    for (const write of await loggedWrites(context)) {
      const progress = await progressOf(context, write);
      if (progress) batches.push(progress);
    }
    yield rowsResult(batches, view.columns, { isOwn: true });
    if (batches.length === 0)
      context.reporter.reportAtEnd('The log has no unfinished batches, and no unknown outcomes');
  },
};

/** Undefined for what is finished, and for a batch whose journal belongs to another one now. */
async function progressOf(context: Context, write: LoggedWrite) {
  const { reporter } = context;
  const { batch, by, at } = write;
  if (!batch) {
    const [progress, state] = [describeWrite(write), stateOf(write)];
    const next = nextStep(context, write);
    return state === 'unknown' ? { command: by, progress, state, next, lastRun: at } : undefined;
  }
  if (!existsSync(batch.journal)) return undefined;
  const run = {
    file: batchName(batch.journal),
    command: by,
    lastRun: at,
    journal: batch.journal,
  };
  const { result: journal, error } = await settle(readJournal(batch.journal));
  if (error instanceof MarError) return { ...run, state: 'unreadable', next: error.message };
  if (!journal) throw error;
  const { header, holder } = journal;
  const summary = journal.states.summarise();
  const counts = { ...summary, running: holder ? 1 : 0 };
  const steps = nextSteps(shortPath(run.file), summary, holder?.pid);
  const [state, next] = Object.entries(steps).find(([one]) => counts[one as Unfinished]) ?? [];
  if (next === undefined || header.id !== batch.id) return undefined;
  return {
    ...run,
    progress: `${groupDigits(summary.done + summary.unchanged)} of ${groupDigits(summary.rows)} done`,
    state,
    next: reporter.textOf(next),
    started: header.at,
    shard: header.shard,
    ...summary,
  };
}

type Unfinished = keyof ReturnType<typeof nextSteps>;

/** The states with something to do, the most urgent first, and what that is. */
function nextSteps(name: string, { unknown, changed }: Summary, pid: number | undefined) {
  const fix = 'Fix the rows, then run the same command again';
  const steps = {
    running: { text: `Running in process ${pid}:`, command: words`mar batch status ${name}` },
    unknown: {
      text: `Decide about ${plural(unknown, 'row')}:`,
      command: words`mar batch resolve ${name}`,
    },
    conflict: 'Look at the records, then run the same command again with --again=failed',
    failed: fix,
    invalid: fix,
    pending: 'To resume, run the same command again',
    changed: {
      text: `Look at ${plural(changed, 'row')} that changed after the order:`,
      command: words`mar batch report ${name}`,
    },
  };
  return steps satisfies Record<string, Hint | string>;
}
