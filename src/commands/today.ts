import path from 'node:path';
import { type CommandWord, MarError, runHint, usageError } from '../errors.ts';
import { type Input, option, readOption, stringOption } from '../input.ts';
import { distinctIds, fromOption } from '../reads/get.ts';
import type { Reading } from '../reads/workRequests.ts';
import { readSince } from '../records/dateText.ts';
import { waitsForHelp } from '../records/waitsFor.ts';
import type { Context } from '../session/context.ts';
import { warnOfUnknownOrders } from '../session/openOrders.ts';
import { rememberShown } from '../session/remember.ts';
import { batchKey, followed, listedRequests } from '../session/tracked.ts';
import { words } from '../values/commandLine.ts';
import { groupDigits, plural } from '../values/numbers.ts';
import { formatDate } from '../values/time.ts';
import type { Command } from './command.ts';
import { filterOptions, rowFilter } from './wr/boardFilters.ts';
import { boardRows, boardView, isBoardDrawn, readBoard } from './wr/boardRows.ts';
import { showBoard } from './wr/boardScreen.ts';
import { byAttention, closingLine, isNeedy, splitBatches } from './wr/boardSections.ts';

export const command: Command = {
  isPaged: true,
  summary: 'Show what needs your attention, and whom it waits for',
  details:
    'The service cannot list work requests, so mar reads those that you follow on this machine: those that you created, or put on ' +
    'your list (mar wr track). A batch is one line; --batch shows its requests. It leaves out finished ones and shows four ' +
    'groups: late, due in 24 hours, blocked, waiting or missing materials, and changed since you last saw it on a screen. The others are ' +
    'one line; with a filter, they are listed too. mar wr board shows them all. ' +
    `${waitsForHelp} --since prints the changes of status in the history of the records, and what became late; with --late only the latter. ` +
    'The exit code is 0 whatever is late; with --fail-late it is 3. In a pipe, every record has one more field: board, as in wr board, with group.',
  view: boardView,
  options: [
    ...filterOptions,
    option('--since <time>', 'what changed since then: yesterday, monday, 12h, 7d or a date'),
    option('--by <what>', 'one block for each person, as text for a mail', {
      choices: ['person'],
    }),
    option('--batch <file>', 'only what this batch created', {
      completes: 'file',
      excludes: ['--from', '--recent'],
    }),
    option('--recent', 'also those that you only opened, or were told about'),
    fromOption,
    option('--only', 'with --from: only the ids in the file', { needs: '--from FILE' }),
    option(
      '--fail-late',
      'exit with 3 if something is late; with --since, if something became late since then',
    ),
  ],
  examples: {
    'Show what needs your attention': 'mar today',
    'Show what waits for you': 'mar today --waits-for me',
    'Write the mails for what is late': 'mar today --late --by person',
    'Show what changed since yesterday': 'mar today --since yesterday',
    'Write the mails for what became late': 'mar today --late --since yesterday --by person',
    'Use the list of your team as well': 'mar today --from team.txt',
    'Print the ids of what is late': "mar today --jq 'select(.board.late)._id'",
    'Save what became late in a nightly job, and fail if there is something':
      'mar today --late --since yesterday -O late.csv --overwrite --fail-late',
  },
  async *run(context, input) {
    const since = readOption(input, 'since', (text) => readSince(text, context.world.now()));
    const filter = await rowFilter(context, input);
    const { ids, source } = await requestsOf(context, input);
    const readings = await readBoard(context, ids);
    const { signal } = context.world;
    if (signal.aborted) {
      const read = `${readings.length} of ${plural(ids.length, 'work request')}`;
      context.reporter.reportOnce(`Stopped after ${read}`, 'essential');
    } else refuseUnreadable(readings);
    const rows = filter.apply(await boardRows(context, readings));
    let late = rows.filter(({ board }) => board.late);
    if (since || input.options.by) {
      const { byPerson, changesIn } = await import('./wr/boardReports.ts');
      const isLate = input.options.late === true;
      const changes = since && changesIn(context, rows, { since, isLate, source });
      if (changes) late = changes.late;
      if (input.options.by) {
        const needy = rows.filter((row) => filter.flags !== '' || isNeedy(row));
        yield* byPerson(context, changes?.rows ?? needy);
      } else if (changes) yield* changes.show();
    } else {
      const isWhole = Boolean(filter.flags || input.options.batch) || !isBoardDrawn(context);
      const { loose, notes } = splitBatches(context, rows, !isWhole);
      const of = filter.flags ? `${source}, with ${filter.flags}` : source;
      const open = loose.filter(({ isSettled }) => !isSettled);
      // With a filter, for a batch and for programs, also those on time.
      const hidden = yield* showBoard(context, open, {
        arrange: (read) => byAttention(read).filter(({ name }) => isWhole || name !== 'other'),
        listsUnreadable: true,
        notes,
        source: of,
        closing: source === '' ? undefined : closingLine(loose, of),
        moreHint: context.reporter.textOf(runHint('; to see all', words`mar wr board`)),
        fitsScreen: context.world.streams.stdout.isTerminal && !context.reporter.isAccessible,
      });
      // Changes that did not fit are still news the next time.
      const shown = rows.filter((row) => !hidden.includes(row));
      const records = shown.flatMap(({ record }) => record?.value ?? []);
      await rememberShown(context.session, 'WorkRequest', records);
    }
    reportUnreadable(context, readings);
    await warnOfUnknownOrders(context);
    signal.throwIfAborted();
    if (!input.options.failLate || late.length === 0) return;
    const now = late.length === 1 ? 'is late' : 'are late';
    const what = since ? `became late since ${formatDate(since)}` : now;
    throw new MarError('check', `${plural(late.length, 'work request')} ${what}`);
  },
};

