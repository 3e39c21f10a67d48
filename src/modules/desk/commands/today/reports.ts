import { webAddress } from '../../../../core/commands/wr/webPage.ts';
import { valueAt } from '../../../../core/json/fields.ts';
import {
  type Canvas,
  type Result,
  type Results,
  rowsResult,
  textResult,
} from '../../../../core/output/result.ts';
import type { Column } from '../../../../core/output/viewType.ts';
import { sortedHistory } from '../../../../core/records/lateness.ts';
import { safeText } from '../../../../core/records/look.ts';
import { partyOf } from '../../../../core/records/waitsFor.ts';
import type { Context } from '../../../../core/session/context.ts';
import { plural } from '../../../../core/values/numbers.ts';
import { type Clock, formatDate } from '../../../../core/values/time.ts';
import { wrapWords } from '../../../../core/values/width.ts';
import { byUrgency, groups, type Row } from './rows.ts';
import { drawSections, whyOf } from './screen.ts';

/* Reports that `today` prints in place of its groups: the changes since a time, or a block for each person. */

/** The changes since a time, without a memory of this machine; with `isLate`, only that requests became late. */
export function changesIn(
  { session, reporter }: Context,
  all: readonly Row[],
  { since, isLate, source }: { since: Date; isLate: boolean; source: string },
) {
  const becameLate = ({ board: { late, due } }: Row) =>
    late && due !== null && new Date(due) >= since;
  const unread = all.filter(({ record }) => !record);
  const { email } = session.identity();
  /** Its only news is that this account ordered it. */
  const isOwnOrder = (row: Row & { changes: ReturnType<typeof changesSince> }) =>
    row.changes.every(({ from }) => from === null) &&
    partyOf(valueAt(row.record?.value, 'from')).email === email &&
    !becameLate(row);
  const rows = all
    .map((row) => {
      const changes = changesSince(row.record?.value, since, session.clock);
      return { ...row, changes, details: [...changes.map(words), row.waits] };
    })
    .filter((row) => becameLate(row) || (!isLate && row.changes.length > 0))
    .sort(byUrgency);

  async function* show(): Results {
    const start = formatDate(since);
    const before = isLate ? all.length - rows.length - unread.length : 0;
    const news = rows.filter((row) => !isOwnOrder(row));
    const own = rows.length - news.length;
    const count = news.length > 0 ? plural(news.length, 'work request') : 'No work request';
    const parts = [
      `${count} ${isLate ? 'became late' : 'changed status'} since ${start}`,
      before > 0 && `${before} ${before === 1 ? 'was' : 'were'} late before`,
      own > 0 && `${own} ordered by you`,
      unread.length > 0 && `${unread.length} ${groups.unread.inCounts}`,
      `of ${source}`,
    ];
    const closing = parts.filter(Boolean).join('; ');
    const sections = [
      { heading: `Became late since ${start}`, rows: rows.filter(becameLate) },
      { heading: `Changed status since ${start}`, rows: news.filter((row) => !becameLate(row)) },
      { heading: groups.unread.heading, rows: unread },
    ];
    const drawing = (canvas: Canvas) => drawSections(canvas, sections, { closing }).lines;
    // A record for each change. That a request became late is one too, by nobody.
    const records = rows.flatMap((row) => {
      const { id: _id, language, territory, asset, status, reason, board } = row;
      const { due, late } = board;
      const waitsFor = board.waitsFor.map(({ name }) => name).join(', ');
      const delay = { at: due ?? '', by: null, from: status, to: 'late', reason };
      return [...row.changes, ...(becameLate(row) ? [delay] : [])].map((change) => {
        return { _id, ...change, due, status, late, asset, language, territory, waitsFor };
      });
    });
    records.sort((a, b) => a.at.localeCompare(b.at));
    yield rowsResult(records, changeColumns, { isDrawnInPipes: true, drawing });
    if (!session.isOnScreen) reporter.reportAtEnd(closing);
    const dates =
      'Due dates have no history; mar today marks those that moved since you last saw them';
    if (!isLate) reporter.reportAtEnd(dates);
  }

  return { rows: [...rows, ...unread], late: rows.filter(becameLate), show };
}

