import { accessSync, constants, createWriteStream, openSync, statSync } from 'node:fs';
import { type FileHandle, realpath, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isInShard, isSameFile, type Shard } from '../../batch/journal/journalPaths.ts';
import { JournalDetails } from '../../batch/journal/replay.ts';
import type { RowStates } from '../../batch/journal/rowStates.ts';
import { MarError, systemCode, usageError } from '../../errors.ts';
import { replaceFile } from '../../files/replaceFile.ts';
import { systemReason } from '../../files/systemReason.ts';
import { csvRow } from '../../terminal/separatedValues.ts';

const chunkLength = 64 * 1024;

export interface ReportLine {
  row: number;
  state: string;
  id?: string;
  message?: string;
}

/** Refuses, before anything is sent, a report that cannot be written or would overwrite `ownFiles`. */
export function checkReportPath(report: string, ownFiles: readonly string[]): void {
  if (report === '' || report === '-') {
    throw usageError('--report takes a file', 'standard output is for the result');
  }
  try {
    const own = ownFiles.find((file) => isSameFile(file, report));
    if (own !== undefined) throw usageError(`--report would write over ${own}`);
    const found = statSync(report, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw usageError(`--report takes a file, and ${report} is a folder`);
    if (found?.isSocket() || found?.isBlockDevice()) {
      const what = found.isSocket() ? 'socket' : 'device';
      throw usageError(`--report takes a file, and ${report} is a ${what}`);
    }
    accessSync(found ? report : path.dirname(report), constants.W_OK);
  } catch (error) {
    if (error instanceof MarError) throw error;
    throw usageError(
      `cannot write the report ${report}: ${systemReason(error)}`,
      'nothing was sent',
    );
  }
}

interface ReportedRows {
  journal: string;
  states: RowStates;
  rows: number;
  shard: Shard;
  problemOf?(row: number): string | undefined;
}

export async function reportRows(file: string, reported: ReportedRows): Promise<void> {
  const details = new JournalDetails(reported.journal, reported.states);
  try {
    await writeReport(file, linesFor(reported, details));
  } finally {
    await details.close();
  }
}

async function* linesFor(
  { states, rows, shard, problemOf }: ReportedRows,
  details: JournalDetails,
): AsyncGenerator<ReportLine> {
  for (let row = 1; row <= rows; row += 1) {
    if (!isInShard(row, shard)) continue;
    const { id, message } = await details.latestEvent(row);
    const state = states.get(row);
    yield {
      row,
      state: state === 'pending' ? 'left' : state,
      id,
      message: problemOf?.(row) ?? message,
    };
  }
}

export async function writeReport(file: string, lines: AsyncIterable<ReportLine>): Promise<void> {
  const render = /\.(?:jsonl|ndjson)$/i.test(file) ? jsonLines : csvLines;
  try {
    await write(file, inChunks(render(lines)));
  } catch (error) {
    if (error instanceof MarError) throw error;
    throw new MarError('service', `cannot write the report ${file}: ${(error as Error).message}`, {
      hint: 'the batch itself is in its journal: --status tells, and --report writes it again',
      cause: error,
    });
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
    if (systemCode(error) === 'ENXIO') throw new Error('nobody reads this pipe');
    throw error;
  }
}

/** Joins lines, since one write for each would take longer than the batch. */
async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

async function* jsonLines(lines: AsyncIterable<ReportLine>): AsyncGenerator<string> {
  for await (const line of lines) yield `${withoutControls(JSON.stringify(line))}\n`;
}

/** Characters that a terminal obeys or hides. JSON itself escapes only those below U+0020. */
const hidden = /[\u007f-\u009f\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

const withoutControls = (json: string) =>
  json.replace(hidden, (character) => character.split('').map(escaped).join(''));

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

async function* csvLines(lines: AsyncIterable<ReportLine>): AsyncGenerator<string> {
  // Sanitised, since people print reports to a terminal with cat.
  const options = { raw: false, isTerminal: false, isSanitised: true };
  yield csvRow(['row', 'state', 'id', 'message'], options);
  for await (const { row, state, id = '', message = '' } of lines) {
    yield csvRow([String(row), state, id, message], options);
  }
}
