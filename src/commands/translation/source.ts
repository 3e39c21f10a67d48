import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { endpoints } from '../../api/endpoints.ts';
import { pathSegment } from '../../client/request.ts';
import { MarError, usageError } from '../../errors.ts';
import { isContainer, openContainer } from '../../files/container.ts';
import { readNamedFile } from '../../files/paths.ts';
import { readAll } from '../../files/regularFile.ts';
import { readReason } from '../../files/systemReason.ts';
import { type Argument, type Input, type Option, stringOption } from '../../input.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { type ListResult, listResult } from '../../output/result.ts';
import type { Column } from '../../output/view.ts';
import type { Context } from '../../session/context.ts';
import { remember } from '../../session/remember.ts';
import type { Session } from '../../session/session.ts';
import {
  assumedFrameRate,
  type FrameRate,
  fileReader,
  formatNamed,
  formats,
  frameRateNamed,
  frameRateNames,
  hasFileExtension,
  maxFileBytes,
  otherFormatError,
  readTranslation,
  type Subtitles,
} from '../../subtitles/index.ts';
import { defaultConcurrency, mapConcurrently } from '../../values/concurrency.ts';
import { sanitiseLines } from '../../values/sanitise.ts';

export const graphicsOption: Option = {
  flags: '--graphics',
  summary: 'use the on-screen titles (graphicsTranslation) instead of the dialogue',
};

export const encodingOption: Option = {
  flags: '--encoding <name>',
  summary: 'encoding of files that are not UTF-8 and declare none, such as windows-1252',
};

export const fpsOption: Option = {
  flags: '--fps <rate>',
  summary: 'frame rate that the subtitles are timed for',
  choices: frameRateNames,
  default: `the setting fps, else ${assumedFrameRate.name}`,
};

/** The rate of `--fps` or of the setting `fps`; undefined if the user chose none. */
export function chosenFrameRate({ settings }: Session, input: Input): FrameRate | undefined {
  const name = stringOption(input, 'fps') ?? settings.fps;
  return name === undefined ? undefined : frameRateNamed(name);
}

const fileNames = formats
  .flatMap(({ extensions }) => extensions.map((one) => `*.${one}`))
  .join(', ');

export const sourceArgument: Argument = {
  name: 'source',
  summary: `work request id or file: ${fileNames}, a folder or .zip of them, a path with a slash, or - for standard input`,
  completes: { idOf: 'WorkRequest', orFile: true },
};

/** Flags that print records, which --format does not. */
export const recordFlags = [
  ...['--json', '--jsonl', '--output-format'],
  ...['--columns', '--jq', '--jq-slurp'],
];

/** An id has no slash, does not end like a file, and is not an existing file such as `a.b`. */
export const isFileName = (word: string) =>
  word === '-' ||
  isContainer(word) ||
  /[/\\]/.test(word) ||
  hasFileExtension(word) ||
  (/.\../.test(word) && existsSync(word));

/** Before the first request: a file is never taken for an id. */
export function checkSourceNames(words: readonly string[]): void {
  for (const word of words) {
    const error = otherFormatError(word);
    if (error) throw error;
    if (isFileName(word)) continue;
    pathSegment(word);
    if (statSync(word, { throwIfNoEntry: false })?.isFile()) {
      throw usageError(`${word} is a file, but looks like an id`, `Use ./${word} to read it.`);
    }
  }
}

export const nameOfSource = (word: string) => (word === '-' ? 'standard input' : word);

/** A subtitle file of a folder or archive. */
export interface DeliveredFile {
  /** Its path in the folder or archive. */
  within: string;
  /** Absent for a file on disk. */
  read?(): Promise<Uint8Array>;
}

/** The first of many, and how many more there are. */
export function firstOf(texts: readonly string[], max: number, hint = ''): string[] {
  const more = texts.length - max;
  return more > 0 ? [...texts.slice(0, max), `${more} more${hint}`] : [...texts];
}

