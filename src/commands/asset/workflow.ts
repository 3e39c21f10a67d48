import { endpoints } from '../../api/endpoints.ts';
import { parseSent } from '../../client/sent.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import { fieldOf } from '../../terminal/fields.ts';
import type { Column } from '../../terminal/view.ts';
import { type Input, textOption } from '../command.ts';
import { printPart, printParts } from '../verbs/parts.ts';
import { remember } from '../verbs/remember.ts';
import { namesIn, phasesOf } from './phases.ts';

const columns: readonly Column[] = [
  { title: 'Phase', path: 'phase', kind: 'id' },
  { title: 'Present', path: 'isPresent' },
  { title: 'Terminal', path: 'terminal' },
  { title: 'Groups', path: 'groups', importance: 2 },
  { title: 'Users', path: 'users', importance: 1 },
];

/** The workflow of an asset: a picture for people, the record that the service has for programs. */
export async function workflow(context: Context, input: Input): Promise<void> {
  const [id] = input.arguments;
  const request = textOption(input, 'workRequest');
  if ((id === undefined) === (request === undefined)) {
    throw usageError(
      id === undefined ? 'which asset?' : 'an asset and --work-request cannot be used together',
      'mar asset workflow <id>, or mar asset workflow --work-request <id>',
    );
  }
  const record =
    request === undefined
      ? await ask(context, 'assetGet', id)
      : await ask(context, 'workRequestGet', request);
  const asset = request === undefined ? record : fieldOf(record, 'asset');
  const found = fieldOf(asset, 'workflow') as Json | undefined;
  if (!isObject(found)) throw noWorkflow(id, request);
  await print(context, found, { asset, record });
}

async function ask(
  context: Context,
  endpointId: 'assetGet' | 'workRequestGet',
  id: string | undefined,
): Promise<Json> {
  const client = await context.client();
  const endpoint = endpoints[endpointId];
  const record = await client.call(endpoint, { id });
  await remember(context, endpoint.resource, [{ id, record }]);
  return parseSent(record.text);
}

function noWorkflow(id: string | undefined, request: string | undefined): MarError {
  return request === undefined
    ? new MarError('not-found', `the service sent no workflow with the asset ${id}`, {
        hint: 'a work request for the asset carries it: mar asset workflow --work-request <id>',
      })
    : new MarError('not-found', `the asset of the work request ${request} has no workflow`, {
        hint: 'not every asset has one; look at it with: mar wr get',
      });
}

async function print(
  context: Context,
  found: JsonObject,
  whole: { asset: unknown; record: Json },
): Promise<void> {
  const { printer, streams, style } = context;
  if (printer.isWholeRecord) return printPart(context, found, columns);
  const phases = phasesOf(found);
  if (phases.length === 0) context.closingNote('the workflow names no phases');
  if (!printer.isForPeople || context.flags.columns) {
    const records = phases.map(({ record }) => record);
    return printParts(context, records, columns);
  }
  const { drawWorkflow } = await import('./workflowPicture.ts');
  const lines = drawWorkflow(whole.asset, found, phases, {
    width: streams.stdout.columns,
    style,
    names: namesIn(whole.record),
  });
  await streams.stdout.write(`${lines.join('\n')}\n`);
}
