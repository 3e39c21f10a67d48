import { MarError } from '../../../core/errors.ts';
import { writeOutputFile } from '../../../core/files/openOutput.ts';
import { systemReason } from '../../../core/files/systemReason.ts';
import { type OriginalRow, reasonColumn } from '../../../core/rows/row.ts';
import { readRows } from '../../../core/rows/rows.ts';
import { formatOfFile } from '../../../core/values/formats.ts';
import { csvRow } from '../../../core/values/separatedValues.ts';
import { latestEvent } from '../journal/replay.ts';
import type { RowState } from '../journal/rowStates.ts';
import type { Batch } from '../send.ts';
import { messageOf } from './problems.ts';

/** Without a journal, nothing was sent, and no row failed. */
type RejectedRows = Pick<Batch, 'source' | 'rules' | 'invalid' | 'settings'> &
  Partial<Pick<Batch, 'journal'>>;

/** Writes the rows to fix in the form of the input, each with its reason. Every failure is a MarError. */
export async function writeRejects(rows: RejectedRows): Promise<void> {
  const file = rows.settings.rejects;
  if (file === undefined) return;
  try {
    const rejected = rejectedRows(rows);
    const isWorkbook = formatOfFile(file) === 'xlsx';
    await writeOutputFile(file, await (isWorkbook ? sheetOf(rejected) : textOf(rejected)));
  } catch (error) {
    if (error instanceof MarError) throw error;
    const problem = `cannot write the rejected rows to ${file}: ${systemReason(error)}`;
    const hint =
      'To write the rejected rows again, run the same command again: done rows are skipped.';
    throw new MarError('local', problem, { hint, cause: error });
  }
}

const rejectedStates: readonly RowState[] = ['failed', 'conflict', 'invalid'];

interface RejectedRow {
  original: OriginalRow;
  reason: string;
}
type Rejected = AsyncIterable<RejectedRow>;

/** The header of a table, which is read with its first row, then each row with its reason. */
async function* rejectedRows({ source, rules, invalid, journal }: RejectedRows): Rejected {
  for await (const { number, original } of readRows(source, rules)) {
    if (number === 1 && 'names' in original) {
      yield { original: { ...original, cells: original.names }, reason: reasonColumn };
    }
    const problems = invalid.get(number);
    const isFailed = journal && rejectedStates.includes(journal.states.get(number));
    if (!problems && !isFailed) continue;
    const message = problems
      ? messageOf(problems)
      : ((journal && latestEvent(journal, number).message) ?? 'failed');
    yield { original, reason: message.replace(/[\r\n]+/g, ' ') };
  }
}

async function sheetOf(rejected: Rejected): Promise<Uint8Array> {
  const { workbookOf } = await import('../../../core/output/sheet.ts');
  const rows: string[][] = [];
  for await (const row of rejected) rows.push(cellsOf(row));
  return workbookOf([{ name: 'Rejects', rows }]);
}

async function textOf(rejected: Rejected): Promise<string> {
  let text = '';
  for await (const row of rejected) text += lineOf(row);
  return text;
}

/** The reason comes first: a row may have more cells than the table has columns. */
function cellsOf({ original, reason }: RejectedRow): string[] {
  if (!('names' in original)) return [reason];
  const { names, cells } = original;
  return [reason, ...cells.filter((_, index) => names[index] !== reasonColumn)];
}

function lineOf(row: RejectedRow): string {
  const { original, reason } = row;
  if ('names' in original) {
    const { separator } = original;
    // Unlike in other CSV output, formulas stay: the rows are as they are in the input.
    return csvRow(cellsOf(row), { raw: true, isTerminal: false, separator });
  }
  // The rest of the text stays as it is, so that an invalid row can be fixed in place.
  const text = original.text.trim().replace(/[\r\n]+/g, ' ');
  const [, rest] = /^\{(?:\s*"_reason":"(?:[^"\\]|\\.)*",?)?(.*)$/s.exec(text) ?? [];
  if (rest === undefined) return `${text}\n`;
  const separator = rest.trim() === '}' ? '' : ',';
  return `{"${reasonColumn}":${JSON.stringify(reason)}${separator}${rest}\n`;
}
