import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { fromPlain, type Json, type JsonObject } from '../../json/value.ts';
import { readRecord } from '../../records/document.ts';
import { type Input, textOption } from '../command.ts';
import { refuseUnknownCodes } from '../verbs/codes.ts';
import { readEdits } from '../verbs/edits.ts';
import { edit } from '../verbs/write.ts';
import { type LocalFile, nameOf, openLocalFile } from './localFile.ts';

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
  const { measure } = await import('./measure.ts');
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
