import path from 'node:path';
import { assumptionHint } from '../../../../core/api/service.ts';
import type { Command } from '../../../../core/commands/command.ts';
import { describeWrite } from '../../../../core/commands/log.ts';
import {
  type CommandWord,
  hintList,
  MarError,
  runHint,
  usageError,
} from '../../../../core/errors.ts';
import { shortPath } from '../../../../core/files/paths.ts';
import { type Input, option, readOption, stringOption } from '../../../../core/input.ts';
import { recordWithField } from '../../../../core/json/serviceRecord.ts';
import {
  type Canvas,
  listResult,
  type Results,
  textResult,
} from '../../../../core/output/result.ts';
import { distinctIds, fromOption, idsArgument } from '../../../../core/reads/getRecords.ts';
import type { Reading } from '../../../../core/reads/workRequests.ts';
import { readSince } from '../../../../core/records/dateText.ts';
import type { Context } from '../../../../core/session/context.ts';
import { remember } from '../../../../core/session/remember.ts';
import {
  batchKey,
  followed,
  nothingFollowedNote,
  trackedIds,
} from '../../../../core/session/tracked.ts';
import { openOrders, warnOfUnknownOrders } from '../../../../core/session/unknownOrders.ts';
import { words } from '../../../../core/values/commandLine.ts';
import { groupDigits, parseWholeNumber, plural } from '../../../../core/values/numbers.ts';
import { formatDate } from '../../../../core/values/time.ts';
import { filterOptions, rowFilter } from './filters.ts';
import { isDrawn, isNeedy, type Row, readRequests, rowsOf, todayView } from './rows.ts';
import { calmBatches, closingLine, drawSections, sectionsOf, summaryOf } from './screen.ts';