const changeColumns: readonly Column[] = [
  { title: 'Id', path: '_id', kind: 'id' },
  { title: 'When', path: 'at', kind: 'time' },
  { title: 'By', path: 'by' },
  { title: 'From', path: 'from' },
  { title: 'To', path: 'to' },
  { title: 'Reason', path: 'reason' },
  { title: 'Due', path: 'due', kind: 'time' },
  { title: 'Status', path: 'status', kind: 'status' },
  { title: 'Late', path: 'late' },
  { title: 'Asset', path: 'asset' },
  { title: 'Language', path: 'language' },
  { title: 'Territory', path: 'territory' },
  { title: 'Waits for', path: 'waitsFor' },
];

/** The changes of status in a record's own history since a time, the oldest first. */
function changesSince(record: unknown, since: Date, clock: Clock) {
  const entries = sortedHistory(record, clock);
  const statuses = entries.map((entry) => safeText(valueAt(entry, 'status')));
  return entries.flatMap((entry, index) => {
    const date = clock.date(valueAt(entry, 'date'));
    /** Null for the first status. */
    const from = statuses[index - 1] ?? null;
    const to = statuses[index] ?? '';
    if (!date || date < since || date > clock.now || from === to) return [];
    const { name, id } = partyOf(valueAt(entry, 'user'));
    const reason = safeText(valueAt(entry, 'reason'));
    return [{ at: date.toISOString(), by: name || id || null, from, to, reason }];
  });
}

/** `2026-11-17 18:00 CET, Marc Dubois: in-progress → awaiting-approval; Offline uploaded` */
const words = ({ at, by, from, to, reason }: ReturnType<typeof changesSince>[number]) =>
  `${formatDate(new Date(at))}${by === null ? '' : `, ${by}`}: ${from ?? 'new'} → ${to}${reason && `; ${reason}`}`;

/**
 * The requests by the person that they wait for: as text for mails, and as a row for each of both.
 * Returns true if it was printed as text.
 */
export async function* byPerson(
  context: Context,
  rows: readonly Row[],
): AsyncGenerator<Result, boolean> {
  const people = new Map<string, { name: string; email: string; rows: Row[] }>();
  const nobody = { id: '', name: 'Nobody is known', email: '' };
  const notRead = { id: 'unread', name: groups.unread.heading, email: '' };
  const open = rows.filter(({ board }) => board.group !== 'finished');
  for (const row of open.sort(byUrgency)) {
    const unclaimed = row.record ? nobody : notRead;
    for (const { id, name, email } of row.awaited.length > 0 ? row.awaited : [unclaimed]) {
      const known = people.get(id) ?? { name, email, rows: [] };
      people.set(id, { name, email: known.email || email, rows: [...known.rows, row] });
    }
  }
  const { now } = context.session.clock;
  const lines = [...people].flatMap(([id, { name, email, rows: own }]) => [
    `${email ? `${name} <${email}>` : name}: ${plural(own.length, 'work request')}`,
    ...own.flatMap((row) => ['', ...mailLines(row, id, now)]),
    '',
  ]);
  if (lines.length === 0) lines.push('No work request to write about');
  const text = ({ isTerminal, columns }: Canvas) =>
    lines.flatMap((line) => (isTerminal ? wrapWords(line, columns, '  ') : [line]));
  let isText = false;
  const mail = (canvas: Canvas) => {
    isText = true;
    return `${text(canvas).join('\n')}\n`;
  };
  yield textResult(mail, { onlyFor: 'people' });
  const records = [...people.values()].flatMap(({ name, email, rows: own }) =>
    own
      .filter(({ record }) => record)
      .map(({ id: _id, status, asset, language, territory, reason, board, record }) => {
        const { since, due, missing } = board;
        const facts = { _id, status, since, due, missing, reason, asset, language, territory };
        return { name, email, ...facts, link: webAddress(record?.value) };
      }),
  );
  yield rowsResult(records, [], { onlyFor: 'programs' });
  return isText;
}

function mailLines(row: Row, person: string, now: Date): string[] {
  const { asset, language, territory, timeLeft, board, record } = row;
  const due = board.due === null ? '' : `due ${formatDate(new Date(board.due))} (${timeLeft})`;
  const { role, isAssumed } = row.awaited.find(({ id }) => id === person) ?? {};
  const reading = isAssumed ? ', assumed from the status' : '';
  const waits = role ? `waits for the ${role}${reading}` : '';
  const lines = [due, whyOf(row, now), waits, webAddress(record?.value) ?? ''];
  const title = [row.id, asset, language, territory].filter(Boolean).join(', ');
  return [`- ${title}`, ...lines.filter(Boolean).map((line) => `  ${line}`)];
}
