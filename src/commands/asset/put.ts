import { checkSecrets } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { copyOf, isSame, type JsonObject, printJson } from '../../json/value.ts';
import { readRecord } from '../../records/document.ts';
import { writeChange, writeWhole } from '../../records/guardedWrite.ts';
import type { View } from '../../terminal/view.ts';
import { type Input, textOption } from '../command.ts';
import { readEdits } from '../write/body.ts';
import { edit, readBody } from '../write/write.ts';
import { guardedAsset } from './guardedAsset.ts';

/** Fields are changed in the asset that is there; a file is written in its place. */
export async function put(context: Context, input: Input, view: View): Promise<void> {
  const [id] = input.arguments;
  const hasFile = textOption(input, 'file') !== undefined;
  const baseFile = textOption(input, 'base');
  if (!hasFile && baseFile === undefined) {
    // As a whole record, fields alone would drop all others.
    if (id === undefined) throw notNamed();
    return putFields(context, input, id, view);
  }
  const base =
    baseFile === undefined ? undefined : await readRecord(baseFile, context.streams.stdin);
  const record =
    base && !hasFile
      ? await changedBase(context, input, base)
      : await readBody(context, input, 'assetPut');
  const own = nameIt(record, id);
  checkSecrets(record);
  const baseId = base?.get('_id');
  if (baseId !== undefined && baseId !== own) {
    throw usageError(`--base ${baseFile} holds the asset ${printJson(baseId)}, not "${own}"`);
  }
  await writeWhole(await guardedAsset(context, input, own, view), record, base);
}

async function putFields(context: Context, input: Input, id: string, view: View): Promise<void> {
  const edits = await readEdits(context, input);
  if (edits.length === 0) throw nothingToChange();
  return writeChange(await guardedAsset(context, input, id, view), async (record) => {
    const mine = copyOf(record) as JsonObject;
    await edit(context, 'assetPut', mine, edits);
    // By its _id the service would take it for another asset, which nobody has looked at.
    if (!isSame(mine.get('_id'), record.get('_id'))) {
      throw usageError(`_id must stay ${JSON.stringify(id)}`, 'nothing was sent');
    }
    return mine;
  });
}

async function changedBase(context: Context, input: Input, base: JsonObject): Promise<JsonObject> {
  const edits = await readEdits(context, input);
  if (edits.length === 0) throw nothingToChange();
  const record = copyOf(base) as JsonObject;
  await edit(context, 'assetPut', record, edits);
  return record;
}

/** The id that the record has, or gets. */
function nameIt(record: JsonObject, id: string | undefined): string {
  const own = record.get('_id') ?? id;
  if (own === undefined) {
    throw usageError('the asset has no _id', 'name it: mar asset put <id> …');
  }
  if (typeof own !== 'string') throw usageError(`_id: expected a text, found ${printJson(own)}`);
  if (id !== undefined && own !== id) {
    throw usageError(`the record is of the asset ${JSON.stringify(own)}, not "${id}"`);
  }
  record.set('_id', own);
  return own;
}

const notNamed = () =>
  usageError(
    'the asset is not named',
    'mar asset put <id> --set path=value, or the whole record with -f FILE',
  );

const nothingToChange = () =>
  usageError('there is nothing to change', 'give fields with --set path=value, or a file with -f');
