import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { endpoints } from '../../../core/api/endpoints.ts';
import { pathSegment } from '../../../core/client/request.ts';
import { frameRateNames } from '../../../core/config/configFile.ts';
import { MarError, onCommandLine, usageError } from '../../../core/errors.ts';
import { isContainer, openContainer } from '../../../core/files/container.ts';
import { readNamedFile } from '../../../core/files/paths.ts';
import { readAll } from '../../../core/files/regularFile.ts';
import { readReason } from '../../../core/files/systemReason.ts';
import { type Argument, type Input, option, stringOption } from '../../../core/input.ts';
import { textResult } from '../../../core/output/result.ts';
import type { Context } from '../../../core/session/context.ts';
import { remember } from '../../../core/session/remember.ts';
import type { Session } from '../../../core/session/session.ts';
import { defaultConcurrency, mapConcurrently } from '../../../core/values/concurrency.ts';
import { knownEncoding } from '../../../core/values/encoding.ts';
import { firstOf } from '../../../core/values/numbers.ts';
import { sanitiseLines } from '../../../core/values/sanitise.ts';
import type { World } from '../../../core/world.ts';
import * as registry from '../formats/registry.ts';
import { fileReader, maxFileBytes, readTranslation, type Subtitles } from '../subtitles.ts';
import { assumedFrameRate, type FrameRate, frameRateNamed } from '../timecode.ts';

export const graphicsOption = option(
  '--graphics',
  'use the on-screen titles (graphicsTranslation) instead of the dialogue',
);

export const encodingOption = option(
  '--encoding <name>',
  'encoding of files that declare none and are not UTF-8, such as windows-1252',
);

export const fpsOption = option('--fps <rate>', 'frame rate that the subtitles are timed for', {
  choices: frameRateNames,
  default: `the setting fps, then the file, then ${assumedFrameRate.name}`,
});

/** The rate of `--fps` or of the setting `fps`; undefined if the user chose none. */
export function chosenFrameRate({ settings }: Session, input: Input): FrameRate | undefined {
  const name = stringOption(input, 'fps') ?? settings.fps;
  return name === undefined ? undefined : frameRateNamed(name);
}

export const sourceArgument: Argument = {
  name: 'source',
  summary: 'work request id, subtitle file, folder, .zip, or - for standard input',
  completes: { idOf: 'WorkRequest', orFile: true },
};

/** Flags that print records, which --format does not. */
export const recordFlags = '--json --jsonl --output-format --columns --jq --jq-slurp'.split(' ');

/**
 * An id has no slash, does not end like a file, and is not an existing file such as `a.b`. An agent's
 * files are whole paths.
 */
export const isFileName = (word: string, world?: World) =>
  word === '-' ||
  (world?.agent !== undefined
    ? path.isAbsolute(word)
    : isContainer(word) ||
      /[/\\]/.test(word) ||
      /\.[a-z][a-z\d]{1,4}$/i.test(word) ||
      (/.\../.test(word) && existsSync(word)));

/** Before the first request: a file is never taken for an id. */
export function checkSourceNames(words: readonly string[], world?: World): void {
  for (const word of words) {
    if (isFileName(word, world)) continue;
    pathSegment(word);
    if (world?.agent === undefined && statSync(word, { throwIfNoEntry: false })?.isFile()) {
      throw usageError(`${word} is a file, but looks like an id`, `Use ./${word} to read it.`);
    }
  }
}

export const nameOfSource = (word: string) => (word === '-' ? 'standard input' : word);

/** A work request, a file, or a file of a folder or archive. */
export interface Source {
  name: string;
  isFile: boolean;
  /** Its path in the folder or archive. */
  within?: string;
  read(): Promise<Subtitles>;
}

