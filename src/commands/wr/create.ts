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
  details:
    'Common fields: asset, project, language, territory, due.date, due.tz, deliveryDeadline, dng, uses, ' +
    'instructions. Run mar schema wr for all fields. The API does not say which ones are required.',
  endpoint,
  options: [
    ...createOptions('due.tz=Europe/Paris'),
    {
      flags: '--like <id>',
      summary: 'copy this work request, without its id, status and history',
      completes: { idOf: 'WorkRequest' },
    },
    {
      flags: '--template',
      summary: 'print a form with all fields and send nothing; with --edit, fill it in and send it',
    },
  ],
  examples: [
    {
      does: 'Create one from fields',
      line: 'mar wr create --set asset=a-1001 --set language=fra --set territory=FRA',
    },
    {
      does: 'Create one from a file, with another due date',
      line: 'mar wr create -f request.yaml --set due.date=2026-12-01T18:00',
    },
    {
      does: 'Copy one for another language',
      line: 'mar wr create --like wr-2001 --set language=deu',
    },
    { does: 'Write a form to fill in', line: 'mar wr create --template > request.yaml' },
    { does: 'Keep the new id', line: 'id=$(mar wr create -f request.yaml --jq ._id)' },
  ],
  async run(context, input) {
    const isPrinted = input.options.template && !input.options.edit;
    const start = (await readLike(context, input)) ?? (isPrinted ? new Map() : undefined);
    const record = await readBody(context, { endpoint, input }, start);
    if (isPrinted) return printTemplate(context, endpoint, record);
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