export const command: Command = {
  isPaged: true,
  summary: 'Show what needs your attention, and whom it waits for',
  details:
    'The service cannot list work requests, so mar keeps a list on this machine: mar wr create adds new ones, mar wr track others. With ids, mar shows those instead. ' +
    'What is late, due in 24 hours, blocked, missing materials, or changed since you last saw it comes first; on a screen, mar today alone shows only as much of this as fits. ' +
    'The API does not say whom a work request waits for: mar assumes it from the status. mar config list shows the rules, mar config set changes them. ' +
    'As JSON, work requests also have the field board, with late, due, missing, waitsFor and more.',
  view: todayView,
  arguments: [{ ...idsArgument, optional: true, completes: { idOf: 'WorkRequest' } }],
  options: [
    option('--attention', 'only what needs attention, also what does not fit the screen', {
      excludes: ['--all', '--since'],
    }),
    option('--all', 'also those on time, without a due date and finished ones', {
      excludes: ['--since', '--by'],
    }),
    ...filterOptions,
    option('--since <time>', 'what changed status or became late since yesterday, 7d or a date'),
    option('--by <what>', 'texts for mails, in a block for each', { choices: ['person'] }),
    option('--person <user>', 'where this person is orderer, translator, recipient or downloader', {
      excludes: ['--since', '--by', '--attention', '--all', '--fail-late'],
      completes: { idOf: 'User' },
    }),
    option('--batch <file>', 'only those on your list that this batch created', {
      completes: 'file',
      excludes: ['--from'],
    }),
    fromOption,
    option('--limit <n>', 'list only the most urgent', {
      excludes: ['--since', '--by', '--person'],
    }),
    option('--fail-late', 'exit with 3 if some are late; --since: became late'),
  ],
  examples: {
    'Show what needs your attention': 'mar today',
    'Show all that needs attention': 'mar today --attention',
    'Show all that you follow': 'mar today --all',
    'Show what waits for you': 'mar today --waits-for me',
    'Write the mails for what is late': 'mar today --late --by person',
    'Show what a person ordered, translates or gets': 'mar today --person greta@untertitel.example',
    'Show what changed since yesterday': 'mar today --since yesterday',
    'Use the list of your team as well': 'mar today --from team.txt',
    'Print the ids of what is late': "mar today --jq 'select(.board.late)._id'",
    'Save what became late in a nightly job, and fail if there is something':
      'mar today --late --since yesterday -O late.csv --overwrite --fail-late',
  },
  async *run(context, input) {
    const since = readOption(input, 'since', (text) => readSince(text, context.world.now()));
    const filter = await rowFilter(context, input);
    const { ids, source } = await requestsOf(context, input);
    const person = stringOption(input, 'person');
    if (ids.length === 0 && !person) return yield* nothingToShow(context, input);
    const readings = await readRequests(context, ids);
    const failures = readings.flatMap(({ error }) => error ?? []);
    const failure = failures.length > 0 ? MarError.together(failures) : undefined;
    const { signal } = context.world;
    if (signal.aborted) {
      const read = `${readings.length} of ${plural(ids.length, 'work request')}`;
      context.reporter.reportOnce(`Stopped after ${read}`, 'essential');
    } else if (failure && failures.length === readings.length) throw failure;
    const all = filter.apply(await rowsOf(context, readings));
    if (person) {
      const { carriersOf } = await import('./carriers.ts');
      yield* carriersOf(context, input, { given: person, rows: all, source });
      return reportUnreadable(context, readings, false);
    }
    const { attention, by } = input.options;
    const isGiven = input.arguments.length > 0;
    const isChosen = isGiven || filter.flags !== '' || input.options.batch !== undefined;
    const isOnlyNeedy = attention === true || (by !== undefined && !isChosen);
    const rows = isOnlyNeedy ? all.filter(isNeedy) : all;
    const hint = unknownStatusHint(all);
    const files = new Set(all.map(({ board }) => board.batch));
    const { batches, unknown } = await openOrders(context);
    const open = batches.filter(({ file }) => files.has(file));
    let late = all.filter(({ board }) => board.late);
    let isShown = isDrawn(context);
    if (since || by) {
      const { byPerson, changesIn } = await import('./reports.ts');
      const isLate = input.options.late === true;
      const changes = since && changesIn(context, all, { since, isLate, source });
      if (changes) late = changes.late;
      if (by) isShown = yield* byPerson(context, changes?.rows ?? rows);
      else if (changes) yield* changes.show();
    } else {
      const from = [source, filter.flags].filter(Boolean).join(', with ');
      const closing = closingLine(all, from, open.length > 0);
      const linesBelow = hint ? context.reporter.linesOf(hint).length : 0;
      const notes = calmBatches(rows, open);
      yield* showGroups(context, input, rows, { closing, isChosen, linesBelow, notes });
    }
    const hasLate = input.options.failLate === true && late.length > 0;
    if (!isGiven || hasLate) reportUnreadable(context, readings, isShown);
    if (hint) context.reporter.reportAtEnd(hint);
    for (const write of open) {
      const status = words`mar batch status ${shortPath(write.file)}`;
      const text = `a batch has rows that are not done: ${describeWrite(write)}`;
      context.reporter.warn('open-batch', [text, runHint('To see what to do', status)]);
    }
    warnOfUnknownOrders(context, unknown);
    signal.throwIfAborted();
    if (!hasLate) {
      if (isGiven && failure) throw failure;
      if (!failure || !input.options.failLate) return;
      const unread = plural(failures.length, 'work request');
      const problem = `${unread} could not be read, so mar cannot know what is late`;
      throw new MarError(failure.kind, problem, { hint: failure.hints, cause: failure });
    }
    const now = late.length === 1 ? 'is late' : 'are late';
    const what = since ? `became late since ${formatDate(since)}` : now;
    throw new MarError('check', `${plural(late.length, 'work request')} ${what}`, { hint });
  },
};

/** Nothing to look at does not mean that nothing is late. */
async function* nothingToShow({ session, reporter, flags }: Context, input: Input): Results {
  const { from, by, failLate } = input.options;
  const empty = `${from} has no ids, and you follow no work request here`;
  const [note = '', ...hints] = from ? [empty] : hintList(nothingFollowedNote(session));
  const problem = from ? empty : 'you follow no work request here';
  if (failLate) throw usageError(`${problem}, so mar cannot know what is late`, hints);
  // Whoever gets the mail sees only its text.
  let isSaid = false;
  const mail = () => {
    isSaid = flags.outputFile === undefined;
    return `${reporter.textOf(note)}\n`;
  };
  if (by) yield textResult(mail, { onlyFor: 'people' });
  yield listResult([], todayView, { drawing: () => [], onlyFor: by ? 'programs' : undefined });
  if (!isSaid) reporter.warn('nothing-followed', [note, ...hints]);
  else if (hints.length > 0) reporter.reportOnce(hints);
}

