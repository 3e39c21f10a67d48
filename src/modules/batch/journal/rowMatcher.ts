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

/** How an edited input differs from the one before. */
export interface InputChanges {
  /** Rows that replace rows which were not done. */
  corrected: number;
  added: number;
  /** Rows that replace done rows: their records exist already. */
  changedDone: number;
  /** Removed now, not by an earlier edit. */
  removed: readonly RemovedRow[];
}

/** Among equal rows, those that reached the service are kept first. */
const byImportance: readonly (readonly RowState[])[] = [
  ['done', 'unchanged'],
  ['unknown', 'sending'],
  ['failed', 'conflict'],
  ['pending', 'invalid'],
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
  /** The earlier row of each row in this shard; 0 if there is none. */
  const matches: number[] = [];
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
    matches.push(match);
    if (match === 0) continue;
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
    get changes(): InputChanges {
      const isHere = ({ state }: RemovedRow) => state !== 'elsewhere';
      return compareGaps([...unmatched(earlierRows + 1)].filter(isHere), matches, earlierRows);
    },
  };
}

/**
 * Compares the gaps between the rows that are in both inputs: a new row in a gap replaces a row that
 * was removed from it. If rows changed their order, the whole input is one gap.
 */
function compareGaps(
  removed: readonly RemovedRow[],
  matches: readonly number[],
  earlierRows: number,
): InputChanges {
  const kept = matches.filter((match) => match > 0 && match <= earlierRows);
  const isInOrder = kept.every((match, index) => index === 0 || match > (kept[index - 1] ?? 0));
  const changes = { corrected: 0, added: 0, changedDone: 0, removed };
  let next = 0;
  let fresh = 0;
  const closeGap = (end: number) => {
    let done = 0;
    let open = 0;
    for (; (removed[next]?.row ?? end) < end; next += 1) {
      if (removed[next]?.state === 'done') done += 1;
      else open += 1;
    }
    const corrected = Math.min(fresh, open);
    const changedDone = Math.min(fresh - corrected, done);
    changes.corrected += corrected;
    changes.changedDone += changedDone;
    changes.added += fresh - corrected - changedDone;
    fresh = 0;
  };
  for (const match of matches) {
    if (match === 0) fresh += 1;
    else if (isInOrder && match <= earlierRows) closeGap(match);
  }
  closeGap(Number.POSITIVE_INFINITY);
  return changes;
}

/** A key is a hash, so any part of it is as good as a random number. */
const numberIn = (key: string) => Buffer.from(key, 'base64url').readUInt32BE();
