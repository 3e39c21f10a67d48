import { accessSync, constants, createWriteStream, openSync, statSync } from 'node:fs';
import { type FileHandle, realpath, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Problem } from '../../batch/input/rows.ts';
import { isSameFile } from '../../batch/journal/journalPaths.ts';
import { JournalDetails } from '../../batch/journal/replay.ts';
import type { RowStates } from '../../batch/journal/rowStates.ts';
import { MarError, type RowProblem, systemCode, usageError } from '../../errors.ts';
import { replaceFile } from '../../files/replaceFile.ts';
import { systemReason } from '../../files/systemReason.ts';
import { csvRow } from '../../values/separatedValues.ts';

export type InvalidRows = Map<number, { line: number; problems: readonly Problem[] }>;

/** Nobody reads more of them in one message; `--report` has all. */
export const maxListedProblems = 100;

export const listProblems = (invalid: InvalidRows): RowProblem[] =>
  [...invalid].flatMap(([row, { line, problems }]) =>
    problems.map((problem) => ({ row, line, ...problem })),
  );

export const messageOf = (problems: readonly Problem[]) =>
  problems.map(({ message }) => message).join('; ');

export const invalidLines = (invalid: InvalidRows): ReportLine[] =>
  [...invalid].map(([row, { line, problems }]) => ({
    row,
    state: 'invalid',
    message: `line ${line}: ${messageOf(problems)}`,
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

interface ReportedRows {
  journal: string;
  states: RowStates;
  rows: number;
  invalid?: InvalidRows;
}

export async function* reportLines(reported: ReportedRows): AsyncGenerator<ReportLine> {
  const { journal, states, rows, invalid } = reported;
  const details = new JournalDetails(journal, states);
  try {
    for (let row = 1; row <= rows; row += 1) {
      const state = states.get(row);
      if (state === 'elsewhere') continue;
      const event = await details.latestEvent(row);
      const { problems } = invalid?.get(row) ?? {};
      const message = problems ? messageOf(problems) : event.message;
      yield { row, state, id: event.id, message };
    }
  } finally {
    await details.close();
  }
}

type Lines = AsyncIterable<ReportLine> | Iterable<ReportLine>;

/** Does nothing without a file. Every failure is a MarError. */
export async function writeReport(file: string | undefined, lines: Lines): Promise<void> {
  if (file === undefined) return;
  const isJson = /\.(?:jsonl|ndjson)$/i.test(file);
  await writeFile(
    `the report ${file}`,
    file,
    reportTexts(lines, isJson),
    'The journal has the outcome of each row. To write the report again, use --status --report FILE.',
  );
}

/** Every failure is a MarError. */
export async function writeFile(
  name: string,
  file: string,
  lines: AsyncIterable<string>,
  hint: string,
): Promise<void> {
  try {
    await write(file, chunksOf(lines));
  } catch (error) {
    if (error instanceof MarError) throw error;
    const problem = `cannot write ${name}: ${systemReason(error)}`;
    throw new MarError('service', problem, { hint, cause: error });
  }
}

/** Replaces a file atomically. Writes into a pipe or a device, which must stay what it is. */
async function write(file: string, text: AsyncIterable<string>): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFIFO()) return pipeline(text, pipeTo(file));
  if (found && !found.isFile()) return pipeline(text, createWriteStream(file));
  const target = found ? await realpath(file) : file;
  const mode = found ? found.mode & 0o777 : 0o666;
  const content = async (handle: FileHandle) => {
    for await (const chunk of text) await handle.writeFile(chunk);
  };
  await replaceFile(target, content, { mode });
}

/** Opens a named pipe without waiting for a reader, who may never come. */
function pipeTo(file: string): Writable {
  try {
    const fd = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
    return new Socket({ fd, readable: false });
  } catch (error) {
    if (systemCode(error) === 'ENXIO') throw new Error('no program reads this pipe');
    throw error;
  }
}

const chunkLength = 64 * 1024;

async function* reportTexts(lines: Lines, isJson: boolean): AsyncGenerator<string> {
  if (!isJson) yield csvRow(['row', 'state', 'id', 'message'], csvOptions);
  for await (const line of lines) yield isJson ? jsonLine(line) : csvLine(line);
}

/** Joins lines: one write for each would take longer than the batch. */
async function* chunksOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
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

function jsonLine(line: ReportLine): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const json = JSON.stringify(line);
  return `${json.replace(hidden, (character) => character.split('').map(escaped).join(''))}\n`;
}

/** Sanitised, since people print reports to a terminal with cat. */
const csvOptions = { raw: false, isTerminal: false, isSanitised: true };

const csvLine = ({ row, state, id = '', message = '' }: ReportLine) =>
  csvRow([String(row), state, id, message], csvOptions);
