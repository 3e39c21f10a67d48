import { groupBy } from '../../../core/values/groupBy.ts';
import type { Shard } from '../shards.ts';
import type { InputFacts } from './format.ts';
import { type RowState, RowStates } from './rowStates.ts';

/** The rows of the last input that a journal was used with, and their states. */
export interface KnownRows extends InputFacts {
  /** The key of row 1 comes first. */
  keys: readonly string[];
  states: RowStates;
  removed: readonly RemovedRow[];
}

/** A row that is not in the input any more. If it comes back, it is the same row. */
export interface RemovedRow {
  /** Its number in the input that had it last. */
  row: number;
  key: string;
  state: RowState;
  position: number;
  isRetried: boolean;
}

/** Among equal rows, those that reached the service are kept first. */
const byImportance: readonly (readonly RowState[])[] = [
  ['done', 'unchanged'],
  ['unknown', 'sending'],
  ['failed', 'conflict'],
  ['pending', 'invalid', 'changed'],
];

/**
 * Finds the state of each row of an edited input by its content. Equal rows are told apart by their
 * order only. A row's shard follows from its content too, so it stays there when rows move.
 */
export function matchRows(shard: Shard, keys: readonly string[], earlier?: KnownRows) {
  const states = new RowStates(keys.length);
  const last = (earlier?.keys ?? []).map((key, index): RemovedRow => {
    const row = index + 1;
    const state = earlier?.states.get(row) ?? 'pending';
    const isRetried = earlier?.states.retried.has(row) === true;
    return { row, key, state, position: earlier?.states.positionOf(row) ?? 0, isRetried };
  });
  const known = [...last, ...(earlier?.removed ?? [])];
  const byKey = groupBy(
    byImportance.flatMap((group) => known.filter(({ state }) => group.includes(state))),
    ({ key }) => key,
  );
  let added = 0;
  const ordinals = new Map<string, number>();
  const isNextInShard = (key: string) => {
    const ordinal = ordinals.get(key) ?? 0;
    ordinals.set(key, ordinal + 1);
    return isInShard(shard, key, ordinal);
  };
  for (const [index, key] of keys.entries()) {
    if (!isNextInShard(key)) {
      states.set(index + 1, 'elsewhere');
      continue;
    }
    const match = byKey.get(key)?.shift();
    if (!match) {
      added += 1;
      continue;
    }
    const { state, position, isRetried } = match;
    if (isRetried) states.retried.add(index + 1);
    // A pending row with an event may have been sent before.
    if (state !== 'pending' || position > 0) states.set(index + 1, state, position);
  }
  const unmatched = new Set([...byKey.values()].flat());
  const isSent = ({ state }: RemovedRow) => byImportance.slice(0, 3).flat().includes(state);
  return {
    states,
    /** Rows that were sent and are not in this input. */
    removed: known.filter((row) => unmatched.has(row) && isSent(row)),
    /** Those that the last input had. */
    removedNow: last.filter((row) => unmatched.has(row)),
    /** The number of rows that the last input did not have. */
    added,
  };
}

/** A key is a hash, so any part of it is as good as a random number. */
export const isInShard = ({ index, count }: Shard, key: string, ordinal = 0) =>
  count === 1 || (Buffer.from(key, 'base64url').readUInt32BE() + ordinal) % count === index - 1;
