import { checkSecrets } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { copyOf, isSame, type JsonObject, printJson } from '../../json/value.ts';
import { readRecord } from '../../records/document.ts';
import type { Edit } from '../../records/edit.ts';
import { writeChange, writeWhole } from '../../records/guardedWrite.ts';
import { type Command, type Input, stringOption } from '../command.ts';
import { edit, readBody, readEdits } from '../write/body.ts';
import { replaceOptions } from '../write/write.ts';
import { guardedAsset, overwriteOption } from './guardedAsset.ts';

const endpoint = 'assetPut';

export const command: Command = {
  name: 'put',
  summary: 'Write an asset',
  details:
    'With --set, the asset is read, changed and written back whole, on top of the newest. With -f, the file is written as it is. What was changed elsewhere is not undone: that ends with exit code 6, and nothing is written.',
  endpoint,
  arguments: [{ name: 'id', summary: 'the asset to change', optional: true, completes: 'id' }],
  options: [
    ...replaceOptions,
    {
      flags: '--base <file>',
      summary: 'what the file was made from; what others changed since is kept',
      completes: 'file',
    },
    overwriteOption,
  ],
  examples: [
    { does: 'Change one field', line: 'mar asset put a-1001 --set usage.online=true' },
    { does: 'See what would be sent', line: 'mar asset put a-1001 --set name=New --dry-run' },
    {
      does: 'Keep what others changed since the copy was made',
      line: 'mar asset put -f mine.json --base copy.json',
    },
  ],
  async run(context, input) {
    const [id] = input.arguments;
    const { file, base } = input.options;
    if (file !== undefined || base !== undefined) return putWhole(context, input);
    if (id === undefined) {
      throw usageError(
        'the asset is not named',
        'mar asset put <id> --set path=value, or the whole record with -f FILE',
      );
    }
    await putFields(context, input, id);
  },
};

async function putFields(context: Context, input: Input, id: string): Promise<void> {
  const edits = await requiredEdits(context, input);
  await writeChange(await guardedAsset(context, input, id), async (record) => {
    const mine = await edit(context, endpoint, copyOf(record) as JsonObject, edits);
    // With another _id, the service would replace another asset, which was not checked.
    if (!isSame(mine.get('_id'), record.get('_id'))) {
      throw usageError(`_id must stay ${JSON.stringify(id)}`, 'nothing was sent');
    }
    return mine;
  });
}

/** Replaces the asset with the file, or with --base and the fields that --set changes in it. */
async function putWhole(context: Context, input: Input): Promise<void> {
  const baseFile = stringOption(input, 'base');
  const base =
    baseFile === undefined ? undefined : await readRecord(baseFile, context.streams.stdin);
  const record =
    base && stringOption(input, 'file') === undefined
      ? await edit(
          context,
          endpoint,
          copyOf(base) as JsonObject,
          await requiredEdits(context, input),
        )
      : await readBody(context, { endpoint, input });
  const id = setId(record, input.arguments[0]);
  checkSecrets(record);
  const baseId = base?.get('_id');
  if (baseId !== undefined && baseId !== id) {
    throw usageError(`--base ${baseFile} holds the asset ${printJson(baseId)}, not "${id}"`);
  }
  await writeWhole(await guardedAsset(context, input, id), record, base);
}

async function requiredEdits(context: Context, input: Input): Promise<Edit[]> {
  const edits = await readEdits(context, input);
  if (edits.length > 0) return edits;
  throw usageError(
    'there is nothing to change',
    'give fields with --set path=value, or a file with -f',
  );
}

/** Gives a record without an _id the id of the command line, and returns its _id. */
function setId(record: JsonObject, id: string | undefined): string {
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
