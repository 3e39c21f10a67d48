import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MarError } from '../errors.ts';
import { csvRow } from '../terminal/csv.ts';

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
    await write(file, Readable.from(render(lines)));
  } catch (error) {
    if (error instanceof MarError) throw error;
    throw new MarError('service', `cannot write the report ${file}: ${(error as Error).message}`, {
      hint: 'the batch itself is in its journal: --status tells, and --report writes it again',
      cause: error,
    });
  }
}

/** A file is there whole or not at all; a pipe or a device stays what it is. */
async function write(file: string, text: Readable): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile()) return pipeline(text, createWriteStream(file));
  const target = found ? await realpath(file) : file;
  const temporary = `${target}.tmp`;
  try {
    await pipeline(text, createWriteStream(temporary));
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function* jsonLines(lines: AsyncIterable<ReportLine>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

async function* csvLines(lines: AsyncIterable<ReportLine>): AsyncGenerator<string> {
  const options = { raw: false, isTerminal: false };
  yield csvRow(['row', 'state', 'id', 'message'], options);
  for await (const { row, state, id = '', message = '' } of lines) {
    yield csvRow([String(row), state, id, message], options);
  }
}