/** The ids to read, and whose knowledge they are: `43 followed on this machine`. */
async function requestsOf(context: Context, input: Input) {
  const { only, recent } = input.options;
  const file = stringOption(input, 'batch');
  if (file !== undefined) {
    const isNamed = (batch: string) => batch === batchKey(file) || path.basename(batch) === file;
    const ids = followed(context.session).flatMap(({ id, batch }) => (isNamed(batch) ? id : []));
    if (ids.length > 0) return { ids, source: `${groupDigits(ids.length)} in batch ${file}` };
    throw usageError(
      `no work request of batch ${file} is on your list`,
      runHint('If the batch exists', words`mar wr track --batch ${file}`),
    );
  }
  const from = stringOption(input, 'from');
  const given = await distinctIds(context, input);
  const options = { withRecent: recent === true, hasOthers: from !== undefined };
  const own = only ? { ids: [], sources: [] } : listedRequests(context, options);
  const sources = from ? [...own.sources, `${groupDigits(given.length)} in ${from}`] : own.sources;
  return { ids: [...new Set([...own.ids, ...given])], source: sources.join(' and ') };
}

function refuseUnreadable(readings: readonly Reading[]): void {
  const errors = readings.flatMap(({ error }) => error ?? []);
  if (errors.length > 0 && errors.length === readings.length) throw MarError.together(errors);
}

/** A board lists what cannot be read; programs get warnings. What is gone for good can be forgotten. */
function reportUnreadable(context: Context, readings: readonly Reading[]): void {
  const gone: CommandWord[] = [];
  for (const { id, error } of readings) {
    if (error && !isBoardDrawn(context)) context.reporter.warn('not-read', error.message);
    if (error && ['not-found', 'auth'].includes(error.kind)) gone.push(...words`${id}`);
  }
  if (gone.length === 0) return;
  context.reporter.reportAtEnd(
    runHint('To take what is gone off your list', [...words`mar wr untrack`, ...gone]),
  );
}
