import { endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { batchable } from '../batch/batchable.ts';
import { type Input, stringOption } from '../command.ts';
import { readBody } from '../write/body.ts';
import { create, createOptions, printTemplate } from '../write/create.ts';
import { workRequestView } from './view.ts';

const endpoint = 'workRequestCreate';

export const command = batchable({
  name: 'create',
  summary: 'Create a work request',
  endpoint,
  options: [
    ...createOptions('due.tz=Europe/Paris'),
    {
      flags: '--like <id>',
      summary: 'start from this work request, without its identity, state and history',
      completes: { idOf: 'WorkRequest' },
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
      line: 'mar wr create --set asset=a-1001 --set language=fra --set territory=FRA',
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
    const start = await readLike(context, input);
    if (input.options.template && !input.options.edit) {
      const record = await readBody(context, { endpoint, input }, start ?? new Map());
      return printTemplate(context, endpoint, record);
    }
    const record = await readBody(context, { endpoint, input }, start);
    await create(context, { endpoint, view: workRequestView, input }, record);
  },
});

async function readLike(context: Context, input: Input): Promise<JsonObject | undefined> {
  const id = stringOption(input, 'like');
  if (id === undefined) return undefined;
  if (stringOption(input, 'file') !== undefined) {
    throw usageError('--like and --file cannot be used together');
  }
  const { newWorkRequestFrom } = await import('../../records/template.ts');
  const client = await context.client();
  const { tree } = await client.call(endpoints.workRequestGet, { id, forWrite: true });
  return newWorkRequestFrom(tree, id);
}
