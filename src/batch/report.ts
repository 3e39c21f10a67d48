import { constants, createWriteStream, openSync } from 'node:fs';
import { type FileHandle, realpath, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MarError, systemCode } from '../errors.ts';
import { replaceFile } from '../files/replaceFile.ts';
import { csvRow } from '../terminal/separatedValues.ts';

const chunkLength = 64 * 1024;

/** What a report says of a row. */
export interface ReportLine {
  row: number;
  state: string;
  id?: string;
  message?: string;
}

/** Writes a report: one JSON record a line where the file's name says so, else CSV. */
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

/** A file is there whole or not at all; a pipe or a device stays what it is. */
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

/** Opens a named pipe without waiting for a reader: there may never be one. */
function pipeTo(file: string): Writable {
  try {
    const fd = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
    return new Socket({ fd, readable: false });
  } catch (error) {
    if (systemCode(error) === 'ENXIO') throw new Error('nobody reads this pipe');
    throw error;
  }
}

/** A write for every line would take longer than the batch. */
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

/** What a terminal obeys, or hides; JSON itself escapes the controls below U+0020 alone. */
const hidden = /[\u007f-\u009f\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

const withoutControls = (json: string) =>
  json.replace(hidden, (character) => character.split('').map(escaped).join(''));

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

async function* csvLines(lines: AsyncIterable<ReportLine>): AsyncGenerator<string> {
  // People look at reports with cat as well.
  const options = { raw: false, isTerminal: false, isSanitised: true };
  yield csvRow(['row', 'state', 'id', 'message'], options);
  for await (const { row, state, id = '', message = '' } of lines) {
    yield csvRow([String(row), state, id, message], options);
  }
}
