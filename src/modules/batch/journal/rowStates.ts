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
  /** The rows of `=retry`, until somebody says what was created. */
  readonly retried = new Set<number>();
  readonly #states: Uint8Array;
  readonly #positions: Float64Array;

  constructor(rows: number) {
    this.rows = rows;
    this.#states = new Uint8Array(rows + 1);
    this.#positions = new Float64Array(rows + 1);
  }

  get(row: number): RowState {
    return names[this.#states[row] ?? 0] as RowState;
  }

  positionOf(row: number): number {
    return this.#positions[row] ?? 0;
  }

  set(row: number, state: RowState, position = 0): void {
    this.#states[row] = names.indexOf(state);
    this.#positions[row] = position;
  }

  /** After a run was killed, nobody knows the outcome of the rows in progress. */
  markInterrupted(): void {
    for (const row of [...this.rowsIn('sending')]) this.set(row, 'unknown', this.positionOf(row));
  }

  summarise(): Summary {
    return summaryOf(Array.from(this.rowsOfShard(), (row) => this.get(row)));
  }

  /** It may be there twice. */
  isResent(row: number): boolean {
    return this.retried.has(row) && !['pending', 'invalid'].includes(this.get(row));
  }

  resent(): number[] {
    return [...this.retried].filter((row) => this.isResent(row));
  }

  *rowsIn(state: RowState): Generator<number> {
    for (const row of this.rowsOfShard()) if (this.get(row) === state) yield row;
  }

  *rowsOfShard(): Generator<number> {
    for (let row = 1; row <= this.rows; row += 1) if (this.get(row) !== 'elsewhere') yield row;
  }
}

/** Counts the rows of one shard, or of several, by state. */
export function summaryOf(states: readonly RowState[]): Summary {
  const none = countedStates.map((state) => [state, 0]);
  const summary: Summary = { rows: states.length, ...Object.fromEntries(none) };
  for (const state of states) summary[state as CountedState] += 1;
  return summary;
}
