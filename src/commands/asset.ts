import { endpoints } from '../api/endpoints.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import { isObject, type JsonObject } from '../json/value.ts';
import { applyEdits } from '../records/edit.ts';
import { type Command, type Input, type Noun, textOption } from './command.ts';
import { get, idsArgument } from './verbs/get.ts';
import { list, listOptions } from './verbs/list.ts';
import { bodyOptions, editsOf, readBody, write } from './verbs/write.ts';
import { assetView } from './views/asset.ts';

const getAsset: Command = {
  name: 'get',
  summary: 'Show assets',
  endpoint: 'assetGet',
  arguments: [idsArgument],
  examples: [
    { does: 'One asset, as a card', line: 'mar asset get a-1001' },
    { does: 'Several, as a table', line: 'mar asset get a-1001 a-1002 a-1003' },
    { does: 'For a script', line: 'mar asset get a-1001 --jq .usage' },
  ],
  run: (context, input) => get(context, 'assetGet', assetView, input),
};

const putAsset: Command = {
  name: 'put',
  summary: 'Write an asset',
  details:
    'With an id and --set, the asset is read, changed and written back whole. With -f, the file is written as it is.',
  endpoint: 'assetPut',
  arguments: [{ name: 'id', summary: 'the asset to change', optional: true, completes: 'id' }],
  options: bodyOptions,
  examples: [
    { does: 'Change one field', line: 'mar asset put a-1001 --set usage.online=true' },
    {
      does: 'Read, change in your editor, write back',
      line: 'mar asset get a-1001 --json > a.json; vi a.json; mar asset put -f a.json',
    },
  ],
  async run(context, input) {
    await write(context, 'assetPut', assetView, { body: await assetToWrite(context, input) });
  },
};

/** The record to write: the file, or the asset as it is now, with the changes applied. */
async function assetToWrite(context: Context, input: Input): Promise<JsonObject> {
  const [id] = input.arguments;
  if (textOption(input, 'file') !== undefined || id === undefined) {
    const record = await readBody(context, input);
    const own = record.get('_id');
    if (own === undefined && id === undefined) {
      throw usageError('the asset has no _id', 'name it: mar asset put <id> …');
    }
    if (own === undefined && id !== undefined) record.set('_id', id);
    else if (id !== undefined && own !== id) {
      throw usageError(`the file holds the asset ${JSON.stringify(own)}, not "${id}"`);
    }
    return record;
  }
  const edits = editsOf(input);
  if (edits.length === 0) {
    throw usageError(
      'there is nothing to change',
      'give fields with --set path=value, or a file with -f',
    );
  }
  const client = await context.client();
  const { text } = await client.call(endpoints.assetGet, { id });
  const record = parseJson(text, { lastKeyCounts: true });
  if (!isObject(record)) throw usageError(`the asset ${id} is not a record`);
  applyEdits(record, edits);
  return record;
}

const workflowNotify: Command = {
  name: 'workflow-notify',
  summary: 'List the assets that the workflow notification is about',
  endpoint: 'assetWorkflowNotify',
  options: listOptions,
  examples: [
    { does: 'The first ten', line: 'mar asset workflow-notify' },
    {
      does: 'All of them, one JSON record a line',
      line: 'mar asset workflow-notify --all --jsonl',
    },
  ],
  run: (context, input) => list(context, 'assetWorkflowNotify', assetView, input),
};

const showWorkflow: Command = {
  name: 'workflow',
  summary: 'Show the phases of an asset, where it is, and who may act',
  details:
    'The phases stand in the order of their definition; which may follow which, the service does not ' +
    'say. Work requests carry the workflow of their asset; an asset by itself need not.',
  arguments: [{ name: 'id', summary: 'the asset', optional: true, completes: { idOf: 'Asset' } }],
  options: [
    {
      flags: '--work-request <id>',
      summary: 'the asset of this work request',
      completes: { idOf: 'WorkRequest' },
    },
  ],
  examples: [
    { does: 'Of an asset', line: 'mar asset workflow a-1001' },
    { does: 'Of what is asked for', line: 'mar asset workflow --work-request wr-2001' },
    { does: 'Which phase is it in?', line: 'mar asset workflow a-1001 --jq .phase' },
  ],
  async run(context, input) {
    const { workflow } = await import('./asset/workflow.ts');
    await workflow(context, input);
  },
};

export const asset: Noun = {
  commands: [getAsset, putAsset, showWorkflow, workflowNotify],
  view: assetView,
  examples: [
    { does: 'Show an asset', line: 'mar asset get a-1001' },
    { does: 'Change a field of it', line: 'mar asset put a-1001 --set usage.online=true' },
  ],
};
