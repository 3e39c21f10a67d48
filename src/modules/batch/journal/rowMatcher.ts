import type { InputFacts } from './format.ts';
import type { Shard } from './journalPaths.ts';
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
  const earlierRows = earlier?.rows ?? 0;
  const earlierRow = (row: number): RemovedRow => {
    const known = earlier as KnownRows;
    if (row > earlierRows) return known.removed[row - earlierRows - 1] as RemovedRow;
    const [state, position] = [known.states.get(row), known.states.positionOf(row)];
    return { row, key: known.keys[row - 1] as string, state, position };
  };
  const end = earlierRows + (earlier?.removed.length ?? 0) + 1;
  /** The first earlier row of each key that is not matched yet; `next` has those that follow. */
  const first = new Map<string, number>();
  const next = new Uint32Array(end);
  // Backwards, because each row is put before the others of its key.
  for (const group of byImportance.toReversed()) {
    for (let row = end - 1; row > 0; row -= 1) {
      const { state, key } = earlierRow(row);
      if (!group.includes(state)) continue;
      next[row] = first.get(key) ?? 0;
      first.set(key, row);
    }
  }
  const isMatched = new Uint8Array(end);
  let added = 0;
  const ordinals = new Map<string, number>();
  const isInShard = (key: string) => {
    const ordinal = ordinals.get(key) ?? 0;
    ordinals.set(key, ordinal + 1);
    return (numberIn(key) + ordinal) % shard.count === shard.index - 1;
  };
  for (const [index, key] of keys.entries()) {
    if (shard.count > 1 && !isInShard(key)) {
      states.set(index + 1, 'elsewhere');
      continue;
    }
    if (!earlier) continue;
    const match = first.get(key) ?? 0;
    if (match === 0) {
      added += 1;
      continue;
    }
    first.set(key, next[match] as number);
    isMatched[match] = 1;
    const { state, position } = earlierRow(match);
    // A pending row with an event may have been sent before.
    if (state !== 'pending' || position > 0) states.set(index + 1, state, position);
  }
  function* unmatched(before: number): Generator<RemovedRow> {
    for (let row = 1; row < before; row += 1) if (isMatched[row] === 0) yield earlierRow(row);
  }
  return {
    states,
    /** Rows that were sent and are not in this input. */
    get removed(): RemovedRow[] {
      const isSent = ({ state }: RemovedRow) => byImportance.slice(0, 3).flat().includes(state);
      return [...unmatched(end)].filter(isSent);
    },
    /** Those that the last input had. */
    get removedNow(): RemovedRow[] {
      return [...unmatched(earlierRows + 1)].filter(({ state }) => state !== 'elsewhere');
    },
    /** The number of rows that the last input did not have. */
    added,
  };
}

/** A key is a hash, so any part of it is as good as a random number. */
const numberIn = (key: string) => Buffer.from(key, 'base64url').readUInt32BE();
