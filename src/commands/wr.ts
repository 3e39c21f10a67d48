import { endpoints } from '../api/endpoints.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import type { JsonObject } from '../json/value.ts';
import { type Command, type Input, type Noun, textOption } from './command.ts';
import { ranBatch } from './verbs/batchOptions.ts';
import { get, idsArgument } from './verbs/get.ts';
import { create, createOptions, readBody } from './verbs/write.ts';
import { workRequestView } from './views/workRequest.ts';

const getWorkRequest: Command = {
  name: 'get',
  summary: 'Show work requests',
  endpoint: 'workRequestGet',
  arguments: [idsArgument],
  examples: [
    { does: 'One work request, as a card', line: 'mar wr get wr-2001' },
    { does: 'Several, as a table', line: 'mar wr get wr-2001 wr-2002 wr-2003' },
    { does: 'Ids from a file', line: 'mar wr get - --jsonl < ids.txt' },
  ],
  run: (context, input) => get(context, 'workRequestGet', workRequestView, input),
};

const createWorkRequest: Command = {
  name: 'create',
  summary: 'Create a work request',
  endpoint: 'workRequestCreate',
  options: [
    ...createOptions,
    {
      flags: '--like <id>',
      summary: 'start from this work request, without its identity, state and history',
    },
    {
      flags: '--template',
      summary:
        'print the fields that can be filled in, and send nothing; with --edit, fill them in',
    },
  ],
  examples: [
    {
      does: 'From fields',
      line: 'mar wr create --set asset=a-1001 --set language=fra --set territory=FR',
    },
    {
      does: 'From a file, with one field changed',
      line: 'mar wr create -f request.yaml --set due.date=2026-12-01T18:00',
    },
    {
      does: 'The same for another language',
      line: 'mar wr create --like wr-2001 --set language=deu',
    },
    { does: 'Fill it in', line: 'mar wr create --template > request.yaml' },
    { does: 'Keep the new id', line: 'id=$(mar wr create -f request.yaml --jq ._id)' },
  ],
  async run(context, input) {
    if (await ranBatch(context, input, 'workRequestCreate')) return;
    const start = await startOf(context, input);
    if (input.options.template && !input.options.edit) {
      const { printTemplate } = await import('./verbs/createInEditor.ts');
      const record = await readBody(context, input, 'workRequestCreate', start ?? new Map());
      return printTemplate(context, 'workRequestCreate', record);
    }
    await create(context, input, 'workRequestCreate', workRequestView, start);
  },
};

/** What a new work request begins with, where there is no file. */
async function startOf(context: Context, input: Input): Promise<JsonObject | undefined> {
  const id = textOption(input, 'like');
  if (id === undefined) return undefined;
  if (textOption(input, 'file') !== undefined) {
    throw usageError('--like and --file cannot be used together');
  }
  const { newFrom } = await import('../records/newFrom.ts');
  const client = await context.client();
  const { text } = await client.call(endpoints.workRequestGet, { id });
  return newFrom(parseJson(text, { lastKeyCounts: true }), id);
}

export const wr: Noun = {
  commands: [getWorkRequest, createWorkRequest],
  view: workRequestView,
  examples: [
    { does: 'Where does a request stand?', line: 'mar wr get wr-2001' },
    {
      does: 'Ask for a French version',
      line: 'mar wr create --set asset=a-1001 --set language=fra',
    },
  ],
};
