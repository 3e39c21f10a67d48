import { hideSecrets } from '../../../core/api/secretFields.ts';
import { webAddress } from '../../../core/commands/wr/webPage.ts';
import { orUndefined } from '../../../core/errors.ts';
import { valueAt } from '../../../core/json/fields.ts';
import { ServiceRecord } from '../../../core/json/serviceRecord.ts';
import { type ListResult, listResult, type Results } from '../../../core/output/result.ts';
import type { Column, View } from '../../../core/output/viewType.ts';
import { keyOf } from '../../../core/rows/rowKey.ts';
import type { Context } from '../../../core/session/context.ts';
import { pageTemplate } from '../../../core/session/remember.ts';
import { groupBy } from '../../../core/values/groupBy.ts';
import { sanitise } from '../../../core/values/sanitise.ts';
import { journaledRows } from '../journal/findJournals.ts';
import { latestEvent, type ReplayedJournal } from '../journal/replay.ts';

/** The outcome of a row. */
export interface ReportLine {
  /** Not of an order that the input no longer has. */
  row?: number;
  state: string;
  id?: string;
  message?: string;
}

const state: Column = { title: 'State', path: 'state', importance: 4 };
const id: Column = { title: 'Id', path: 'id', kind: 'id' };
const message: Column = { title: 'Message', path: 'message', importance: 3 };
export const reportView: View = {
  columns: [{ title: 'Row', path: 'row', kind: 'number' }, state, id, message],
};

export const goneText = 'no longer in the sheet, but ordered';

/** The rows of the shards that the journals are of, in their order. */
export const rowsOf = (journals: readonly ReplayedJournal[]) =>
  journals
    .flatMap((journal) => [...journal.states.rowsOfShard()].map((row) => ({ row, journal })))
    .sort((one, other) => one.row - other.row);

export function* reportLines(journals: readonly ReplayedJournal[]): Generator<ReportLine> {
  for (const { row, journal } of rowsOf(journals)) {
    const { id, message } = latestEvent(journal, row);
    yield { row, state: journal.states.get(row), id, message };
  }
  for (const { id, message } of journals.flatMap(({ gone }) => gone)) {
    yield { state: 'gone', id, message: `${goneText}: ${message}` };
  }
}

const rowsInPage = 500;

/** The state of each row, its record and what went wrong. */
export async function* rowsReport(context: Context, journals: readonly ReplayedJournal[]): Results {
  const [first] = journals;
  const isSheet = context.flags.format === 'xlsx' && first;
  const sheet = isSheet && (await sheetReport(context, first, reportLines(journals)));
  if (sheet) {
    yield sheet;
    return;
  }
  function* pages(): Generator<ServiceRecord[]> {
    let page: ServiceRecord[] = [];
    for (const line of reportLines(journals)) {
      // They quote the service, and people print reports to a terminal with cat.
      const id = line.id && sanitise(line.id);
      const message = line.message && sanitise(line.message);
      page.push(ServiceRecord.fromValue({ ...line, id, message }));
      if (page.length < rowsInPage) continue;
      yield page;
      page = [];
    }
    yield page;
  }
  yield listResult(pages(), reportView, { isOwn: true });
}

type SheetRow = Partial<ReportLine> & { cells: readonly unknown[] };

/** The columns of a table as they are in the input, then what became of each row. */
async function sheetReport(
  context: Context,
  journal: ReplayedJournal,
  lines: Iterable<ReportLine>,
): Promise<ListResult | undefined> {
  const byKey = groupBy(lines, ({ row = 0 }) => journal.keys[row - 1] ?? '');
  const rows: SheetRow[] = [];
  let names: readonly string[] | undefined;
  for await (const { original } of journaledRows(context, journal)) {
    if ('text' in original) return undefined;
    names = original.names;
    const line = byKey.get(keyOf(original))?.shift() ?? { state: 'new' };
    rows.push({ ...line, cells: original.values ?? original.cells });
  }
  if (!names) return undefined;
  for (const line of [...byKey.values()].flat()) {
    const message = line.message ?? `row ${line.row}, no longer in the file`;
    rows.push({ ...line, message, cells: [] });
  }
  const own = names.map(
    (title, at): Column => ({
      title,
      path: `#${at + 1}`,
      read: (row) => hideSecrets((row as SheetRow).cells[at] as string, title),
    }),
  );
  const page = orUndefined(() => pageTemplate(context.session));
  const read = (row: unknown) => webAddress({ _id: valueAt(row, 'id'), urls: { view: page } });
  const link: Column = { title: 'Web page', path: 'page', kind: 'link', read };
  const columns = [...own, id, state, message, link];
  // Without a text: dates are no JSON.
  const records = rows.map((row) => new ServiceRecord(row, ''));
  return listResult([records], { columns }, { isOwn: true });
}
