import { checkSecrets } from '../../client/request.ts';
import { onCommandLine, usageError } from '../../errors.ts';
import { type Input, option, readOption, stringOption } from '../../input.ts';
import { copyOf, isSame, type JsonObject, printJson } from '../../json/value.ts';
import type { Results } from '../../output/result.ts';
import { readRecord } from '../../records/document.ts';
import type { Edit } from '../../records/setFields.ts';
import type { Context } from '../../session/context.ts';
import { words } from '../../values/commandLine.ts';
import {
  assetTarget,
  changeAsset,
  edit,
  idChangedError,
  openSeenAssets,
  overwriteOption,
  putOptions,
  readAsset,
  readBody,
  readEdits,
  replaceAsset,
} from '../../writes/index.ts';
import type { Command } from '../command.ts';
import { assetView } from './view.ts';

const endpoint = 'assetPut';

export const command: Command = {
  summary: 'Change an asset',
  details:
    'With --set, mar reads the asset, changes the fields and writes the whole record. With -f, it writes the record in the file; the API does not say what happens to fields you leave out. If someone changed the asset since you last read it, nothing is written (exit code 6).',
  endpoint,
  view: assetView,
  arguments: [
    {
      name: 'id',
      summary: 'id of the asset; not needed if the file has an _id',
      optional: true,
      completes: 'id',
    },
  ],
  options: [
    ...putOptions('usage.online=true'),
    option('--base <file>', 'your unchanged copy of the asset; later changes by others are kept', {
      completes: 'file',
    }),
    overwriteOption,
  ],
  examples: {
    'Change one field': 'mar asset put a-1001 --set usage.online=true',
    'Show the request without sending it': 'mar asset put a-1001 --set name=New --dry-run',
    'Write a file and keep changes by others since you copied the asset':
      'mar asset put -f mine.json --base copy.json',
  },
  async *run(context, input) {
    const [given] = input.arguments;
    const { file, base } = input.options;
    if (file !== undefined || base !== undefined) return yield* putWhole(context, input);
    const missing = usageError(
      'no asset given',
      onCommandLine(
        'Name the asset, and use --set path=value. Or use -f FILE for a whole record, or --batch FILE for many assets.',
      ),
    );
    if (given === undefined && input.given.length === 0) throw missing;
    const edits = await requiredEdits(context, input);
    const { offerId } = await import('../../reads/ids.ts');
    const id = given ?? (await offerId(context, 'Asset', missing));
    const target = assetTarget(input, id, await openSeenAssets(context));
    const first = await readAsset(context, id);
    const mine = await editCopy(context, input, first.record, edits);
    // With another _id, the service would write another asset, which was not checked.
    if (!isSame(mine.get('_id'), first.record.get('_id'))) throw idChangedError(id);
    yield* changeAsset(context, { view: assetView, input, target }, first, mine);
  },
};

/** Writes the file, or --base with the fields that --set changes in it. */
async function* putWhole(context: Context, input: Input): Results {
  const baseFile = stringOption(input, 'base');
  const { stdin } = context.world.streams;
  const base = await readOption(input, 'base', (file) => readRecord(file, stdin));
  const record =
    base && stringOption(input, 'file') === undefined
      ? await editCopy(context, input, base, await requiredEdits(context, input))
      : await readBody(context, { endpoint, input });
  const id = setId(record, input.arguments[0]);
  checkSecrets(record);
  const baseId = base?.get('_id');
  if (baseId !== undefined && baseId !== id) {
    const facts = { flag: '--base', value: baseFile };
    throw usageError(`--base ${baseFile} is asset ${printJson(baseId)}, not "${id}"`, facts);
  }
  const target = assetTarget(input, id, await openSeenAssets(context));
  yield* replaceAsset(context, { view: assetView, input, target, id }, record, base);
}

const editCopy = (context: Context, input: Input, record: JsonObject, edits: readonly Edit[]) =>
  edit(context, { endpoint, input }, copyOf(record) as JsonObject, edits);

async function requiredEdits(context: Context, input: Input): Promise<Edit[]> {
  const edits = await readEdits(context, input);
  if (edits.length > 0) return edits;
  const hint = 'Use --set path=value for single fields, or -f FILE for a whole record.';
  throw usageError('nothing to change', onCommandLine(hint));
}

/** Gives a record without an _id the id of the command line, and returns its _id. */
function setId(record: JsonObject, id: string | undefined): string {
  const own = record.get('_id') ?? id;
  if (own === undefined) {
    throw usageError('the record has no _id', {
      text: 'Name the asset:',
      command: words`mar asset put ID -f FILE`,
    });
  }
  if (typeof own !== 'string') throw usageError(`_id: expected a string, found ${printJson(own)}`);
  if (id !== undefined && own !== id) {
    throw usageError(`the record is asset ${JSON.stringify(own)}, not "${id}"`, { value: id });
  }
  record.set('_id', own);
  return own;
}
