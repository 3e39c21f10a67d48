import { createWriteStream } from 'node:fs';
import { type FileHandle, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MarError, onCommandLine, orUndefined, systemCode, usageError } from '../errors.ts';
import { openRegularFile } from '../files/regularFile.ts';
import { temporaryNameFor } from '../files/replaceFile.ts';
import { readReason, systemReason } from '../files/systemReason.ts';
import { markedEncoding } from '../values/encoding.ts';
import type { TableRecord } from './row.ts';

const chunkBytes = 64 * 1024;

/** The file with a batch's rows. It is read twice: to validate, and to send. */
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
  chunks(signal?: AbortSignal): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

export const notAFile = (name: string) =>
  usageError(
    `${name} is not a regular file, and a batch reads its rows twice`,
    onCommandLine('Pipe the rows in instead, with: --batch - --journal FILE'),
    { value: name },
  );

export async function openSource(file: string, name = file): Promise<Source> {
  const handle = await openRegularFile(file).catch((error: Error) => {
    if (error instanceof MarError) throw notAFile(name);
    throw usageError(`cannot read ${name}: ${readReason(error)}`, { value: name });
  });
  const version = await versionOf(handle);
  return {
    name,
    chunks: (signal) => readChunks(handle, name, version, signal),
    close: () => handle.close(),
  };
}

async function* readChunks(
  handle: FileHandle,
  name: string,
  version: string,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  let position = 0;
  for (;;) {
    if (signal?.aborted) throw signal.reason;
    const { bytesRead, buffer } = await handle.read({
      buffer: Buffer.allocUnsafe(chunkBytes),
      position,
    });
    // Only rows that were validated may be sent.
    if ((await versionOf(handle)) !== version) {
      throw usageError(`${name} changed while mar was reading it`, 'Run the same command again.');
    }
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function versionOf(handle: FileHandle): Promise<string> {
  const { size, mtimeNs } = await handle.stat({ bigint: true });
  return `${size} ${mtimeNs}`;
}

/** Copies standard input to a file, because rows are read twice, and again by the next run. */
export async function keepInput(stdin: Readable, kept: string, name: string): Promise<Source> {
  const temporary = temporaryNameFor(kept);
  try {
    await pipeline(stdin, createWriteStream(temporary, { flags: 'wx', mode: 0o600 }));
    const source = await openSource(temporary, name);
    const close = async () => {
      await source.close();
      await rm(temporary, { force: true });
    };
    return { ...source, temporary, close };
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
export async function* decodeText(
  chunks: AsyncIterable<Buffer>,
  name: string,
  encoding?: string,
): AsyncGenerator<string> {
  const isWindows = encoding?.toLowerCase() === windows;
  const unusable = isWindows ? /[\0\x81\x8d\x8f\x90\x9d]/ : /\0/;
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let line = 1;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encoding ?? encodingOf(chunk, name), { fatal: true });
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      const [before = ''] = new TextDecoder(decoder.encoding).decode(chunk).split('\ufffd', 1);
      throw notText(name, line + countLines(before), invalid(decoder));
    }
    const at = text.search(unusable);
    const problem = isWindows ? notWindows : foundNul;
    if (at >= 0) throw notText(name, line + countLines(text.slice(0, at)), problem);
    line += countLines(text);
    yield text;
  }
  try {
    const rest = decoder?.decode() ?? '';
    if (rest !== '') yield rest;
  } catch {
    throw notText(name, line, invalid(decoder));
  }
}

/**
 * The first text that is not ASCII, in a table that is neither UTF-8 nor marked: spreadsheets save CSV in
 * Windows-1252. With a named encoding, every file that is not UTF-8 is in that one.
 */
export async function foreignText(source: Source, named?: string, signal?: AbortSignal) {
  const decoder = new TextDecoder();
  let isFirst = true;
  let found: string | undefined;
  let last: Buffer = Buffer.alloc(0);
  const find = () => {
    // Without `fatal`, Node takes Windows-1252 for Latin-1.
    const reader = new TextDecoder(named ?? windows, { fatal: true });
    const text = orUndefined(() => reader.decode(last, { stream: true })) ?? '';
    found ??= /[^,;\t"\r\n]{0,30}[\u0080-\uffff][^,;\t"\r\n]{0,30}/.exec(text)?.[0] ?? '?';
  };
  for await (last of source.chunks(signal)) {
    const text = decoder.decode(last, { stream: true });
    const isJson = isFirst && /^\s*[[{]/.test(text);
    const isUnicode = isJson || /[\u0080-\ufffc\ufffe-\uffff]/.test(text);
    isFirst = false;
    if (text.includes('\u0000') || (isUnicode && named === undefined)) return undefined;
    if (text.includes('\ufffd')) find();
  }
  // A character at the end may be incomplete.
  if (decoder.decode() !== '') find();
  return found;
}

/** Windows-1252, whose undefined bytes a decoder takes for control characters. */
const windows = 'windows-1252';

function encodingOf(start: Buffer, name: string): string {
  if (isWorkbook(start)) throw usageError(`${name} is a workbook, not a text file`, saveAsUtf8);
  const marked = markedEncoding(start);
  if (marked === 'utf-32') throw usageError(`${name} is UTF-32, not UTF-8`, saveAsUtf8);
  return marked ?? 'utf-8';
}

const notText = (name: string, line: number, problem: string) =>
  usageError(`${name}, line ${line}: ${problem}`, saveAsUtf8);

const invalid = (decoder?: { encoding: string }) => `invalid ${decoder?.encoding.toUpperCase()}`;
const notWindows =
  'neither UTF-8 nor Windows-1252. Name its encoding, such as --encoding windows-1250';
/** Text has no NUL, and later readers of the record may take one for the end of a string. */
const foundNul = 'not a text file: found a NUL character';

export const countLines = (text: string) => text.split('\n').length - 1;
