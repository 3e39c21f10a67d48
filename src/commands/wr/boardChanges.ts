import { ServiceRecord } from '../../json/serviceRecord.ts';
import { type Canvas, listResult, type Results } from '../../output/result.ts';
import { changesSince, type StatusChange } from '../../records/changes.ts';
import type { Context } from '../../session/context.ts';
import { plural } from '../../values/numbers.ts';
import { formatDate } from '../../values/time.ts';
import type { BoardRow } from './boardRows.ts';
import { drawBoard } from './boardScreen.ts';
import type { Arrange } from './boardSections.ts';

/* What changed since a time, from the history of the records: no memory of this machine. */

interface ChangedRow {
  row: BoardRow;
  /** The due date, if it has passed since then. */
  lateSince: string | null;
  changes: readonly StatusChange[];
}

/** With `isLate`, only the requests that became late. */
export function changedRows(
  { session: { clock } }: Context,
  rows: readonly BoardRow[],
  since: Date,
  isLate = false,
): ChangedRow[] {
  return rows
    .map((row) => {
      const { late, due } = row.board;
      const lateSince = late && due !== null && new Date(due) >= since ? due : null;
      return { row, lateSince, changes: changesSince(row.record?.value, since, clock) };
    })
    .filter(({ lateSince, changes }) => lateSince !== null || (!isLate && changes.length > 0));
}

/** A record for each change. That a request became late is one too, by nobody. */
function changesOf({ row, lateSince, changes }: ChangedRow) {
  const { id: _id, language, territory, asset, status, reason, board } = row;
  const { due, late } = board;
  const waitsFor = board.waitsFor.map(({ name }) => name).join(', ');
  const all: StatusChange[] = [...changes];
  if (lateSince !== null) all.push({ at: lateSince, by: null, from: status, to: 'late', reason });
  return all.map((change) => {
    return { _id, ...change, due, status, late, asset, language, territory, waitsFor };
  });
}

/** `2026-11-17 18:00 CET, Marc Dubois: in-progress → awaiting-approval; Offline uploaded` */
const words = ({ at, by, from, to, reason }: StatusChange) =>
  `${formatDate(new Date(at))}${by === null ? '' : `, ${by}`}: ${from ?? 'new'} → ${to}${reason && `; ${reason}`}`;

export async function* showChanges(
  context: Context,
  changed: readonly ChangedRow[],
  { since, source }: { since: Date; source: string },
): Results {
  const byRow = new Map(changed.map((one) => [one.row, one]));
  const start = formatDate(since);
  const isNowLate = (row: BoardRow) => byRow.get(row)?.lateSince !== null;
  const closing = `${plural(changed.length, 'work request')} changed since ${start}, of ${source}`;
  const rows = changed.map(({ row }) => row);
  const details = (row: BoardRow) => [...(byRow.get(row)?.changes.map(words) ?? []), row.waits];
  const arrange: Arrange = (sorted) => [
    { heading: `Became late since ${start}`, rows: sorted.filter(isNowLate) },
    { heading: `Changed status since ${start}`, rows: sorted.filter((row) => !isNowLate(row)) },
  ];
  const drawing = (canvas: Canvas) => drawBoard(canvas, rows, { arrange, details, closing }).lines;
  const records = changed
    .flatMap(changesOf)
    .sort((a, b) => a.at.localeCompare(b.at))
    .map(ServiceRecord.fromValue);
  yield listResult([records], { columns: [] }, { isDrawnInPipes: true, drawing });
  if (!context.session.isOnScreen) context.reporter.reportAtEnd(closing);
}
