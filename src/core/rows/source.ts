import { isUtf8 } from 'node:buffer';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MarError, onCommandLine, orUndefined, systemCode, usageError } from '../errors.ts';
import { readRegularFile } from '../files/regularFile.ts';
import { temporaryNameFor } from '../files/replaceFile.ts';
import { readReason, systemReason } from '../files/systemReason.ts';
import { markedEncoding } from '../values/encoding.ts';
import type { TableRecord } from './row.ts';

/** The file with a batch's rows: those that are validated are those that are sent. */
export interface Source {
  name: string;
  /** The file that holds standard input until a journal is bound to it. */
  temporary?: string;
  /** The first text in another encoding than UTF-8, or an empty one. Undefined until it was read once. */
  foreignText?: string;
  /** True for a workbook, CSV or TSV, once it was read. */
  isTable?: true;
  /** The records of a workbook, once they are parsed. */
  sheet?: Promise<readonly TableRecord[]>;
  bytes: Buffer;
  close(): Promise<void>;
}

/** Text has to fit into one string. */
const maxMegabytes = 250;

export const notAFile = (name: string) =>
  usageError(
    `${name} is not a regular file, and a batch reads its rows again to resume`,
    onCommandLine('Pipe the rows in instead, with: --batch - --journal FILE'),
    { value: name },
  );

export async function openSource(file: string, name = file): Promise<Source> {
  let bytes: Buffer;
  try {
    bytes = readRegularFile(file);
  } catch (error) {
    if (error instanceof MarError) throw notAFile(name);
    throw usageError(`cannot read ${name}: ${readReason(error)}`, { value: name });
  }
  if (bytes.length <= maxMegabytes * 1e6) return { name, bytes, close: async () => {} };
  throw usageError(`${name} is larger than ${maxMegabytes} MB`, 'Split it into several files.');
}

/** Copies standard input to a file, because the next run reads it again. */
export async function keepInput(stdin: Readable, kept: string, name: string): Promise<Source> {
  const temporary = temporaryNameFor(kept);
  try {
    await pipeline(stdin, createWriteStream(temporary, { flags: 'wx', mode: 0o600 }));
    const source = await openSource(temporary, name);
    return { ...source, temporary, close: () => rm(temporary, { force: true }) };
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    if (systemCode(error) === undefined) throw error;
    throw usageError(
      `cannot save standard input in ${kept}: ${systemReason(error)}`,
      'Nothing was sent.',
    );
  }
}

/** True for a zip, and for the files of older spreadsheet programs. */
export const isWorkbook = (start: Buffer) =>
  ['504b0304', '504b0506', 'd0cf11e0'].includes(start.toString('hex', 0, 4));

const saveAsUtf8 =
  'Save it as UTF-8 text (in a spreadsheet: CSV UTF-8), then run the same command again.';

/** Decodes UTF-8, UTF-16 with a byte-order mark, or the given encoding. */
export function decodeText(bytes: Buffer, name: string, encoding?: string): string {
  const decoder = new TextDecoder(encoding ?? encodingOf(bytes, name), { fatal: true });
  // Without `stream`, Node takes Windows-1252 for Latin-1.
  const text = orUndefined(() => decoder.decode(bytes, { stream: true }) + decoder.decode());
  if (text === undefined) {
    const [before = ''] = new TextDecoder(decoder.encoding).decode(bytes).split('\ufffd', 1);
    throw notText(name, before, `invalid ${decoder.encoding.toUpperCase()}`);
  }
  const isWindows = decoder.encoding === windows;
  const at = text.search(isWindows ? /[\0\x81\x8d\x8f\x90\x9d]/ : /\0/);
  if (at >= 0) throw notText(name, text.slice(0, at), isWindows ? notWindows : foundNul);
  return text;
}

/**
 * The first text that is not ASCII, in a table that is neither UTF-8 nor marked: spreadsheets save CSV in
 * Windows-1252. With a named encoding, every file that is not UTF-8 is in that one.
 */
export function foreignText(bytes: Buffer, named?: string): string | undefined {
  if (isUtf8(bytes)) return undefined;
  const lossy = new TextDecoder().decode(bytes);
  const isUnicode = /^\s*[[{]|[\u0080-\ufffc\ufffe-\uffff]/.test(lossy);
  if (lossy.includes('\u0000') || (isUnicode && named === undefined)) return undefined;
  const reader = new TextDecoder(named ?? windows, { fatal: true });
  const text = orUndefined(() => reader.decode(bytes, { stream: true })) ?? '';
  return /[^,;\t"\r\n]{0,30}[\u0080-\uffff][^,;\t"\r\n]{0,30}/.exec(text)?.[0] ?? '?';
}

/** Windows-1252, whose undefined bytes a decoder takes for control characters. */
const windows = 'windows-1252';

function encodingOf(start: Buffer, name: string): string {
  if (isWorkbook(start)) throw usageError(`${name} is a workbook, not a text file`, saveAsUtf8);
  const marked = markedEncoding(start);
  if (marked === 'utf-32') throw usageError(`${name} is UTF-32, not UTF-8`, saveAsUtf8);
  return marked ?? 'utf-8';
}

const notText = (name: string, before: string, problem: string) =>
  usageError(`${name}, line ${countLines(before) + 1}: ${problem}`, saveAsUtf8);

const notWindows =
  'neither UTF-8 nor Windows-1252. Name its encoding, such as --encoding windows-1250';
/** Text has no NUL, and later readers of the record may take one for the end of a string. */
const foundNul = 'not a text file: found a NUL character';

export const countLines = (text: string) => text.split('\n').length - 1;
