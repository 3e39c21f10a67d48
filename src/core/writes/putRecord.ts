import { type Endpoint, type EndpointId, endpoints, resourceNoun } from '../api/endpoints.ts';
import { checkSecrets } from '../client/request.ts';
import { forPerson, MarError, onCommandLine, usageError } from '../errors.ts';
import { type Invocation, option, readOption, stringOption } from '../input.ts';
import { copyOf, isSame, type JsonObject, printJson } from '../json/value.ts';
import type { Results } from '../output/result.ts';
import { readRecord } from '../records/document.ts';
import { differences } from '../records/recordDiff.ts';
import type { Context } from '../session/context.ts';
import { words } from '../values/commandLine.ts';
import { plural } from '../values/numbers.ts';
import { readVersion } from './apply.ts';
import { edit, readBody, readEdits } from './body.ts';
import { overlay, withHidden } from './overlay.ts';
import { type Plan, planChange, planWhole, type Target } from './plan.ts';
import { refuseMistakes } from './refuseMistakes.ts';
import { isKept, review } from './review.ts';
import { openSeenAssets, type SeenAssets } from './seenAssets.ts';
import { carryOut, unchanged } from './write.ts';

export const overwriteOption = option('--force', 'overwrite changes by others');

export const replaceOption = option(
  '--replace',
  'remove the fields that the file does not have; asks, or needs --yes',
  { needs: '--file FILE', group: 'Fields' },
);

export const idChangedError = (endpoint: EndpointId, id: string) =>
  usageError(
    `the _id of ${endpoint === 'assetPut' ? 'an' : 'a'} ${nounOf(endpoint)} cannot change: expected ${JSON.stringify(id)}`,
    { value: id },
  );

const nounOf = (endpoint: EndpointId) => resourceNoun(endpoints[endpoint].resource);

/** The record that a write changes. */
export const readTarget = (context: Context, endpoint: EndpointId, id: string) => {
  const { readBy = 'assetGet' }: Endpoint = endpoints[endpoint];
  return readVersion(context, endpoints[readBy], id);
};

/** A record that is about to be changed, with the states in which the user saw it if they matter. */
export const targetOf = (
  { session }: Context,
  { endpoint, input }: Pick<Invocation, 'endpoint' | 'input'>,
  id: string,
  seen?: SeenAssets,
): Target => ({
  endpoint,
  id,
  name: `${nounOf(endpoint)} ${id}`,
  shownBy: endpoint === 'assetPut' ? words`mar asset get ${id}` : words`mar user list --all`,
  force: input.options.force === true,
  stored: (record) => session.service().stored(record),
  seen: (endpoint === 'assetPut' && seen?.statesOf(id)) || [],
});

/**
 * Writes a record that can be read first: its fields, with those of a file and of --set over them. With
 * --replace or --base, the file is the whole record.
 */
