/** The states of the rows of a shard, in the order of a summary. */
export const countedStates = [
  'done',
  // The record already had the values, so nothing was written.
  'unchanged',
  'failed',
  // Somebody else changed the record, so nothing was written.
  'conflict',
  'unknown',
  'invalid',
  'sending',
  // Not sent, or known never to have arrived.
  'pending',
] as const;

type CountedState = (typeof countedStates)[number];
/** `elsewhere`: the row belongs to another shard. */
export type RowState = CountedState | 'elsewhere';

/** The index is the code of the state in memory: 0 is pending. */
const names: readonly RowState[] = [...countedStates.toReversed(), 'elsewhere'];

/** Keeps a row number in a damaged journal from taking all memory. */
export const maxRows = 100_000_000;

/** Without the rows of other shards. */
export interface Summary extends Record<CountedState, number> {
  rows: number;
}

/** The state of each row and the position of its line in the journal, in nine bytes a row. */
export class RowStates {
  #states = new Uint8Array(1024);
  #positions = new Float64Array(1024);
  readonly #counts = new Float64Array(names.length);

  get(row: number): RowState {
    return names[this.#states[row] ?? 0] as RowState;
  }

  positionOf(row: number): number {
    return this.#positions[row] ?? 0;
  }

  set(row: number, state: RowState, position = 0): void {
    this.#grow(row);
    const before = this.#states[row] ?? 0;
    const after = names.indexOf(state);
    this.#counts[before] = (this.#counts[before] ?? 0) - 1;
    this.#counts[after] = (this.#counts[after] ?? 0) + 1;
    this.#states[row] = after;
    this.#positions[row] = position;
  }

  /** After a run was killed, nobody knows the outcome of the rows in progress. */
  markInterrupted(): void {
    for (const row of [...this.rowsIn('sending')]) this.set(row, 'unknown', this.positionOf(row));
  }

  /** All rows are pending at first, so the count of the pending ones is relative to `allRows`. */
  summarise(allRows: number): Summary {
    const counts = countedStates.map((state) => [state, this.#count(state)]);
    const { pending, ...others } = Object.fromEntries(counts) as Record<CountedState, number>;
    return { rows: allRows - this.#count('elsewhere'), ...others, pending: allRows + pending };
  }

  #count(state: RowState): number {
    return this.#counts[names.indexOf(state)] ?? 0;
  }

  *rowsIn(state: RowState): Generator<number> {
    for (let row = 1; row < this.#states.length; row += 1) {
      if (this.get(row) === state) yield row;
    }
  }

  #grow(row: number): void {
    const { length } = this.#states;
    if (row < length) return;
    const longer = Math.max(row + 1, 2 * length);
    const states = new Uint8Array(longer);
    states.set(this.#states);
    this.#states = states;
    const positions = new Float64Array(longer);
    positions.set(this.#positions);
    this.#positions = positions;
  }
}
