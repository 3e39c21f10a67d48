import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
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
  const temporary = `${file}.tmp`;
  try {
    await pipeline(Readable.from(render(lines)), createWriteStream(temporary));
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    if (error instanceof MarError) throw error;
    throw new MarError('service', `cannot write the report ${file}: ${(error as Error).message}`, {
      hint: 'the batch itself is in its journal: --status tells, and --report writes it again',
      cause: error,
    });
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
