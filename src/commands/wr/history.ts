import { endpoints } from '../../api/endpoints.ts';
import { parseSent } from '../../client/sent.ts';
import type { Context } from '../../context.ts';
import type { Column } from '../../terminal/view.ts';
import type { Input } from '../command.ts';
import { printParts } from '../verbs/parts.ts';
import { remember } from '../verbs/remember.ts';
import { stepRecord, timelineOf } from './timeline.ts';

const columns: readonly Column[] = [
  { title: 'Began', path: 'began', kind: 'id' },
  { title: 'Status', path: 'status', kind: 'status', importance: 3 },
  { title: 'Duration (ms)', path: 'durationMs', kind: 'number' },
  { title: 'Who', path: 'user.name', importance: 2 },
  { title: 'Groups', path: 'user.groups', importance: 1 },
  { title: 'Reason', path: 'reason', importance: 1 },
];

/** The history of a work request: a timeline for people, its entries with durations for programs. */
export async function history(context: Context, input: Input): Promise<void> {
  const [id = ''] = input.arguments;
  const client = await context.client();
  const endpoint = endpoints.workRequestGet;
  const answer = await client.call(endpoint, { id });
  const record = parseSent(answer.text);
  const steps = timelineOf(record, context.settings.timeUnit ?? 'auto', context.world.now());
  const { printer, streams, style } = context;
  if (printer.isForPeople && !context.flags.columns) {
    const { drawTimeline } = await import('./timelinePicture.ts');
    const lines = drawTimeline(record, steps, { width: streams.stdout.columns, style });
    await streams.stdout.write(`${lines.join('\n')}\n`);
  } else {
    await printParts(context, steps.map(stepRecord), columns);
  }
  if (steps.length === 0) context.closingNote(`the work request ${id} has no history`);
  await remember(context, endpoint.resource, [{ id, record: answer }]);
}
