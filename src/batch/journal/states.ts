/** What is known of a row. */
export type RowState =
  /** Not sent, or known never to have arrived. */
  | 'left'
  /** On its way; of a run that was killed, nobody knows. */
  | 'sending'
  | 'done'
  | 'failed'
  | 'unknown'
  /** Not sent, since there is something wrong with it. */
  | 'invalid';

/** A limit, so that a row number out of a damaged journal cannot take all memory. */
export const maxRows = 100_000_000;

const names: readonly RowState[] = ['left', 'sending', 'done', 'failed', 'unknown', 'invalid'];
const codes = Object.fromEntries(names.map((name, code) => [name, code])) as Record<
  RowState,
  number
>;

/** The state of each row, and where the journal tells more about it: nine bytes a row. */
export class RowStates {
  #states = new Uint8Array(1024);
  #places = new Float64Array(1024);
  readonly #counts = new Float64Array(names.length);

  get(row: number): RowState {
    return names[this.#states[row] ?? 0] as RowState;
  }

  /** Where the line begins that told the state; 0 when none did. */
  placeOf(row: number): number {
    return this.#places[row] ?? 0;
  }

  set(row: number, state: RowState, place = 0): void {
    this.#makeRoom(row);
    const before = this.#states[row] ?? 0;
    const after = codes[state];
    this.#counts[before] = (this.#counts[before] ?? 0) - 1;
    this.#counts[after] = (this.#counts[after] ?? 0) + 1;
    this.#states[row] = after;
    this.#places[row] = place;
  }

  /** How many rows are in a state. How many are left, only who knows how many there are can tell. */
  count(state: Exclude<RowState, 'left'>): number {
    return this.#counts[codes[state]] ?? 0;
  }

  *rowsIn(...states: readonly RowState[]): Generator<number> {
    for (let row = 1; row < this.#states.length; row += 1) {
      if (states.includes(this.get(row))) yield row;
    }
  }

  #makeRoom(row: number): void {
    const { length } = this.#states;
    if (row < length) return;
    const longer = Math.max(row + 1, 2 * length);
    const states = new Uint8Array(longer);
    states.set(this.#states);
    this.#states = states;
    const places = new Float64Array(longer);
    places.set(this.#places);
    this.#places = places;
  }
}
