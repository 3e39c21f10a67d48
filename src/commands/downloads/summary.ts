import type { Context } from '../../context.ts';
import { fromPlain, type Json } from '../../json/value.ts';
import type { BarChart } from '../../terminal/bars.ts';
import type { Column } from '../../terminal/view.ts';
import type { Input } from '../command.ts';
import { readExtent, wholeList } from '../verbs/extent.ts';
import { printParts } from '../verbs/parts.ts';
import { type Group, type Grouping, isKnown, Tally } from './tally.ts';
import { downloadPages } from './within.ts';

/** Counts the downloads that were asked for: all of them, unless a part was named. */
export async function summarise(context: Context, by: Grouping, input: Input): Promise<void> {
  const asked = readExtent(context, input) ?? wholeList(context, input);
  const tally = new Tally(by, context.settings.timeUnit ?? 'auto');
  for await (const page of downloadPages(context, input, { ...asked, isNeededWhole: true })) {
    for (const { value } of page) tally.add(value);
  }
  await print(context, by, tally.groups());
  tell(context, by, tally);
}

async function print(context: Context, by: Grouping, groups: readonly Group[]): Promise<void> {
  const { printer, style, streams } = context;
  if (!printer.isForPeople || context.flags.columns) {
    return printParts(
      context,
      groups.map((group) => record(by, group)),
      columnsOf(by),
    );
  }
  if (groups.length === 0) return;
  const { renderBars } = await import('../../terminal/bars.ts');
  const lines = renderBars(chart(by, groups), streams.stdout.columns, style);
  await streams.stdout.write(`${lines.join('\n')}\n`);
}

const hasName = (by: Grouping) => by !== 'day' && by !== 'type';

/** A group as a record of its own: `{"project":"p-1","name":"…","count":3}`. */
function record(by: Grouping, { key, name, count }: Group): Json {
  return fromPlain({ [by]: key ?? null, ...(hasName(by) ? { name: name ?? null } : {}), count });
}

const titles: Readonly<Record<Grouping, string>> = {
  day: 'Day',
  project: 'Project',
  asset: 'Asset',
  user: 'User',
  type: 'Type',
};

function columnsOf(by: Grouping): readonly Column[] {
  return [
    { title: titles[by], path: by, kind: 'id' },
    ...(hasName(by) ? [{ title: 'Name', path: 'name', importance: 1 }] : []),
    { title: 'Count', path: 'count', kind: 'number' },
  ];
}

const notSaid = '(not said)';
/** A longer time without downloads is told in one line. */
const longestGap = 7;

function chart(by: Grouping, groups: readonly Group[]): BarChart {
  const unit = 'Count';
  const first = { title: titles[by], fixed: true };
  if (by === 'day') return { columns: [first], unit, rows: days(groups) };
  // A column that would be empty is left out: the service need not send the names of users.
  const isNamed = groups.some(({ name }) => name !== undefined);
  return {
    columns: isNamed ? [first, { title: 'Name', importance: 1 }] : [first],
    unit,
    rows: groups.map((group) => {
      const id = isKnown(group) ? (group.key ?? '') : notSaid;
      return { cells: isNamed ? [id, group.name ?? ''] : [id], count: group.count };
    }),
  };
}

function days(groups: readonly Group[]): BarChart['rows'] {
  const rows: BarChart['rows'][number][] = [];
  let empty: BarChart['rows'][number][] = [];
  for (const { key, count } of groups) {
    const row = { cells: [key === undefined ? notSaid : `${key} ${weekday(key)}`], count };
    if (count === 0) {
      empty.push(row);
      continue;
    }
    const isLong = empty.length > longestGap;
    rows.push(...(isLong ? [{ text: `… ${empty.length} days without downloads` }] : empty), row);
    empty = [];
  }
  return rows;
}

const weekday = (day: string) =>
  ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][new Date(day).getUTCDay()] ?? '';

/** How many there were, for who looks at it; and what could not be told apart. */
function tell(context: Context, by: Grouping, tally: Tally): void {
  const groups = tally.groups();
  const counted = groups.filter((group) => isKnown(group) && group.count > 0);
  const known = counted.reduce((sum, { count }) => sum + count, 0);
  if (context.streams.stdout.isTerminal && tally.total > 0) {
    const zone = by === 'day' ? zoneName() : '';
    context.note(`${amount(tally.total, 'download')}, ${amount(counted.length, by)}${zone}`);
  }
  if (known < tally.total) {
    const unknown = amount(tally.total - known, 'download');
    context.note(`${unknown} without a ${by}: the service does not say which`);
  }
}

/** Days begin and end somewhere; where, is not always known by a name. */
function zoneName(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone === 'Etc/Unknown' ? '' : ` (${timeZone})`;
}

const amount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
