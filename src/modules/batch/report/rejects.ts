import { MarError } from '../../../core/errors.ts';
import { writeOutputFile } from '../../../core/files/openOutput.ts';
import { systemReason } from '../../../core/files/systemReason.ts';
import { type Row, reasonColumn } from '../../../core/rows/row.ts';
import { readRows } from '../../../core/rows/rows.ts';
import { csvRow } from '../../../core/values/separatedValues.ts';
import { latestEvent } from '../journal/replay.ts';
import type { RowState } from '../journal/rowStates.ts';
import type { Batch } from '../send.ts';
import { messageOf } from './problems.ts';

/** Without a journal, nothing was sent, and no row failed. */
type RejectedRows = Pick<Batch, 'source' | 'rules' | 'invalid'> & Partial<Pick<Batch, 'journal'>>;

/** Writes the rows to fix in the form of the input, each with its reason. Every failure is a MarError. */
export async function writeRejects(file: string | undefined, rows: RejectedRows): Promise<void> {
  if (file === undefined) return;
  try {
    await writeOutputFile(file, rejectedRows(rows));
  } catch (error) {
    if (error instanceof MarError) throw error;
    const problem = `cannot write the rejected rows to ${file}: ${systemReason(error)}`;
    const hint =
      'To write the rejected rows again, run the same command again: done rows are skipped.';
    throw new MarError('service', problem, { hint, cause: error });
  }
}

/** One write for each line would take longer than the batch. */
const chunkLength = 64 * 1024;

const rejectedStates: readonly RowState[] = ['failed', 'conflict', 'invalid'];

async function* rejectedRows({ source, rules, invalid, journal }: RejectedRows) {
  let hasHeader = false;
  let chunk = '';
  for await (const row of readRows(source, rules)) {
    if ('names' in row.original && !hasHeader) chunk += headerOf(row.original);
    hasHeader = true;
    const problems = invalid.get(row.number);
    if (problems) chunk += withReason(row, messageOf(problems));
    else if (journal && rejectedStates.includes(journal.states.get(row.number))) {
      chunk += withReason(row, latestEvent(journal, row.number).message ?? 'failed');
    }
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

type Table = Extract<Row['original'], { names: readonly string[] }>;

const headerOf = (table: Table) =>
  line([reasonColumn, ...withoutReason(table, table.names)], table);

/** The reason comes first: a row may have more cells than the table has columns. */
function withReason({ original }: Row, message: string): string {
  const reason = message.replace(/[\r\n]+/g, ' ');
  if ('names' in original) {
    return line([reason, ...withoutReason(original, original.cells)], original);
  }
  // The rest of the text stays as it is, so that an invalid row can be fixed in place.
  const text = original.text.trim().replace(/[\r\n]+/g, ' ');
  const [, rest] = /^\{(?:\s*"_reason":"(?:[^"\\]|\\.)*",?)?(.*)$/s.exec(text) ?? [];
  if (rest === undefined) return `${text}\n`;
  const separator = rest.trim() === '}' ? '' : ',';
  return `{"${reasonColumn}":${JSON.stringify(reason)}${separator}${rest}\n`;
}

const withoutReason = ({ names }: Table, cells: readonly string[]) =>
  cells.filter((_, index) => names[index] !== reasonColumn);

/** Unlike in other CSV output, formulas stay: the rows are as they are in the input. */
const line = (cells: readonly string[], { separator }: Table) =>
  csvRow(cells, { raw: true, isTerminal: false, separator });
