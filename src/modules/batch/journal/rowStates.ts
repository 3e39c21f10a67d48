/** The states of the rows of a shard, in the order of a summary. */
export const countedStates = [
  'done',
  // The record already had the values, or the order was placed before: nothing was written.
  'unchanged',
  // Another version of the row was ordered before, so nothing was sent.
  'changed',
  'failed',
  // Somebody else changed the record, so nothing was written.
  'conflict',
  'unknown',
  'invalid',
  'sending',
  // Not sent, or known never to have arrived.
  'pending',
] as const;

export type CountedState = (typeof countedStates)[number];
/** `elsewhere`: the row belongs to another shard. */
export type RowState = CountedState | 'elsewhere';

/** The index is the code of the state in memory: 0 is pending. */
const names: readonly RowState[] = [...countedStates.toReversed(), 'elsewhere'];

/** Without the rows of other shards. */
export interface Summary extends Record<CountedState, number> {
  rows: number;
}

/** The state of each row and the position of its line in the journal, in nine bytes a row. */
export class RowStates {
  /** Counts the whole input, not only one shard. */
  readonly rows: number;
  readonly #states: Uint8Array;
  readonly #positions: Float64Array;
  readonly #counts = new Float64Array(names.length);

  constructor(rows: number) {
    this.rows = rows;
    this.#states = new Uint8Array(rows + 1);
    this.#positions = new Float64Array(rows + 1);
    this.#counts[0] = rows;
  }

  get(row: number): RowState {
    return names[this.#states[row] ?? 0] as RowState;
  }

  positionOf(row: number): number {
    return this.#positions[row] ?? 0;
  }

  set(row: number, state: RowState, position = 0): void {
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

  summarise(): Summary {
    const counts = countedStates.map((state) => [state, this.#count(state)]);
    return { rows: this.rows - this.#count('elsewhere'), ...Object.fromEntries(counts) };
  }

  #count(state: RowState): number {
    return this.#counts[names.indexOf(state)] ?? 0;
  }

  *rowsIn(state: RowState): Generator<number> {
    for (const row of this.rowsOfShard()) if (this.get(row) === state) yield row;
  }

  *rowsOfShard(): Generator<number> {
    for (let row = 1; row <= this.rows; row += 1) if (this.get(row) !== 'elsewhere') yield row;
  }
}
