import path from 'node:path';
import { MarError, orUndefined } from '../../../core/errors.ts';
import { writeOutputFile } from '../../../core/files/openOutput.ts';
import { systemReason } from '../../../core/files/systemReason.ts';
import { printJson } from '../../../core/json/value.ts';
import { type Row, reasonColumn } from '../../../core/rows/row.ts';
import { readRows } from '../../../core/rows/rows.ts';
import { formatOfFile } from '../../../core/values/formats.ts';
import { csvRow } from '../../../core/values/separatedValues.ts';
import { latestEvent } from '../journal/replay.ts';
import type { RowState } from '../journal/rowStates.ts';
import type { Batch } from '../send.ts';
import { messageOf } from './problems.ts';

/** Without a journal, nothing was sent, and no row failed. */
type RejectedRows = Pick<Batch, 'source' | 'rules' | 'invalid' | 'files' | 'settings'> &
  Partial<Pick<Batch, 'journal'>>;

/** Writes the rows to fix in the form of the input, each with its reason. Every failure is a MarError. */
export async function writeRejects(rows: RejectedRows): Promise<void> {
  const file = rows.settings.rejects;
  if (file === undefined) return;
  try {
    const isWorkbook = formatOfFile(file) === 'xlsx';
    await writeOutputFile(file, isWorkbook ? await rejectedSheet(rows) : rejectedText(rows));
  } catch (error) {
    if (error instanceof MarError) throw error;
    const problem = `cannot write the rejected rows to ${file}: ${systemReason(error)}`;
    const hint =
      'To write the rejected rows again, run the same command again: done rows are skipped.';
    throw new MarError('local', problem, { hint, cause: error });
  }
}

/** One write for each line would take longer than the batch. */
const chunkLength = 64 * 1024;

const rejectedStates: readonly RowState[] = ['failed', 'conflict', 'invalid'];

/** The header of a table, which is read with its first row, then each row with its reason. */
async function* rejectedRows(rejected: RejectedRows) {
  const { source, rules, invalid, journal } = rejected;
  let hasHeader = false;
  for await (const row of readRows(source, rules)) {
    const { number, original } = row;
    if (!hasHeader && 'names' in original) {
      yield { original: { ...original, cells: original.names }, reason: reasonColumn };
    }
    hasHeader = true;
    const problems = invalid.get(number);
    const isFailed = journal && rejectedStates.includes(journal.states.get(number));
    if (!problems && !isFailed) continue;
    const message = problems
      ? messageOf(problems)
      : ((journal && latestEvent(journal, number).message) ?? 'failed');
    yield { original: relocated(row, rejected), reason: message.replace(/[\r\n]+/g, ' ') };
  }
}

/** A row names its file by the path from where the row is. */
function relocated(row: Row, { files, settings }: RejectedRows): Row['original'] {
  const { original } = row;
  const name = orUndefined(() => row.read())?.get('name');
  if (!files || typeof name !== 'string') return original;
  const { dir } = path.parse(settings.rejects ?? '');
  const moved = path.relative(dir, path.join(files.folder, name));
  if (moved === path.normalize(name)) return original;
  if ('text' in original) return { text: printJson(row.read().set('name', moved)) };
  return { ...original, cells: original.cells.with(row.columnOf?.('name') ?? 0, moved) };
}

type RejectedRow = { original: Row['original']; reason: string };

async function* rejectedText(rows: RejectedRows) {
  let chunk = '';
  for await (const row of rejectedRows(rows)) {
    chunk += textOf(row);
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

async function rejectedSheet(rejected: RejectedRows): Promise<Uint8Array> {
  const { workbookOf } = await import('../../../core/output/sheet.ts');
  const rows: string[][] = [];
  for await (const row of rejectedRows(rejected)) rows.push(cellsOf(row));
  return workbookOf([{ name: 'Rejects', rows }]);
}

/** The reason comes first: a row may have more cells than the table has columns. */
function cellsOf({ original, reason }: RejectedRow): string[] {
  if (!('names' in original)) return [reason];
  const { names, cells } = original;
  return [reason, ...cells.filter((_, index) => names[index] !== reasonColumn)];
}

function textOf(row: RejectedRow): string {
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
