import { fieldsOf, valueAt } from '../../json/fields.ts';
import type { ServiceRecord } from '../../json/serviceRecord.ts';
import { type Results, rowsResult } from '../../output/result.ts';
import type { Column } from '../../output/viewType.ts';
import { learnNames } from '../../reads/knownUsers.ts';
import type { Context } from '../../session/context.ts';
import { cellText } from '../../values/cell.ts';
import { plural } from '../../values/numbers.ts';
import { type Clock, localDay, localZoneName } from '../../values/time.ts';

export const groupings = ['day', 'project', 'asset', 'file', 'user', 'type'] as const;
export type Grouping = (typeof groupings)[number];

interface Group {
  key?: string;
  name?: string;
  count: number;
}

export async function* summarise(
  context: Context,
  by: Grouping,
  pages: AsyncIterable<readonly ServiceRecord[]>,
): Results {
  // Counts only, so that a list may have any length.
  const counted = new Map<string, Group>();
  for await (const page of pages) {
    for (const { value } of page) {
      const { key, name } = groupOf(value, by, context.session.clock);
      // Groups without an id are told apart by name.
      const slot = key === undefined ? `name ${name ?? ''}` : `id ${key}`;
      const group = counted.get(slot) ?? { key, name, count: 0 };
      group.name ??= name;
      group.count += 1;
      counted.set(slot, group);
    }
  }
  const all = [...counted.values()];
  if (by === 'user') {
    // A download need not have the name of its user, so it comes from the list of users.
    const nameless = all.filter(({ name }) => name === undefined);
    const ids = nameless.flatMap(({ key }) => key ?? []);
    await learnNames(context, ids);
    for (const group of nameless) group.name = context.session.userName(group.key ?? '');
  }
  const known = all.filter(isKnown);
  const unknown = all.filter((group) => !isKnown(group));
  const groups = [...known.sort(by === 'day' ? byKey : byCount), ...unknown];
  // `{"project":"p-1","name":"…","count":3}`
  const rows = groups.map(({ key = null, name = null, count }) => {
    return { [by]: key, ...(hasName(by) && { name }), count };
  });
  yield rowsResult(rows, columnsFor(by));
  noteTotals(context, by, groups);
}

function groupOf(download: unknown, by: Grouping, clock: Clock): Omit<Group, 'count'> {
  if (by === 'type') return { key: stringOf(valueAt(download, 'asset.type')) };
  if (by === 'day') {
    const date = clock.date(valueAt(download, 'created'));
    return { key: date && localDay(date) };
  }
  // A reference is an id or an embedded record.
  const value = valueAt(download, by);
  if (Array.isArray(value)) return {};
  if (fieldsOf(value) === undefined) return { key: stringOf(value) };
  return { key: stringOf(valueAt(value, '_id')), name: stringOf(valueAt(value, 'name')) };
}

const columnsFor = (by: Grouping): readonly Column[] => [
  { title: titleOf(by), path: by, kind: 'id' },
  ...(hasName(by) ? [{ title: 'Name', path: 'name', importance: 1 }] : []),
  { title: 'Count', path: 'count', kind: 'number' },
];

const hasName = (by: Grouping) => by !== 'day' && by !== 'type';

const titleOf = (by: Grouping) => by.replace(/^./, (letter) => letter.toUpperCase());

function noteTotals({ world, reporter }: Context, by: Grouping, groups: readonly Group[]): void {
  const counted = groups.filter(isKnown);
  const known = countOf(counted);
  const total = countOf(groups);
  if (world.streams.stdout.isTerminal && total > 0) {
    const zone = by === 'day' ? ` (${localZoneName()})` : '';
    reporter.reportAtEnd(`${plural(total, 'download')}, ${plural(counted.length, by)}${zone}`);
  }
  if (known === total) return;
  const have = total - known === 1 ? 'has' : 'have';
  const hint = by === 'user' ? '. To see the downloads of one user, try --user ID' : '';
  reporter.reportAtEnd(
    known > 0
      ? `${total - known} of them ${have} no ${by}`
      : `The service sends no ${by} with its downloads${hint}`,
  );
}

const countOf = (groups: readonly Group[]) => groups.reduce((sum, { count }) => sum + count, 0);

const isKnown = ({ key, name }: Group): boolean => key !== undefined || name !== undefined;

const stringOf = (value: unknown): string | undefined => cellText(value) || undefined;

function byCount(a: Group, b: Group): number {
  const label = ({ key, name }: Group) => name ?? key ?? '';
  return b.count - a.count || (label(a) < label(b) ? -1 : 1);
}

const byKey = (a: Group, b: Group) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1);
