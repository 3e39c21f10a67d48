import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { MarError, type RowProblem, usageError } from '../../errors.ts';
import { writeOutputFile } from '../../files/outputFile.ts';
import { systemReason } from '../../files/systemReason.ts';
import { unicodeEscape } from '../../json/text.ts';
import { csvRow } from '../../values/separatedValues.ts';
import { isSameFile } from '../journal/journalPaths.ts';
import { latestEvent, type ReplayedLines } from '../journal/replay.ts';

export type InvalidRows = Map<number, readonly RowProblem[]>;

/** Nobody reads more of them in one message; `--report` has all. */
export const maxListedProblems = 100;

export const listProblems = (invalid: InvalidRows) => [...invalid.values()].flat();

export const messageOf = (problems: readonly RowProblem[]) =>
  problems.map(({ message }) => message).join('; ');

export const invalidLines = (invalid: InvalidRows): ReportLine[] =>
  [...invalid].map(([row, problems]) => ({
    row,
    state: 'invalid',
    message: `line ${problems[0]?.line}: ${messageOf(problems)}`,
  }));

export interface ReportLine {
  row: number;
  state: string;
  id?: string;
  message?: string;
}

/** Refuses, before anything is sent, a file that cannot be written or would overwrite `ownFiles`. */
export function checkOutputPath(
  flag: '--report' | '--rejects',
  report: string,
  ownFiles: readonly string[],
): void {
  if (report === '' || report === '-') {
    throw usageError(`${flag} needs a file name: standard output is for the result`);
  }
  try {
    const own = ownFiles.find((file) => isSameFile(file, report));
    if (own !== undefined) throw usageError(`${flag} would overwrite ${own}`);
    const found = statSync(report, { throwIfNoEntry: false });
    const notFile = (kind: string) =>
      usageError(`${flag} needs a file name, but there is a ${kind} at ${report}`);
    if (found?.isDirectory()) throw notFile('folder');
    if (found?.isSocket()) throw notFile('socket');
    if (found?.isBlockDevice()) throw notFile('device');
    accessSync(found ? report : path.dirname(report), constants.W_OK);
  } catch (error) {
    if (error instanceof MarError) throw error;
    const problem = `cannot write the file of ${flag}, ${report}: ${systemReason(error)}`;
    throw usageError(problem, 'Nothing was sent.');
  }
}

/**
 * The rows of all journals, which have the same input, in its order. With `hasAll`, those of other
 * shards are pending.
 */
export function* reportLines(
  journals: readonly ReplayedLines[],
  { invalid, hasAll }: { invalid?: InvalidRows; hasAll?: boolean } = {},
): Generator<ReportLine> {
  for (let row = 1; row <= (journals[0]?.states.rows ?? 0); row += 1) {
    const journal = journals.find(({ states }) => states.get(row) !== 'elsewhere');
    if (journal) {
      const problems = invalid?.get(row);
      const { id, message } = latestEvent(journal, row);
      const state = journal.states.get(row);
      yield { row, state, id, message: problems ? messageOf(problems) : message };
    } else if (hasAll) yield { row, state: 'pending' };
  }
}

/** Does nothing without a file. Every failure is a MarError. */
export async function writeReport(
  file: string | undefined,
  lines: Iterable<ReportLine>,
): Promise<void> {
  if (file === undefined) return;
  const isJson = /\.(?:jsonl|ndjson)$/i.test(file);
  function* texts(): Generator<string> {
    if (!isJson) yield csvRow(['row', 'state', 'id', 'message'], csvOptions);
    for (const line of lines) yield isJson ? jsonLine(line) : csvLine(line);
  }
  const hint =
    'The journal has the outcome of each row. To write the report again, use --status --report FILE.';
  await writeFile(`the report ${file}`, file, texts(), hint);
}

/** Every failure is a MarError. */
export async function writeFile(
  name: string,
  file: string,
  lines: Iterable<string> | AsyncIterable<string>,
  hint: string,
): Promise<void> {
  try {
    await writeOutputFile(file, chunksOf(lines), { waitsForReader: false });
  } catch (error) {
    if (error instanceof MarError) throw error;
    const problem = `cannot write ${name}: ${systemReason(error)}`;
    throw new MarError('service', problem, { hint, cause: error });
  }
}

const chunkLength = 64 * 1024;

/** Joins lines: one write for each would take longer than the batch. */
async function* chunksOf(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** Characters that a terminal obeys or hides. JSON itself escapes only those below U+0020. */
const hidden = /[\u007f-\u009f\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

const jsonLine = (line: ReportLine) =>
  `${JSON.stringify(line).replace(hidden, (found) => found.split('').map(unicodeEscape).join(''))}\n`;

/** Sanitised, since people print reports to a terminal with cat. */
const csvOptions = { raw: false, isTerminal: false, isSanitised: true };

const csvLine = ({ row, state, id = '', message = '' }: ReportLine) =>
  csvRow([String(row), state, id, message], csvOptions);
