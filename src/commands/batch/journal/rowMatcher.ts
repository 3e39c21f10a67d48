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
export class RowMatcher {
  readonly states: RowStates;
  readonly #shard: Shard;
  readonly #earlier?: KnownRows;
  readonly #ordinals = new Map<string, number>();
  /** The first earlier row of each key that is not matched yet; `#next` has those that follow. */
  readonly #first = new Map<string, number>();
  readonly #next: Uint32Array;
  readonly #isMatched: Uint8Array;
  /** The earlier row of each row in this shard; 0 if there is none. */
  readonly #matches: number[] = [];

  constructor(shard: Shard, keys: readonly string[], earlier?: KnownRows) {
    this.states = new RowStates(keys.length);
    this.#shard = shard;
    this.#earlier = earlier;
    const count = (earlier?.rows ?? 0) + (earlier?.removed.length ?? 0) + 1;
    this.#next = new Uint32Array(count);
    this.#isMatched = new Uint8Array(count);
    // Backwards, because each row is put before the others of its key.
    for (const states of byImportance.toReversed()) {
      for (let row = count - 1; row > 0; row -= 1) {
        const { state, key } = this.#earlierRow(row);
        if (!states.includes(state)) continue;
        this.#next[row] = this.#first.get(key) ?? 0;
        this.#first.set(key, row);
      }
    }
    for (const [index, key] of keys.entries()) this.#match(index + 1, key);
  }

  #match(row: number, key: string): void {
    const { index, count } = this.#shard;
    if (count > 1) {
      const ordinal = this.#ordinals.get(key) ?? 0;
      this.#ordinals.set(key, ordinal + 1);
      if ((numberIn(key) + ordinal) % count !== index - 1) {
        this.states.set(row, 'elsewhere');
        return;
      }
    }
    if (!this.#earlier) return;
    const match = this.#first.get(key) ?? 0;
    this.#matches.push(match);
    if (match === 0) return;
    this.#first.set(key, this.#next[match] as number);
    this.#isMatched[match] = 1;
    const { state, position } = this.#earlierRow(match);
    // A pending row with an event may have been sent before.
    if (state !== 'pending' || position > 0) this.states.set(row, state, position);
  }

  #earlierRow(row: number): RemovedRow {
    const { rows, removed, states, keys } = this.#earlier as KnownRows;
    if (row > rows) return removed[row - rows - 1] as RemovedRow;
    const key = keys[row - 1] as string;
    return { row, key, state: states.get(row), position: states.positionOf(row) };
  }

  /** Rows that were sent and are not in this input. */
  get removed(): RemovedRow[] {
    const isSent = ({ state }: RemovedRow) => byImportance.slice(0, 3).flat().includes(state);
    return [...this.#unmatched(this.#isMatched.length)].filter(isSent);
  }

  *#unmatched(end: number): Generator<RemovedRow> {
    for (let row = 1; row < end; row += 1) {
      if (this.#isMatched[row] === 0) yield this.#earlierRow(row);
    }
  }

  /**
   * Compares the gaps between the rows that are in both inputs: a new row in a gap replaces a row that
   * was removed from it. If rows changed their order, the whole input is one gap.
   */
  get changes(): InputChanges {
    const { rows } = this.#earlier as KnownRows;
    const removed = [...this.#unmatched(rows + 1)].filter(({ state }) => state !== 'elsewhere');
    const kept = this.#matches.filter((match) => match > 0 && match <= rows);
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
    for (const match of this.#matches) {
      if (match === 0) fresh += 1;
      else if (isInOrder && match <= rows) closeGap(match);
    }
    closeGap(Number.POSITIVE_INFINITY);
    return changes;
  }
}

/** A key is a hash, so any part of it is as good as a random number. */
const numberIn = (key: string) => Buffer.from(key, 'base64url').readUInt32BE();
