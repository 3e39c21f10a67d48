import { open } from 'node:fs/promises';
import { systemCode, usageError } from '../../errors.ts';
import { isEvent, isHeader, type JournalHeader, stateAfter } from './events.ts';
import { RowStates } from './states.ts';

/** What a journal holds. */
export interface Replayed {
  header: JournalHeader;
  states: RowStates;
  /** Without a last line that was only half written. */
  size: number;
}

const newline = 0x0a;

/** Reads a journal; undefined when there is none, or when not even its header was written. */
export async function replay(file: string): Promise<Replayed | undefined> {
  let header: JournalHeader | undefined;
  const states = new RowStates();
  let size = 0;
  let line = 0;
  let damagedLine: number | undefined;
  for await (const { text, place, end } of linesOf(file)) {
    line += 1;
    const value = parse(text);
    // What a power cut left of the last lines is noise; noise in the middle is something else.
    if (damagedLine !== undefined && value !== undefined) throw damaged(file, damagedLine);
    if (header === undefined) {
      if (!isHeader(value)) throw foreign(file);
      header = value;
    } else if (isEvent(value)) {
      states.set(value.row, stateAfter(value), place);
    } else {
      if (value !== undefined) throw damaged(file, line);
      damagedLine ??= line;
      continue;
    }
    size = end;
  }
  return header && { header, states, size };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The whole lines of a file; a last one without its end is left out. */
async function* linesOf(
  file: string,
): AsyncGenerator<{ text: string; place: number; end: number }> {
  const handle = await open(file, 'r').catch((error: Error) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw usageError(`cannot read the journal ${file}: ${error.message}`);
  });
  if (!handle) return;
  try {
    if (!(await handle.stat()).isFile()) throw foreign(file);
    let pending = Buffer.alloc(0);
    let place = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      let start = 0;
      for (let end = pending.indexOf(newline); end >= 0; end = pending.indexOf(newline, start)) {
        const next = end + 1;
        yield {
          text: pending.toString('utf8', start, end),
          place: place + start,
          end: place + next,
        };
        start = next;
      }
      place += start;
      pending = pending.subarray(start);
    }
  } finally {
    await handle.close();
  }
}

const foreign = (file: string) =>
  usageError(`${file} is not a journal of mar`, 'name another one with --journal');

const damaged = (file: string, line: number) =>
  usageError(
    `the journal ${file} is damaged at line ${line}`,
    'restore it from a copy: without it nobody knows which rows were sent',
  );
