import { endpoints, resourceNoun } from '../api/endpoints.ts';
import { onCommandLine, runHint, usageError } from '../errors.ts';
import type { Input, Invocation, Option } from '../input.ts';
import { ServiceRecord } from '../json/serviceRecord.ts';
import { type JsonObject, printJson } from '../json/value.ts';
import { outcome, type RecordResult, type Results, recordResult } from '../output/result.ts';
import type { View } from '../output/viewType.ts';
import type { Context } from '../session/context.ts';
import { commandLine, words } from '../values/commandLine.ts';
import { apply } from './apply.ts';
import { bodyOptions, readWholeBody } from './body.ts';
import { skipChecksOption } from './checks.ts';
import type { Plan } from './plan.ts';
import { changeOf } from './recordIntent.ts';
import { refuseDoubtfulValues } from './refuseMistakes.ts';
import { leftOutRemarks, review } from './review.ts';

export const putOptions = (example: string): readonly Option[] => [
  ...bodyOptions(example),
  skipChecksOption,
];

interface Writing {
  view: View;
  input: Input;
  /** A few lines about the new record, for a person. */
  drawing?: (record: ServiceRecord) => RecordResult['drawing'];
}

/** Carries a plan out, and yields the record in the response. With --dry-run, yields the request. */
export async function* carryOut(
  context: Context,
  plan: Plan,
  { view, input, drawing }: Writing,
): Results {
  if (input.options.dryRun) {
    const { planResults } = await import('./unsentRequest.ts');
    return yield* planResults(context, plan);
  }
  const applied = await apply(context, plan);
  if (applied.kind === 'unchanged')
    return yield* unchanged(context, plan.guard?.name, applied.record, { view, input });
  const { record } = applied;
  yield recordResult(record, view, { isWritten: true, drawing: drawing?.(record) });
  const isLogged = changeOf(plan) && context.world.streams.stdout.isTerminal;
  if (isLogged && plan.by === undefined && (await context.session.log()))
    context.reporter.reportOnce(runHint('To take it back', words`mar undo`));
}

/** Reports that a record already is as requested. A script that prints or filters it gets it anyway. */
export async function* unchanged(
  { reporter }: Context,
  name: string | undefined,
  record: JsonObject,
  { view, input }: Writing,
): Results {
  reporter.reportOnce(`No changes: ${name} already has these values. Nothing was written.`);
  if (input.options.dryRun) {
    yield outcome({ changes: [], unchanged: true }, '', { onlyFor: 'programs' });
    return;
  }
  yield recordResult(ServiceRecord.fromTree(record), view, { drawing: () => [] });
}

/** Writes a record that cannot be read first, so that there is no diff to show. */
export async function* put(
  context: Context,
  invocation: Invocation,
  readBody: typeof readWholeBody = readWholeBody,
): Results {
  const { endpoint, input } = invocation;
  let [id] = input.arguments;
  // The argument is optional for commander because a batch has none.
  if (id === undefined && endpoints[endpoint].path.includes('{id}')) {
    const hint = onCommandLine('Name the record by its id.');
    const missing = usageError('missing argument <id>', hint);
    if (input.options.file === undefined) throw missing;
    const { offerId } = await import('../reads/ids.ts');
    id = await offerId(context, endpoints[endpoint].resource, missing);
  }
  const body = await readBody(context, invocation);
  const own = body.get('_id');
  if (id !== undefined && typeof own === 'string' && own !== id) {
    throw usageError(
      `the record has the _id ${JSON.stringify(own)}, not "${id}"`,
      [
        'Nothing was sent.',
        onCommandLine(`To write it as "${id}", add: ${commandLine`--set-string ${`_id=${id}`}`}`),
      ],
      { value: id },
    );
  }
  await refuseDoubtfulValues(context, invocation, body);
  const name = id ?? own;
  const what = `the whole ${resourceNoun(endpoints[endpoint].resource)} ${printJson(name ?? '')}`;
  const remarks = name === undefined ? [] : leftOutRemarks(context, what);
  let plan: Plan = { endpoint, id, body, remarks };
  if (endpoint === 'eventPut') {
    const { checkEarlier, orderSource } = await import('./placedBefore.ts');
    const { eventLook } = await import('./orderLook.ts');
    const order = orderSource(endpoint, input);
    const look = eventLook(context, body);
    plan = await checkEarlier(context, { ...plan, order, look }, input);
  }
  await review(context, input, plan);
  yield* carryOut(context, plan, invocation);
}
