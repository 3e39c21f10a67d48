import type { EndpointId } from '../../../core/api/endpoints.ts';
import { assumptionHints } from '../../../core/api/service.ts';
import { webAddress } from '../../../core/commands/wr/webPage.ts';
import {
  forPerson,
  type Hint,
  hintsOf,
  MarError,
  onCommandLine,
  orUndefined,
  runHint,
  usageError,
} from '../../../core/errors.ts';
import type { Input } from '../../../core/input.ts';
import { outcome, type Results } from '../../../core/output/result.ts';
import type { Context } from '../../../core/session/context.ts';
import { pageTemplate } from '../../../core/session/remember.ts';
import { words } from '../../../core/values/commandLine.ts';
import { formatSeconds } from '../../../core/values/duration.ts';
import { groupDigits, plural, pluralNoun, rowRanges } from '../../../core/values/numbers.ts';
import { secondOrder } from '../../../core/writes/placedBefore.ts';
import { batchName } from '../journal/findJournals.ts';
import { endpointOf, type GoneOrder, goneText } from '../journal/format.ts';
import { latestEvent, type ReplayedJournal, replayExisting } from '../journal/replay.ts';
import type { RemovedRow } from '../journal/rowMatcher.ts';
import { countedStates, type RowStates, type Summary } from '../journal/rowStates.ts';
import type { StopReason } from '../runner/runner.ts';
import type { Batch, RunEnd } from '../send.ts';
import type { PlacedRow } from '../versions.ts';
import { listProblems, rowFacts } from './problems.ts';
import { writeRejects } from './rejects.ts';

const maxListed = 20;

/** The state of all rows. Throws unless all of them are done. */
export async function* batchResult(
  context: Context,
  batch: Batch,
  end: RunEnd,
  rowsReport: (context: Context, journals: readonly ReplayedJournal[]) => Results,
): Results {
  const { reporter, world } = context;
  const { settings, journal } = batch;
  const summary = journal.states.summarise();
  const sentNow = summary.done - end.doneEarlier;
  // The result is printed even if the rejected rows cannot be written.
  const [written] = await Promise.allSettled([writeRejects(batch)]);
  const isInterrupted = end.stop?.why === 'interrupted';
  const text = describeSummary(summary, batch.gone.length, sentNow);
  if (isInterrupted) {
    reporter.reportOnce(`Interrupted: ${text}. ${resumeText(batch.input)}`, 'essential');
  } else if (settings.writesSheet) {
    reporter.reportOnce(text);
    await journal.synced();
    yield* rowsReport(context, [replayExisting(journal.path)]);
  } else if (!settings.printsRecords) {
    yield outcome(factsOf(batch, summary, sentNow), text);
  } else reporter.reportOnce(text);
  if (batch.rules.changes && summary.done > 0) {
    const command = words`mar batch undo ${batchName(journal.path)}`;
    reporter.reportOnce(runHint('To write the replaced values back', command));
  }
  if (batch.undone && end.doneEarlier === summary.rows) {
    const again = words`mar batch undo ${batchName(batch.undone.journal)} --again=all`;
    reporter.reportOnce(runHint('This batch was taken back before. To take it back again', again));
  }
  if (batch.source.isTable && summary.done > 0 && !settings.writesSheet) {
    const command = words`mar batch report ${batchName(journal.path)} -O done.xlsx`;
    reporter.reportOnce(runHint('To give the sheet back with ids and states', command));
  }
  const failure = failureOf(batch, summary, end);
  const outputErrors: MarError[] = 'reason' in written ? [written.reason] : [];
  if (end.printError) outputErrors.push(end.printError);
  if (failure || isInterrupted) {
    for (const { message } of outputErrors) reporter.warn('output-file', message);
  }
  if (isInterrupted) throw world.signal.reason;
  const worst = failure ?? outputErrors[0];
  if (worst) throw worst;
}

function factsOf({ journal: { path, states }, gone }: Batch, summary: Summary, sentNow: number) {
  const { rows, done, ...counts } = summary;
  const named = rowsByState((state) => states.rowsIn(state));
  return { rows, done, sentNow, ...counts, gone: gone.length, ...named, journal: path };
}

/** `30 rows: 28 done (10 sent now, 18 earlier), 2 failed, 1 gone`. Without `sentNow`, no run is described. */
export function describeSummary(summary: Summary, gone: number, sentNow = summary.done): string {
  const goneCount = gone > 0 ? `, ${groupDigits(gone)} gone` : '';
  if (summary.unchanged > 0 && summary.unchanged === summary.rows) {
    return `${plural(summary.rows, 'row')}: all ordered or written before, nothing sent${goneCount}`;
  }
  const earlier = summary.done - sentNow;
  const runs = `(${groupDigits(sentNow)} sent now, ${groupDigits(earlier)} earlier)`;
  const parts = countedStates
    .filter((state) => state === 'done' || summary[state] > 0)
    .map((state) => {
      const count = `${groupDigits(summary[state])} ${state === 'sending' ? 'in progress' : state}`;
      return state === 'done' && earlier > 0 ? `${count} ${runs}` : count;
    });
  return `${plural(summary.rows, 'row')}: ${parts.join(', ')}${goneCount}`;
}

