import { endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { MarError } from '../../errors.ts';
import type { ServiceRecord } from '../../json/serviceRecord.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import type { Current, Target } from '../../records/guardedWrite.ts';
import { differences } from '../../records/recordDiff.ts';
import type { RecordKey, SeenRecords } from '../../records/seenRecords.ts';
import type { View } from '../../terminal/view.ts';
import { commandLine } from '../../values/commandLine.ts';
import type { Input } from '../command.ts';
import { differenceLines } from '../write/diff.ts';
import { write } from '../write/write.ts';

interface GuardedAsset extends Target {
  /** Keeps the state that the user is shown, to tell later what others changed since. */
  remember(record: JsonObject): void;
}

/** An asset that is to be written over: read and written by the client, shown and asked about here. */
export async function guardedAsset(
  context: Context,
  input: Input,
  id: string,
  view: View,
): Promise<GuardedAsset> {
  const { dryRun, yes, force } = input.options;
  const { interruptible } = context.world;
  const seen = await openSeen(context);
  const whose = whoseAsset(context, id);
  const remember = (record: JsonObject) => {
    attempt(() => interruptible(() => seen.remember(whose, record)));
  };
  return {
    name: id,
    shownBy: commandLine`mar asset get ${id}`,
    force: force === true,
    seen: attempt(() => interruptible(() => seen.statesOf(whose))) ?? [],
    fingerprinter: () => seen.fingerprinter,
    note: (text) => context.note(text),
    interruptible,
    remember,
    async read() {
      const client = await context.client();
      const answer = await client.call(endpoints.assetGet, { id, forWrite: true });
      return interruptible(() => currentOf(answer, id));
    },
    async review(before, after) {
      await showDifference(context, id, before, after);
      if (!context.isInteractive || yes || dryRun) return false;
      const { confirm } = await import('../write/confirm.ts');
      await confirm(context);
      return true;
    },
    async write(record, over) {
      const ifMatch = force ? undefined : over?.tag;
      const call = { body: record, base: over?.record, ifMatch };
      const answer = await write(context, input, 'assetPut', view, call);
      // Some services answer a write with something else than the record.
      const written = answer && attempt(() => currentOf(answer, id).record);
      if (written?.get('_id') === id) remember(written);
    },
  };
}

/** The folder may be full, read-only, or not there: the guard then does without. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

function currentOf({ tree: record, tag }: ServiceRecord, id: string): Current {
  if (isObject(record)) return { record, tag };
  throw new MarError('service', `the service sent an asset ${id} that is not a record`);
}

/** On standard error: the result is what the service makes of it. */
async function showDifference(
  context: Context,
  id: string,
  before: JsonObject,
  after: JsonObject,
): Promise<void> {
  const { streams, world, errorStyle } = context;
  const { stderr } = streams;
  if (context.isErrorForPrograms) return;
  const found = world.interruptible(() => differences(before, after));
  if (found.length === 0) return context.note(`${id}: nothing changes`);
  const width = stderr.isTerminal ? stderr.columns : undefined;
  const redact = (text: string) => world.redactor.clean(text);
  const lines = [`${id}:`, ...differenceLines(found, errorStyle, { width, redact })];
  await stderr.write(`${redact(lines.join('\n'))}\n`).catch(() => {});
}

function whoseAsset(context: Context, id: string): RecordKey {
  const { baseUrl, email } = context.identity();
  return { service: baseUrl.href, email, resource: 'Asset', id };
}

/** Loaded late: it is needed once the output is written. */
async function openSeen({ folders }: Context): Promise<SeenRecords> {
  const { SeenRecords } = await import('../../records/seenRecords.ts');
  return SeenRecords.open(folders.state);
}

/** Remembers each asset that was shown, after it was printed: nobody waits for it. */
export function assetMemory(context: Context): (answer: ServiceRecord) => Promise<void> {
  let seen: SeenRecords | undefined;
  return async (record) => {
    try {
      seen ??= await openSeen(context);
      const records = seen;
      context.world.interruptible(() => {
        const json = record.tree;
        const id = isObject(json) ? json.get('_id') : undefined;
        if (isObject(json) && typeof id === 'string') {
          records.remember(whoseAsset(context, id), json);
        }
      });
    } catch {
      // A folder that is full or read-only is no reason to fail: the guard then does without.
    }
  };
}
