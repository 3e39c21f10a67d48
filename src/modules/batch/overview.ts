import { orUndefined } from '../../core/errors.ts';
import { items, textAt } from '../../core/json/fields.ts';
import { type Results, rowsResult } from '../../core/output/result.ts';
import type { View } from '../../core/output/viewType.ts';
import type { Row, Translation } from '../../core/rows/row.ts';
import type { Context } from '../../core/session/context.ts';
import { groupBy } from '../../core/values/groupBy.ts';
import { plural, rowRanges } from '../../core/values/numbers.ts';
import { type OrderLook, otherService } from '../../core/writes/orderLook.ts';

/** On a screen, before the question. */
const maxShown = 50;

export type OverviewRow = ReturnType<typeof overviewRow>;

export const overviewView: View = {
  columns: [
    { title: 'Row', path: 'row', kind: 'number', importance: 9 },
    { title: 'State', path: 'state', importance: 8 },
    { title: 'Asset', path: 'asset', kind: 'id' },
    { title: 'Name', path: 'name', importance: 6, wraps: true },
    { title: 'Language', short: 'Lang', path: 'language', importance: 7 },
    { title: 'Territory', short: 'Terr', path: 'territory', importance: 7 },
    { title: 'Due', path: 'due', kind: 'id' },
    {
      title: 'Translated',
      path: 'translated',
      importance: 3,
      show: (look) =>
        items(look, 'translated')
          .map((one) => `${textAt(one, 'from')} → ${textAt(one, 'to')}`)
          .join(', '),
    },
    { title: 'Problem', path: 'problem', importance: 5 },
    { title: 'Order', path: 'id', kind: 'id', importance: 4 },
    { title: 'Compared', path: 'message', importance: 4 },
    { title: 'Web page', path: 'page', kind: 'link', isOffScreen: true },
  ],
};

/** A row of a batch as people see it before it is sent. */
export function overviewRow(
  { number: row, cellOf }: Row,
  look: OrderLook,
  translated: readonly Translation[],
) {
  return {
    row,
    ...look,
    translated: translated.map((one) => ({ ...one, cell: cellOf?.(one.field) })),
    problem: undefined as string | undefined,
    /** `new`, `again`, or the result of the comparison with earlier orders. */
    state: 'new',
    id: undefined as string | undefined,
    message: undefined as string | undefined,
    page: undefined as string | undefined,
  };
}

/** On a terminal, the table comes before the question, or before the result of `--check`. */
export async function* showOverview(
  { session, world }: Context,
  rows: readonly OverviewRow[] = [],
): Results {
  if (!world.streams.stdout.isTerminal || rows.length === 0) return;
  const shown = rows.slice(0, maxShown);
  const more = rows.length - shown.length;
  const notes: string[] = [];
  const wished = [...groupBy(rows, ({ wishes }) => wishes)];
  for (const [wishes, same] of wished.length < 6 ? wished : []) {
    const ranges = wished.length === 1 ? 'each row' : rowRanges(same.map(({ row }) => row));
    if (wishes !== '') notes.push(`${wishes} (${ranges})`);
  }
  const told = rows.map(({ instructions }) => instructions).filter(Boolean);
  if (told.length > 0) {
    const texts = plural(new Set(told).size, 'text');
    notes.push(`instructions: ${texts} in ${plural(told.length, 'row')}`);
  }
  const remarked = groupBy(
    rows.flatMap(({ row, remarks }) => remarks.map((text) => ({ row, text }))),
    ({ text }) => text,
  );
  for (const [text, same] of remarked) {
    notes.push(`warning: ${text}: ${rowRanges(same.map(({ row }) => row))}`);
  }
  const other = orUndefined(() => otherService({ session }));
  if (other) notes.push(`warning: ${other}`);
  if (more > 0) {
    notes.push(`${plural(more, 'row')} more; to see them all, use --check -O review.xlsx`);
  }
  yield rowsResult(shown, overviewView.columns, { isOwn: true, onlyFor: 'people', notes });
}
