import type { JsonObject } from '../../json/value.ts';
import type { Row } from './input/row.ts';
import { keyOf, keyOfRecord } from './input/rowKey.ts';
import type { Problem, RowRules } from './input/rows.ts';
import type { BatchSettings } from './settings.ts';

/**
 * Finds rows that would send the same record as a row before them: an order that is placed twice.
 * Other PUTs than those of events only write the same record twice.
 */
export class EqualRows {
  readonly #isWanted: boolean;
  /** The first row of each key. */
  readonly #rows = new Map<string, number>();
  readonly #lines: number[] = [];
  #hasUnchecked = false;
  /** One more line for a hint, if there are duplicates. */
  hint = '';

  constructor({ allowDuplicates }: BatchSettings, { endpoint }: RowRules) {
    this.#isWanted =
      !allowDuplicates && (endpoint.method === 'POST' || endpoint.resource === 'Event');
  }

  /** Takes a row that is done, or in another shard. Its record is not read, so its key has to do. */
  addUnchecked({ number, line }: Row, key: string): void {
    if (!this.#isWanted) return;
    this.#hasUnchecked = true;
    this.#firstWith(key, number, line);
  }

  /** A row that `isAccepted` was checked when the batch was started. */
  problemsWith({ number, line, original }: Row, record: JsonObject, isAccepted = false): Problem[] {
    if (!this.#isWanted) return [];
    const sent = this.#hasUnchecked ? this.#rows.get(keyOf(original)) : undefined;
    const first = sent ?? this.#firstWith(keyOfRecord(record), number, line);
    if (first === number || isAccepted) return [];
    this.hint = '\nTo send the duplicates too, use --allow-duplicates.';
    return [{ message: `duplicate of row ${first} (line ${this.#lines[first]})` }];
  }

  #firstWith(key: string, number: number, line: number): number {
    const first = this.#rows.get(key);
    if (first !== undefined) return first;
    this.#rows.set(key, number);
    this.#lines[number] = line;
    return number;
  }
}
