import type { Command } from '../../../core/commands/command.ts';
import { type Hints, runHint } from '../../../core/errors.ts';
import { shortPath } from '../../../core/files/paths.ts';
import { textAt } from '../../../core/json/fields.ts';
import { rowsResult } from '../../../core/output/result.ts';
import type { View } from '../../../core/output/viewType.ts';
import { nothingUsedNote } from '../../../core/session/remember.ts';
import { type UnknownOrder, unknownOrders } from '../../../core/session/unknownOrders.ts';
import { words } from '../../../core/values/commandLine.ts';
import { formatRelative } from '../../../core/values/time.ts';
import { unfinishedBatches } from '../unfinished.ts';

const view: View = {
  columns: [
    { title: 'File', path: 'file', importance: 4, words: (one) => shortPath(textAt(one, 'file')) },
    { title: 'Command', path: 'command', importance: 2 },
    { title: 'Progress', path: 'progress', importance: 3 },
    { title: 'State', path: 'state', importance: 1 },
    { title: 'Next step', path: 'next', importance: 4 },
    {
      title: 'Last run',
      path: 'lastRun',
      importance: 2,
      words: (one, { now }) => formatRelative(new Date(textAt(one, 'lastRun')), now),
    },
  ],
};

/** A single order beside the batches. */
const orderRow = ({ order: { place, wants }, by, at, file }: UnknownOrder, next: string) => ({
  file: file ?? place,
  command: by,
  progress: [place, wants].filter(Boolean).join(': '),
  state: 'unknown',
  next,
  lastRun: at,
  unknown: 1,
});

const nextStep = ({ order: { place } }: UnknownOrder): Hints =>
  place.startsWith('event ')
    ? 'Ask the people. If nobody was notified, run the same command with --again'
    : runHint(
        'If it does not exist, run the same command with --again. If it does',
        words`mar wr track ID`,
      );

export const command: Command = {
  isPaged: true,
  summary: 'List your unfinished batches on this machine, and orders of unknown outcome',
  details:
    'A batch is unfinished while it runs, and while rows are pending, failed, invalid, conflicts or of unknown ' +
    'outcome. Single orders of unknown outcome come last. mar remembers where the journals of this account are, and sends no request. To remove a batch from the ' +
    'list, move its journal away.',
  view,
  examples: {
    'List unfinished batches, each with its next step': 'mar batch list',
    'Print the files of those with unknown rows':
      "mar batch list --jq 'select(.unknown > 0) | .file'",
  },
  async *run(context) {
    const unknown = await unknownOrders(context);
    const orders = unknown.map((one) => orderRow(one, context.reporter.textOf(nextStep(one))));
    const batches = [...(await unfinishedBatches(context)), ...orders];
    yield rowsResult(batches, view.columns, { isOwn: true });
    if (batches.length > 0) return;
    context.reporter.reportAtEnd(
      context.session.memory.isDisabled
        ? nothingUsedNote(context.session, 'batch')
        : 'No unfinished batches of this account on this machine',
    );
  },
};