function failureOf(batch: Batch, summary: Summary, end: RunEnd): MarError | undefined {
  const { failed, conflict, unknown, invalid, pending } = summary;
  const stop = end.stop && 'error' in end.stop ? end.stop : undefined;
  const { failures = [] } = end;
  const rows = [...listProblems(batch.invalid), ...failures];
  const notDone = failed + conflict + unknown + invalid;
  // With a status, the service got a request and refused it.
  const nothing = `Nothing was ${stop?.error.details.status === undefined ? 'sent' : 'written'}.`;
  const hint = [
    ...(notDone === 0 && summary.done === end.doneEarlier ? [nothing] : []),
    ...[...hints(summary, batch, stop), ...hintsOf(failures), ...assumptionHints(rows)],
  ];
  const cause = stop && `${describeStop(stop)}: ${stop.error.message}`;
  const message = `${groupDigits(notDone + pending)} of ${plural(summary.rows, 'row')} not done`;
  // What kept the rows from being sent decides, and not how many they are.
  const reasons = stop && stop.why !== 'down' ? [stop.error] : [...(end.unsent?.values() ?? [])];
  const [reason] = reasons;
  // A usage error promises that nothing was sent.
  if (notDone === 0 && reason && reasons.length === 1 && reason.kind !== 'usage') {
    const text = cause ?? `${message}: ${reason.message}`;
    return new MarError(reason.kind, text, { ...reason.details, hint });
  }
  if (notDone + pending > 0) {
    return new MarError('batch', [message, cause].filter(Boolean).join('; '), {
      hint,
      ...(rows.length > 0 && { rows: rowFacts(rows), rowCount: notDone }),
    });
  }
  if (end.mismatch === undefined) return undefined;
  return new MarError('service', end.mismatch, { hint: 'All rows are done.' });
}

function* hints(
  summary: Summary,
  { journal: { path, states }, settings: { rejects }, endpointId, input, undone }: Batch,
  stop: FailedStop | undefined,
): Generator<string | Hint> {
  const advice: Record<NamedState, readonly (string | Hint)[]> = {
    unknown: resolveHints(path, endpointId, states.rowsIn('unknown')),
    failed: [
      'Fix these rows in the file and run the same command again.',
      forPerson('To send them unchanged, use --again=failed'),
    ],
    conflict: [
      forPerson(
        undone
          ? 'Look at these records. To overwrite the changes of others, run the same command again with --force.'
          : 'Look at these records, then use --again=failed to compare and write them again. To overwrite the changes of others, add --force to it.',
      ),
    ],
    invalid: [
      rejects
        ? onCommandLine(
            'Fix them either in the input and run the same command again, or in the file of --rejects and send that file. If you do both, they are created twice.',
          )
        : 'Fix them in the file and run the same command again. Rows that are done are not sent again.',
    ],
  };
  for (const state of namedStates.filter((one) => summary[one] > 0)) {
    yield namedRows(states, state);
    yield* advice[state];
  }
  if (stop?.why === 'auth') yield* stop.error.hints;
  if (summary.pending > 0) {
    yield `${plural(summary.pending, 'row')} pending. ${resumeText(input)}`;
  }
}

const resumeText = ({ options: { again } }: Input) =>
  `Run the same command ${again === 'all' ? 'without --again=all' : 'again'} to resume.`;

const wordsOf = {
  unknown: 'Outcome unknown, not resent',
  failed: 'Refused',
  conflict: 'Changed by others, not written',
  invalid: 'Invalid, not sent',
} as const;
type NamedState = keyof typeof wordsOf;
export const namedStates = Object.keys(wordsOf) as readonly NamedState[];

/** `{ unknownRows: [3, 5], failedRows: [] … }`, for programs. */
export const rowsByState = (rowsIn: (state: NamedState) => Iterable<number>) =>
  Object.fromEntries(namedStates.map((state) => [`${state}Rows`, [...rowsIn(state)]]));

/** `Refused: rows 3, 5, 8 and 120 more.` */
export const namedRows = (states: RowStates, state: NamedState) =>
  `${wordsOf[state]}: ${listRows(states.rowsIn(state))}.`;

/** The next step for unknown rows. */
export function resolveHints(
  journal: string,
  endpoint: EndpointId | undefined,
  rows: Iterable<number>,
): Hint[] {
  const [first = 0] = rows;
  const isOrder = endpoint === 'workRequestCreate';
  const as = (decision: string) =>
    words`mar batch resolve ${batchName(journal)} ${`${first}=${decision}`}`;
  const look = isOrder
    ? 'Look for it in the web application, or ask somebody who sees the service'
    : 'Check whether the service has what the row writes';
  const note = isOrder ? ` (${secondOrder})` : '';
  return [
    { ...runHint(`${look}. If it is there`, as('created:ID')), for: 'person' },
    { ...runHint(`If it is not, to send it again${note}`, as('retry')), for: 'person' },
  ];
}