export async function* putRecord(context: Context, invocation: Invocation): Results {
  const { endpoint, input } = invocation;
  const [given] = input.arguments;
  const { base: baseFile, replace } = input.options;
  const edits = await readEdits(context, input);
  const request = { endpoint, input };
  const { stdin } = context.world.streams;
  const copy = await readOption(input, 'base', (name) => readRecord(name, stdin));
  const file =
    stringOption(input, 'file') === undefined
      ? undefined
      : await readBody(context, { endpoint, input: { ...input, given: [] } });
  const noun = nounOf(endpoint);
  const hint = `Name the ${noun}, and use --set path=value. Or use -f FILE, or --batch FILE for many ${noun}s.`;
  const nothing = usageError('nothing to change', onCommandLine(hint));
  if (!file && edits.length === 0) throw nothing;
  const whole = file ?? (copy && (copyOf(copy) as JsonObject));
  const { offerId } = await import('../reads/ids.ts');
  const offered = () => offerId(context, endpoints[endpoint].resource, nothing);
  const id = whole ? setId(endpoint, whole, given) : (given ?? (await offered()));
  const baseId = copy?.get('_id');
  if (baseId !== undefined && baseId !== id) {
    const problem = `--base ${baseFile} is ${noun} ${printJson(baseId)}, not "${id}"`;
    throw usageError(problem, { flag: '--base', value: String(baseFile) });
  }
  const target = targetOf(context, request, id, await openSeenAssets(context));
  const first = await readTarget(context, endpoint, id).catch((error: unknown) => {
    if (whole && error instanceof MarError && error.kind === 'not-found') return undefined;
    throw error;
  });
  const before: JsonObject = first?.record ?? new Map();
  const base = copy && withHidden(copy, before);
  const isPart = file !== undefined && !replace && !base;
  const start = isPart ? overlay(before, file) : withHidden(whole ?? before, before);
  const mine = await edit(context, request, copyOf(start) as JsonObject, edits);
  checkSecrets(mine);
  // With another _id, the service would write another record, which was not checked.
  if (!isSame(mine.get('_id'), start.get('_id'))) throw idChangedError(endpoint, id);
  if (!first) {
    const text = `${noun} ${id} does not exist yet: the service may create it, or refuse this`;
    const remarks = [{ text, code: 'new-record' }];
    return yield* writePlan(context, invocation, target, {
      endpoint,
      id,
      body: mine,
      isNew: true,
      remarks,
    });
  }
  const plan = context.world.interruptible(() =>
    whole ? planWhole(target, first, mine, { base, given: file }) : planChange(target, first, mine),
  );
  const { options } = input;
  const isAgreed = options.yes || options.dryRun || context.reporter.isInteractive;
  // A field may be missing in a file by mistake.
  const removed = file && !isPart && plan ? removedFields(target, before, plan.body) : [];
  if (removed.length > 0 && !isAgreed) {
    const flag = replace ? '--replace' : '--base';
    const text = `${flag} removes ${listed(removed)} of ${target.name}`;
    const advice = `Nothing was written. To remove them, add --yes; to keep them, leave out ${flag}.`;
    throw usageError(text, forPerson(advice), { flag });
  }
  yield* writePlan(context, invocation, target, plan, before);
}

/** Shows a plan and carries it out. Without one, nothing is to change. */
export async function* writePlan(
  context: Context,
  invocation: Invocation,
  target: Target,
  plan: Plan | undefined,
  before?: JsonObject,
): Results {
  const { input } = invocation;
  if (!plan) return yield* unchanged(context, target.name, before ?? new Map(), invocation);
  await refuseMistakes(context, invocation, plan.body, before);
  const removed = isKept(context) && before ? removedFields(target, before, plan.body) : [];
  const text = `This service keeps what a PUT leaves out (put.missing=kept), so these stay: ${listed(removed)}`;
  const remarks = [...plan.remarks, ...(removed.length > 0 ? [{ text }] : [])];
  await review(context, input, { ...plan, remarks });
  yield* carryOut(context, plan, invocation);
}

const removedFields = ({ stored }: Target, before: JsonObject, after: JsonObject): string[] =>
  differences(stored(before), stored(after)).flatMap((one) =>
    one.after === undefined ? one.path : [],
  );

const maxListed = 10;

/** `2 fields (name, usage.online)` */
function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, maxListed).join(', ');
  return `${plural(paths.length, 'field')} (${shown}${paths.length > maxListed ? ', …' : ''})`;
}

/** Gives a record without an _id the id of the command line, and returns its _id. */
function setId(endpoint: EndpointId, record: JsonObject, id: string | undefined): string {
  const own = record.get('_id') ?? id;
  if (own === undefined) {
    const command = words`mar ${nounOf(endpoint)} put ID -f FILE`;
    throw usageError('the record has no _id', { text: `Name the ${nounOf(endpoint)}:`, command });
  }
  if (typeof own !== 'string') throw usageError(`_id: expected a string, found ${printJson(own)}`);
  if (id !== undefined && own !== id) {
    const problem = `the record is ${nounOf(endpoint)} ${JSON.stringify(own)}, not "${id}"`;
    throw usageError(problem, { value: id });
  }
  record.set('_id', own);
  return own;
}
