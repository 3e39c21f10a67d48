import { splitObject } from '../json/text.ts';
import { type CsvOptions, csvRow } from '../terminal/csv.ts';
import type { Line } from './lines.ts';
import { textOf } from './spans.ts';

const before = ['number', 'startTime', 'stopTime'];
const after = ['alignment', 'textAlign', 'split', 'merged', 'range', 'auto', 'custom', 'machine'];

/**
 * A table of all that is known of the lines: times as they were written, `text` for reading, `html`
 * as the service has it.
 */
export function printCsv(
  lines: readonly Line[],
  /** The texts of their records. */
  exact: readonly string[],
  options: CsvOptions,
): string {
  const header = csvRow([...before, 'text', 'html', ...after], options);
  const rows = lines.map(({ place, spans }) => {
    const fields = splitObject(exact[place - 1] ?? '');
    const cells = (names: readonly string[]) => names.map((name) => cell(fields, name));
    return csvRow(
      [...cells(before), textOf(spans), cell(fields, 'text'), ...cells(after)],
      options,
    );
  });
  return header + rows.join('');
}

function cell(fields: ReadonlyMap<string, string>, name: string): string {
  const source = fields.get(name);
  if (source === undefined || source === 'null') return '';
  return source.startsWith('"') ? JSON.parse(source) : source;
}