/** `rows 3, 5, 8 and 120 more` */
function listRows(rows: Iterable<number>): string {
  const all = [...rows];
  const more = all.length > maxListed ? ` and ${groupDigits(all.length - maxListed)} more` : '';
  return `${pluralNoun(all.length, 'row')} ${all.slice(0, maxListed).join(', ')}${more}`;
}

type FailedStop = Exclude<StopReason, { why: 'interrupted' }>;

function describeStop(stop: FailedStop): string {
  if (stop.why === 'error') return 'stopped at the first failure (--stop-on-error)';
  if (stop.why === 'auth') return 'stopped';
  if (stop.why === 'wait') {
    const { retryAfterMs = 0 } = stop.error.details;
    return `stopped because the service asks to wait ${formatSeconds(retryAfterMs / 1000)}`;
  }
  const trouble = stop.error.kind === 'network' ? 'does not respond' : 'keeps failing';
  return `stopped because the service ${trouble}`;
}

/** A row may have been carried out: sending its corrected form could create a second record. */
export function checkRemoved(
  input: string,
  removed: readonly RemovedRow[],
  { path, at, header }: ReplayedJournal,
): void {
  const unknown = removed.filter(({ state }) => state === 'unknown').map(({ row }) => row);
  if (unknown.length === 0) return;
  const verb = unknown.length === 1 ? 'has' : 'have';
  throw usageError(
    `${listRows(unknown)} ${verb} an unknown outcome, but changed or disappeared in ${input}`,
    [
      `Nothing was sent. Row numbers are those of ${input} as it was at ${at}.`,
      ...resolveHints(path, endpointOf(header.command), unknown),
    ],
  );
}

/** Rows of which an earlier version may have been ordered, and nobody here knows what it asked for. */
export function maybeChanged(
  input: string,
  journal: ReplayedJournal,
  done: readonly RemovedRow[],
): MarError {
  const rows = listRows(done.map(({ row }) => row));
  const message = `${input} has new rows, and lacks ${rows} of the version of ${journal.at}, which are done: mar cannot tell whether the new rows are other versions of them`;
  return new MarError('placed-before', message, {
    hint: forPerson('Nothing was sent. To send the new rows all the same, use --again=changed'),
    earlier: done.map(({ row }) => ({ row, outcome: 'done', id: latestEvent(journal, row).id })),
  });
}

/** Rows that are done and no longer in the input, as orders of which only the id is known. */
export const goneRows = (journal: ReplayedJournal, rows: readonly RemovedRow[]): GoneOrder[] =>
  rows.map(({ row }) => ({
    id: latestEvent(journal, row).id,
    place: '',
    message: `row ${row} of the version of ${journal.at}`,
  }));

/** Notes about the rows that are not sent, because their orders exist. */
export function reportVersions(
  context: Context,
  input: string,
  placed: readonly PlacedRow[],
  gone: readonly GoneOrder[],
): void {
  const { reporter } = context;
  const page = orderPage(context);
  const orderAt = (id: string | undefined) => page(id) ?? id ?? 'no id';
  const listed = (lines: readonly string[]) =>
    lines.length > maxListed
      ? [...lines.slice(0, maxListed), `and ${groupDigits(lines.length - maxListed)} more`]
      : lines;
  const inState = (state: PlacedRow['state']) => placed.filter((one) => one.state === state);
  const [same, changed] = [inState('unchanged'), inState('changed')];
  const [first] = same;
  if (first) {
    const rows = rowRanges(same.map(({ row }) => row));
    const more = same.length > 1 ? ', …' : '';
    const order = [first.id, first.message].filter(Boolean).join(', ');
    reporter.warn('placed-before', `${rows}: not sent: ${order}${more}`);
  }
  if (changed.length > 0) {
    const lines = changed.map(({ row, id, message }) => `row ${row}: ${message} (${orderAt(id)})`);
    const count = plural(changed.length, 'row');
    reporter.warn('changed-order', [
      [`${count} changed since the order was placed, not sent:`, ...listed(lines)].join('\n  '),
      'mar cannot change an order.',
      forPerson('To order the changed rows as new ones, use --again=changed'),
    ]);
  }
  if (gone.length > 0) {
    const lines = gone.map(({ id, message }) => `${message} (${orderAt(id)})`);
    reporter.warn('gone-order', [`${input}: ${goneText}:`, ...listed(lines)].join('\n  '));
  }
}

/** The page of an order in the web application, if its address is known. */
export function orderPage({ session }: Context) {
  const view = orUndefined(() => pageTemplate(session));
  return (id: string | undefined) => id && webAddress({ _id: id, urls: { view } });
}