/** The groups for people, and the records in the same order for programs. */
async function* showGroups(
  context: Context,
  input: Input,
  rows: readonly Row[],
  options: { closing: string; isChosen: boolean; linesBelow: number; notes: string[] },
): Results {
  const { reporter, session, world } = context;
  const { closing, isChosen, linesBelow } = options;
  const limit = readOption(input, 'limit', (text) => parseWholeNumber(text, '--limit'));
  const isAll = input.arguments.length > 0 || input.options.all === true;
  const isPlain = !isChosen && !isAll && !input.options.attention && isDrawn(context);
  const isListed = (row: Row) =>
    isAll || isNeedy(row) || (!isPlain && row.board.group !== 'finished');
  const all = sectionsOf(rows.filter(isListed)).flatMap((section) => section.rows);
  const listed = all.filter(({ record }, at) => !record || at < (limit ?? all.length));
  const sections = sectionsOf(listed);
  const left = all.filter((row) => !listed.includes(row));
  const more = `${plural(left.length, 'work request')} more, less urgent`;
  if (left.length > 0) reporter.warn('limit', more);
  const notes = isPlain ? options.notes : [];
  const fitsScreen = isPlain && world.streams.stdout.isTerminal && !reporter.isAccessible;
  const moreHint = fitsScreen
    ? reporter.textOf(runHint('. To see them', words`mar today --attention`))
    : undefined;
  // Not for a drawing, which has shortened records.
  function* pages() {
    for (const { record, board } of listed) {
      if (record) yield [recordWithField(record, 'board', board)];
    }
  }
  let unseen: readonly Row[] | undefined;
  const drawing = (canvas: Canvas) => {
    const drawn = drawSections(canvas, sections, { closing, notes, moreHint, linesBelow });
    unseen = drawn.unseen;
    return drawn.lines;
  };
  const summary = listed.length > 0 ? summaryOf(listed) : undefined;
  yield listResult(pages(), todayView, { isDrawnInPipes: true, drawing, summary });
  if (!unseen && listed.length > 0) reporter.reportAtEnd(closing);
  // Changes that were left out are still news the next time.
  const shown = rows.filter((row) => !unseen?.includes(row) && !left.includes(row));
  const used = shown.flatMap(({ record }) => (record ? [{ record }] : []));
  await remember(session, 'WorkRequest', used);
}

/** An unknown status may mean that nothing is left to do: only a person can say so. */
function unknownStatusHint(rows: readonly Row[]) {
  const unknown = rows.filter(({ board, status }) => board.meaning === 'unknown' && status !== '');
  const [first, ...others] = new Set(unknown.map(({ status }) => status));
  if (first === undefined) return undefined;
  const text = `mar does not know the status ${[first, ...others].join(', ')}, and assumes that these requests are not done. If ${first} means done, run:`;
  return { ...assumptionHint({ key: `status.${first}`, value: 'done' }), text };
}

/** The ids to read, and whose knowledge they are: `43 followed on this machine`. */
async function requestsOf(context: Context, input: Input) {
  const [first] = input.arguments;
  const file = stringOption(input, 'batch');
  if (first !== undefined && file !== undefined) {
    throw usageError(`"${first}" and --batch cannot be used together`, { value: first });
  }
  if (file !== undefined) {
    const isNamed = (batch: string) => batch === batchKey(file) || path.basename(batch) === file;
    const ids = followed(context.session).flatMap(({ id, batch }) => (isNamed(batch) ? id : []));
    if (ids.length > 0) return { ids, source: `${groupDigits(ids.length)} in batch ${file}` };
    throw usageError(
      `no work request of batch ${file} is on your list`,
      runHint('To see the batches that were sent with this login', words`mar batch list`),
    );
  }
  const from = stringOption(input, 'from');
  const given = await distinctIds(context, input);
  const own = first ? [] : trackedIds(context.session);
  const isOneOfMany = Object.keys(context.session.config.profiles ?? {}).length > 1;
  const account = isOneOfMany ? ` with profile ${context.session.identity().profile}` : '';
  const sources = [
    own.length > 0 && `${groupDigits(own.length)} followed on this machine${account}`,
    (first || from) && `${groupDigits(given.length)} ${first ? 'given' : `in ${from}`}`,
  ];
  return { ids: [...new Set([...own, ...given])], source: sources.filter(Boolean).join(' and ') };
}

/** A warning for each, unless a drawing has it. What is gone for good can be forgotten. */
function reportUnreadable(context: Context, readings: readonly Reading[], isShown: boolean): void {
  const tracked = trackedIds(context.session);
  const gone: CommandWord[] = [];
  for (const { id, error } of readings) {
    if (error && !isShown) {
      context.reporter.warn('not-read', `${id} could not be read: ${error.message}`);
    }
    const isGone = error && ['not-found', 'auth'].includes(error.kind);
    if (isGone && tracked.includes(id)) gone.push(...words`${id}`);
  }
  if (gone.length === 0) return;
  context.reporter.reportAtEnd(
    runHint('To take what is gone off your list', [...words`mar wr untrack`, ...gone]),
  );
}