/** Warns of mistakes in files for which their cues may be read wrongly, such as a missing frame rate. */
export function warnOfFile({ reporter }: Context, files: readonly Subtitles[]): void {
  for (const { name, problems } of files) {
    const messages = firstOf([...new Set(problems.map(({ message }) => message))], 3);
    if (messages.length > 0) reporter.warn('file', `${name}: ${messages.join('; ')}`);
  }
}

/** Replaces folders and archives by the subtitle files in them. Warns about other files, and keeps their names. */
export async function findSources(context: Context, input: Input, unread: string[] = []) {
  checkSourceNames(input.arguments, context.world);
  knownEncoding(stringOption(input, 'encoding') || 'utf-8');
  const sources = new Map<string, Source>();
  for (const word of input.arguments) {
    const isFile = isFileName(word, context.world);
    if (!isFile || !isContainer(word)) {
      sources.set(word, { name: word, isFile, read: () => readSubtitles(context, input, word) });
      continue;
    }
    const { names, read } = await openContainer(word, maxFileBytes);
    const others = names.filter((name) => !registry.formatNamed(name));
    if (others.length === names.length) throw usageError(`${word} has no subtitle files`);
    for (const within of names.filter(registry.formatNamed)) {
      const name = path.join(word, within);
      const open = read && (() => read(within));
      const readFile = () => readSubtitles(context, input, name, open);
      sources.set(name, { name, isFile, within, read: readFile });
    }
    for (const other of others) unread.push(other);
    if (others.length > 0) {
      const list = firstOf(others, 5).join(', ');
      const message = `${word}: not read, because they have other formats: ${list}`;
      context.reporter.warn('not-subtitles', message);
    }
  }
  return [...sources.values()];
}

/** Reads a work request or a file; `-` is standard input. */
export async function readSubtitles(
  { session, world }: Context,
  input: Input,
  word: string,
  open = async (): Promise<Uint8Array> =>
    word === '-' ? readAll(world.streams.stdin) : readBytes(word),
): Promise<Subtitles> {
  if (!isFileName(word, world)) {
    return readRequest(session, input, word).catch((error: unknown) => {
      const mayBeFile = error instanceof MarError && /^(?:auth|not-found)$/.test(error.kind);
      throw mayBeFile ? error.withHint(onCommandLine('No file or folder has this name.')) : error;
    });
  }
  const read = await fileReader(nameOfSource(word), await open(), stringOption(input, 'encoding'));
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

export function readBytes(file: string): Buffer {
  try {
    return readNamedFile(file);
  } catch (error) {
    const hint = isContainer(file) ? 'Name a file in it.' : undefined;
    throw usageError(`cannot read ${file}: ${readReason(error)}`, hint);
  }
}

/** Keeps a failure, so that the others go on. */
export const collector = (failures: MarError[]) => (error: unknown) => {
  if (!(error instanceof MarError)) throw error;
  failures.push(error);
};

/** Reads them concurrently, and yields the results in order. Failures do not stop the others. */
export async function* readEach<Item, Result>(
  { settings }: Session,
  items: Iterable<Item>,
  read: (item: Item) => Promise<Result>,
  failures: MarError[],
) {
  const concurrency = settings.concurrency ?? defaultConcurrency.reads;
  const collect = collector(failures);
  for await (const { result, error } of mapConcurrently(Readable.from(items), concurrency, read)) {
    if (result) yield result;
    else collect(error);
  }
}

export async function rememberRequests(
  { session }: Context,
  read: readonly Pick<Subtitles, 'name' | 'request'>[],
) {
  const used = read.flatMap(({ name, request }) =>
    request ? [{ id: name, record: request.record }] : [],
  );
  if (used.length > 0) await remember(session, 'WorkRequest', used, { isShown: false });
}

/** Text of others: unchanged in a pipe, without control characters on a terminal. */
export const shownText = (print: (isTerminal: boolean) => string | Uint8Array) =>
  textResult(({ isTerminal }) => {
    const text = print(isTerminal);
    return isTerminal ? sanitiseLines(String(text)).join('\n') : text;
  });
