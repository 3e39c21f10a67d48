import path from 'node:path';
import { runHint } from '../../errors.ts';
import { shortPath } from '../../files/paths.ts';
import { isBlocked } from '../../records/status.ts';
import type { Context } from '../../session/context.ts';
import { words } from '../../values/commandLine.ts';
import { plural, pluralNoun } from '../../values/numbers.ts';
import { sanitise } from '../../values/sanitise.ts';
import type { BoardRow } from './boardRows.ts';

/* The order of the requests on a board and in `today`: sections, groups, batches, and their counts. */

export const groupings = ['status', 'language', 'territory', 'asset'] as const;
export type Grouping = (typeof groupings)[number];

export interface Section {
  heading: string;
  /** For programs. */
  name?: string;
  rows: readonly BoardRow[];
}

/** Sorts rows, which come in the order of their urgency, into the sections of a board. */
export type Arrange = (rows: readonly BoardRow[]) => Section[];

/** Late requests first, then groups. The most urgent request decides where its group comes. */
export const byGroup =
  (group: Grouping): Arrange =>
  (rows) => {
    const groups = new Map<string | undefined, BoardRow[]>();
    for (const row of rows) {
      const name = row.board.late ? undefined : row[group] || `(no ${group})`;
      groups.set(name, [...(groups.get(name) ?? []), row]);
    }
    return [...groups].map(([heading = 'Late', members]) => ({ heading, rows: members }));
  };

/** By due date; then those without one, then those that are done, from the newest to the oldest. */
export function byUrgency(a: BoardRow, b: BoardRow): number {
  if (a.isSettled !== b.isSettled) return Number(a.isSettled) - Number(b.isSettled);
  if (a.isSettled) return (b.board.since ?? '').localeCompare(a.board.since ?? '');
  const left = ({ board }: BoardRow) => board.timeLeftMs ?? Number.MAX_VALUE;
  return left(a) - left(b);
}

/** The sections that have rows. */
export function sectionsOf(
  rows: readonly BoardRow[],
  arrange: Arrange,
  { listsUnreadable = false } = {},
): Section[] {
  const read = rows.filter(({ problem }) => problem === undefined);
  const unread = listsUnreadable ? rows.filter(({ problem }) => problem !== undefined) : [];
  const sections = [
    ...arrange(read.sort(byUrgency)),
    { heading: 'Could not be read', rows: unread },
  ];
  return sections.filter((section) => section.rows.length > 0);
}

/** A batch is followed as one: if it `isFolded`, its requests are a line, with their counts. */
export function splitBatches({ reporter }: Context, rows: readonly BoardRow[], isFolded: boolean) {
  const files = new Set(rows.flatMap(({ board }) => (isFolded && board.batch) || []));
  const notes = [...files].map((file) => {
    const totals = totalsOf(rows.filter(({ board }) => board.batch === file));
    const purpose = `Batch ${sanitise(path.basename(file))}: ${totals}. To see them`;
    return reporter.textOf(runHint(purpose, words`mar today --batch ${shortPath(file)}`));
  });
  return { loose: rows.filter(({ board }) => !files.has(board.batch ?? '')), notes };
}

export function totalsOf(rows: readonly BoardRow[]): string {
  const facts: [string, (row: BoardRow) => boolean][] = [
    ['late', ({ board }) => board.late],
    ['due in 24 h', ({ isSoon }) => isSoon],
    ['missing materials', (row) => row.board.missing.length > 0 && !row.isSettled],
    ['done', (row) => row.isSettled],
    ['not read', ({ problem }) => problem !== undefined],
  ];
  const counts = facts.map(([what, isTrue]) => [rows.filter(isTrue).length, what] as const);
  const parts = counts.filter(([count], at) => count > 0 || at === 0);
  const words = parts.map(([count, what]) => `${count || 'none'} ${what}`);
  return `${plural(rows.length, 'request')}: ${words.join(', ')}`;
}

const isStuck = ({ status, board }: BoardRow) => board.missing.length > 0 || isBlocked(status);

const groups: readonly [name: string, heading: string, isIn: (row: BoardRow) => boolean][] = [
  ['late', 'Late', ({ board }) => board.late],
  ['due-soon', 'Due in 24 hours', ({ isSoon }) => isSoon],
  ['blocked', 'Blocked, waiting or missing materials', isStuck],
  ['changed', 'Changed since you last looked', ({ board }) => board.changes.length > 0],
  ['other', 'Others', () => true],
];

/** Each request is in the first group that fits. Finished ones are in none. */
const groupOf = (row: BoardRow) =>
  row.isSettled ? undefined : groups.find(([, , isIn]) => isIn(row))?.[0];

export const isNeedy = (row: BoardRow) => ![undefined, 'other'].includes(groupOf(row));

export const byAttention: Arrange = (rows) =>
  groups.map(([name, heading]) => {
    return { name, heading, rows: rows.filter((row) => groupOf(row) === name) };
  });

/** The requests that need no attention, in numbers. */
export function closingLine(rows: readonly BoardRow[], source: string): string {
  const open = rows.filter(({ problem, isSettled }) => problem === undefined && !isSettled);
  const calm = open.filter((row) => !isNeedy(row)).length;
  const needy = open.length - calm;
  const settled = rows.filter(({ isSettled }) => isSettled);
  const finished = settled.filter(({ board }) => board.changes.length > 0);
  const parts = [
    needy > 0 && `${plural(needy, 'work request')} ${needy === 1 ? 'needs' : 'need'} attention`,
    needy === 0 && (rows.length > 0 ? 'Nothing needs your attention' : 'No work request matches'),
    calm > 0 && `${calm} ${pluralNoun(calm, 'other')} on time`,
    settled.length > finished.length && `${settled.length - finished.length} finished`,
    finished.length > 0 &&
      `finished since you last looked: ${finished.map(({ id }) => id).join(', ')}`,
    `of ${source}`,
  ];
  return parts.filter(Boolean).join('; ');
}
