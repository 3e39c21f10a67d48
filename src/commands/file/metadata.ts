import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { fromPlain, type Json, type JsonObject } from '../../json/value.ts';
import { readRecord } from '../../records/document.ts';
import { applyEdits } from '../../records/edit.ts';
import { type Input, textOption } from '../command.ts';
import { editsOf } from '../verbs/write.ts';
import { type LocalFile, nameOf, openLocalFile } from './localFile.ts';

/** The fields that have a flag of their own. */
const fields = ['studio', 'project', 'asset', 'language', 'country'] as const;

/**
 * A file's record: from -f; then what the local file tells; then the fields that have flags; then
 * --set and --unset, which have the last word.
 */
export async function readMetadata(context: Context, input: Input): Promise<JsonObject> {
  const [path] = input.arguments;
  const file = textOption(input, 'file');
  if (path === undefined && input.given.length === 0) {
    throw usageError(
      'there is nothing to send',
      'give the PATH of the file, its record with -f FILE, or fields: --asset, --set path=value',
    );
  }
  if (path === undefined && input.options.measure) {
    throw usageError('--measure needs the PATH of the file');
  }
  const local = path === undefined ? undefined : openLocalFile(path);
  const record: JsonObject =
    file === undefined ? new Map() : await readRecord(file, context.streams.stdin);
  if (local) await describe(local, record, context, input);
  setFields(record, input);
  applyEdits(record, editsOf(input));
  return record;
}

async function describe(
  local: LocalFile,
  record: JsonObject,
  context: Context,
  input: Input,
): Promise<void> {
  if (!record.has('name')) record.set('name', nameOf(local));
  if (!input.options.measure) return;
  const { measure } = await import('./measure.ts');
  const measured = await measure(local, context.world);
  for (const [field, value] of Object.entries(measured)) record.set(field, fromPlain(value));
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
