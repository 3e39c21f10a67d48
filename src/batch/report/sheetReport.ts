import { redacted } from '../../json/secrets.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { type ListResult, listResult } from '../../output/result.ts';
import type { Column } from '../../output/view.ts';
import { isSecretPath, keyOf } from '../../rows/rowKey.ts';
import { rowsOf } from '../journal/findJournals.ts';
import type { ReplayedJournal } from '../journal/replay.ts';

/** The outcome of a row. */
export interface ReportLine {
  row: number;
  state: string;
  id?: string;
  message?: string;
}

interface SheetRow extends Partial<ReportLine> {
  cells: readonly unknown[];
}

/** The columns of a table as they are in the input, then what became of each row. */
export async function sheetReport(
  journal: ReplayedJournal,
  lines: Iterable<ReportLine>,
  columns: readonly Column[],
): Promise<ListResult | undefined> {
  const byKey = new Map<string, ReportLine[]>();
  for (const line of lines) {
    const key = journal.keys[line.row - 1] ?? '';
    byKey.set(key, [...(byKey.get(key) ?? []), line]);
  }
  const rows: SheetRow[] = [];
  let names: readonly string[] | undefined;
  for await (const { original } of rowsOf(journal)) {
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
      read: (row) => (isSecretPath(title) ? redacted : (row as SheetRow).cells[at]),
    }),
  );
  // Without a text: dates are no JSON.
  const records = rows.map((row) => new ServiceRecord(row, ''));
  return listResult([records], { columns: [...own, ...columns] }, { isOwn: true });
}