/** Replaces folders and archives by the subtitle files in them. Warns about other files there. */
export async function findSources({ reporter }: Context, words: readonly string[]) {
  const sources = new Map<string, DeliveredFile | undefined>();
  for (const word of words) {
    if (!isContainer(word)) {
      sources.set(word, undefined);
      continue;
    }
    const { names, read } = await openContainer(word, maxFileBytes);
    const others = names.filter((name) => !formatNamed(name));
    if (others.length === names.length) throw usageError(`${word} has no subtitle files`);
    for (const within of names.filter(formatNamed)) {
      sources.set(path.join(word, within), { within, read: read && (() => read(within)) });
    }
    if (others.length > 0) {
      const list = firstOf(others, 5).join(', ');
      reporter.warn('not-subtitles', `${word}: not read, because they have other formats: ${list}`);
    }
  }
  return sources;
}

/** Reads a work request or a file; `-` is standard input. */
export async function readSubtitles(
  { session, world }: Context,
  input: Input,
  word: string,
  file?: DeliveredFile,
) {
  if (!isFileName(word)) return readRequest(session, input, word);
  const name = nameOfSource(word);
  const bytes =
    word === '-' ? await readAll(world.streams.stdin) : ((await file?.read?.()) ?? readBytes(word));
  const read = await fileReader(name, bytes, stringOption(input, 'encoding'));
  // Signals are noticed between turns of the event loop. One that came while mar loaded would be lost.
  for (let turn = 0; turn < 2; turn += 1) await setImmediate();
  world.signal.throwIfAborted();
  return world.interruptible(read);
}

export async function readRequest(session: Session, input: Input, id: string, forWrite = false) {
  const client = await session.client();
  const record = await client.call(endpoints.workRequestGet, { id, forWrite });
  const field = input.options.graphics ? 'graphicsTranslation' : 'translation';
  return readTranslation(id, record, field);
}

function readBytes(file: string): Buffer {
  try {
    return readNamedFile(file);
  } catch (error) {
    throw usageError(`cannot read ${file}: ${readReason(error)}`);
  }
}

/** Keeps a failure, so that the others go on. */
export const collector = (failures: MarError[]) => (error: unknown) => {
  if (!(error instanceof MarError)) throw error;
  failures.push(error);
};

/** Reads each source once, concurrently, and yields them in order. Failures do not stop the others. */
export async function* readEach<Result>(
  { settings }: Session,
  words: AsyncIterable<string> | Iterable<string>,
  read: (word: string) => Promise<Result>,
  failures: MarError[],
) {
  const concurrency = settings.concurrency ?? defaultConcurrency.reads;
  const collect = collector(failures);
  for await (const { result, error } of mapConcurrently(distinct(words), concurrency, read)) {
    if (result) yield result;
    else collect(error);
  }
}

async function* distinct(words: AsyncIterable<string> | Iterable<string>) {
  const seen = new Set<string>();
  for await (const word of words) {
    if (!seen.has(word)) yield word;
    seen.add(word);
  }
}

export async function rememberRequests(
  { session }: Context,
  read: readonly Pick<Subtitles, 'name' | 'request'>[],
) {
  const used = read.flatMap(({ name, request }) =>
    request ? [{ id: name, record: request.record }] : [],
  );
  if (used.length > 0) await remember(session, 'WorkRequest', used);
}

/** Rows, and then notes, which programs do not get. */
export const reportResult = (
  rows: readonly object[],
  columns: readonly Column[],
  notes?: readonly string[],
): ListResult => listResult([rows.map(ServiceRecord.fromValue)], { columns }, { notes });

/** Text of others: unchanged in a pipe, without control characters on a terminal. */
export const forScreen = (text: string, isTerminal: boolean) =>
  isTerminal ? sanitiseLines(text).join('\n') : text;

/** How `export` and `fix` write cues. */
export const printOptions = ({ session, reporter }: Context, input: Input) => ({
  skipsBadTimes: input.options.skipBadTimes === true,
  frameRate: chosenFrameRate(session, input),
  warn: (message: string) => reporter.warn('subtitles', message),
});
