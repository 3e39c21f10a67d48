import { orUndefined } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import type { FoundRecord } from '../reads/getRecords.ts';
import type { Fingerprint } from '../records/fingerprint.ts';
import type { Context } from '../session/context.ts';

const kind = 'AssetState';
const maxStates = 4;

export type SeenAssets = Awaited<ReturnType<typeof openSeenAssets>>;

/**
 * The states of assets that the user has seen, as fingerprints. A later write is refused if it would
 * undo what others changed since then. Loads node:crypto, which `asset get` needs only after its output
 * is printed.
 */
export async function openSeenAssets({ session: { memory }, world }: Context) {
  const { Fingerprint } = await import('../records/fingerprint.ts');
  const states = new Map<string, readonly Fingerprint[]>();
  /** The oldest first. */
  const statesOf = (id: string) => states.get(id) ?? [];
  const add = (id: string, state: Fingerprint) =>
    states.set(id, [...statesOf(id), state].slice(-maxStates));
  for (const { id, text } of memory.entries(kind).reverse()) {
    const state = Fingerprint.parse(text);
    if (state) add(id.slice(0, id.lastIndexOf('\t')), state);
  }
  /** Does nothing if the last state that was seen is the same. */
  const remember = async (id: string, record: JsonObject) => {
    const state = world.interruptible(() =>
      statesOf(id).at(-1)?.isOf(record) ? undefined : Fingerprint.of(record),
    );
    if (!state) return;
    add(id, state);
    // Each state is an entry of its own, so its id has a part that no other state has.
    await memory.add([{ kind, id: `${id}\t${state.salt}`, text: String(state) }]);
  };
  return { statesOf, remember };
}

/** Remembers what the user saw last: a record in the editor, or one that was written. */
export async function rememberSeen(context: Context, record: Json | undefined): Promise<void> {
  const id = isObject(record) ? record.get('_id') : undefined;
  // Some services respond to a write with something other than the record.
  if (!isObject(record) || typeof id !== 'string') return;
  await (await openSeenAssets(context)).remember(id, record);
}

export function rememberPrinted(context: Context): (found: FoundRecord) => Promise<void> {
  let seen: SeenAssets | undefined;
  return async ({ id, record }) => {
    if (context.session.memory.isDisabled) return;
    const tree = orUndefined(() => context.world.interruptible(() => record.tree));
    if (!isObject(tree) || tree.get('_id') !== id) return;
    seen ??= await openSeenAssets(context);
    await seen.remember(id, tree);
  };
}
