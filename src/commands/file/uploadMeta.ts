import { createHash } from 'node:crypto';
import { accessSync, constants, createReadStream, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import mime from 'mime';
import type { Context } from '../../context.ts';
import { MarError, systemCode, usageError } from '../../errors.ts';
import { fromPlain, type Json, type JsonObject } from '../../json/value.ts';
import { readRecord } from '../../records/document.ts';
import { ProgressLine } from '../../terminal/progress.ts';
import { formatSeconds } from '../../values/duration.ts';
import type { World } from '../../world.ts';
import { type Input, textOption } from '../command.ts';
import { readEdits, refuseUnknownCodes } from '../write/body.ts';
import { edit } from '../write/write.ts';

/** The fields that have a flag of their own. */
const fields = ['studio', 'project', 'asset', 'language', 'country'] as const;

/**
 * A file's record: from -f, with the name of the local file, then with the fields that have flags,
 * then with --set and --unset. Reading a large file takes minutes, so what is wrong with the rest is
 * found out before.
 */
export async function readMetadata(context: Context, input: Input): Promise<JsonObject> {
  const [path] = input.arguments;
  const file = textOption(input, 'file');
  if (path === undefined && input.given.length === 0 && !input.options.edit) {
    throw usageError(
      'there is nothing to send',
      'give the PATH of the file, its record with -f FILE, or fields: --asset, --set path=value',
    );
  }
  if (path === undefined && input.options.measure) {
    throw usageError('--measure needs the PATH of the file');
  }
  const edits = await readEdits(context, input);
  const local = path === undefined ? undefined : openLocalFile(path);
  const record: JsonObject =
    file === undefined ? new Map() : await readRecord(file, context.streams.stdin);
  if (local && !record.has('name')) record.set('name', nameOf(local));
  setFields(record, input);
  await edit(context, 'fileCreate', record, edits);
  if (local && input.options.measure) {
    await refuseUnknownCodes(context, input, 'fileCreate', record);
    if (!input.options.dryRun) await context.identity().token();
    await addMeasured(record, local, context);
  }
  return record;
}

/** The type is a guess by the name's ending: one that is given is better. */
async function addMeasured(record: JsonObject, local: LocalFile, context: Context): Promise<void> {
  const { mime, length, md5 } = await measure(local, context.world);
  if (mime && !record.has('mime')) record.set('mime', mime);
  record.set('length', fromPlain(length));
  record.set('md5', md5);
}

function setFields(record: JsonObject, input: Input): void {
  for (const field of fields) {
    const value = textOption(input, field);
    if (value === undefined) continue;
    // An empty variable of a script, most likely.
    if (value.trim() === '') throw usageError(`--${field} is empty`);
    record.set(field, value);
  }
  const tags = (input.options.tag ?? []) as readonly string[];
  if (tags.some((tag) => tag.trim() === '')) throw usageError('--tag is empty');
  if (tags.length > 0) record.set('tags', withTags(record.get('tags') ?? [], tags));
}

/** Tags are added to those of the file, each once. */
function withTags(before: Json, tags: readonly string[]): Json {
  if (!Array.isArray(before)) {
    throw usageError('--tag adds to tags, which is not a list in the record of -f');
  }
  return [...before, ...[...new Set(tags)].filter((tag) => !before.includes(tag))];
}

/** A file on this machine that can be read. */
interface LocalFile {
  path: string;
  stats: Stats;
}

function openLocalFile(file: string): LocalFile {
  const stats = lookAt(file);
  if (stats.isDirectory()) throw usageError(`${file} is a folder`, 'give one file');
  if (!stats.isFile()) throw usageError(`${file} is not a regular file`);
  return { path: file, stats };
}

function lookAt(file: string): Stats {
  try {
    const stats = statSync(file);
    accessSync(file, constants.R_OK);
    return stats;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw unreadable(file, error);
    throw usageError(
      `there is no file ${file}`,
      'for a file that is elsewhere, give its name: --set name=NAME',
    );
  }
}

const unreadable = (file: string, error: unknown) =>
  usageError(`cannot read ${file}: ${(error as Error).message}`);

/**
 * macOS writes é as e and an accent. People and other systems do not, and would not find the file
 * by its name: it is sent composed (NFC).
 */
const nameOf = ({ path: file }: LocalFile) => path.basename(file).normalize('NFC');

/** What the service calls them where it shows a stored file. */
interface Measured {
  /** By the name's ending; none if that says nothing. */
  mime?: string;
  length: number;
  md5: string;
}

/** Fewer, larger reads: the sum is what takes the time. */
const chunkBytes = 1024 * 1024;

/** Reads a file once, with progress. One that changes meanwhile is refused: its sum fits no state. */
async function measure(file: LocalFile, world: World): Promise<Measured> {
  const { size } = file.stats;
  const sum = createHash('md5');
  let length = 0;
  const progress = new ProgressLine(world, (elapsedMs) => partsOf(length, size, elapsedMs));
  try {
    const { signal } = world;
    for await (const chunk of createReadStream(file.path, { highWaterMark: chunkBytes, signal })) {
      sum.update(chunk);
      length += chunk.length;
    }
  } catch (error) {
    throw error instanceof MarError || world.signal.aborted ? error : unreadable(file.path, error);
  } finally {
    await progress.end();
  }
  refuseChanged(file, length);
  const type = mime.getType(file.path);
  return { ...(type && { mime: type }), length, md5: sum.digest('hex') };
}

function refuseChanged({ path: file, stats }: LocalFile, length: number): void {
  const after = statSync(file, { throwIfNoEntry: false });
  if (after?.mtimeMs === stats.mtimeMs && after.size === stats.size && length === stats.size)
    return;
  throw usageError(`${file} changed while it was read`, 'try again when it is complete');
}

function partsOf(done: number, size: number, elapsedMs: number): string[] {
  if (done === 0) return ['reading the file', formatSeconds(elapsedMs / 1000)];
  const rate = done / (elapsedMs / 1000);
  return [
    `MD5 of ${formatBytes(done)} of ${formatBytes(size)}`,
    // Rounded down: it is not 100 % before all is there.
    `${Math.floor((100 * done) / Math.max(size, 1))} %`,
    `${formatSeconds(Math.max(size - done, 0) / rate)} left`,
    `${formatBytes(rate)}/s`,
  ];
}

/** To three digits, as file managers do: 8.42 GB. */
function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 4);
  const amount = bytes / 1000 ** power;
  const digits = power === 0 ? 0 : Math.max(2 - Math.floor(Math.log10(amount)), 0);
  return `${amount.toFixed(digits)} ${['bytes', 'kB', 'MB', 'GB', 'TB'][power]}`;
}
