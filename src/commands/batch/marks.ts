import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import { fieldAt, fieldBelow, partsOf } from '../../api/schemaWalk.ts';
import type { Problem } from '../../batch/input/rows.ts';
import { JournalDetails } from '../../batch/journal/replay.ts';
import type { RowStates } from '../../batch/journal/rowStates.ts';
import { usageError } from '../../errors.ts';
import { type PathStep, parsePath } from '../../json/path.ts';
import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import { applyEdits } from '../../records/edit.ts';

/** The field of `--mark-field`: a list, or text that a row leaves empty. */
export class MarkField {
  readonly path: string;
  readonly #steps: readonly PathStep[];
  readonly #isList: boolean;

  constructor(path: string, schema: z.ZodMiniType) {
    this.path = path;
    this.#steps = parsePath(path);
    const field = fieldAt(schema, this.#steps);
    const types = partsOf(field).map(({ type }) => type);
    this.#isList = types.includes('array');
    const taken = this.#isList ? partsOf(fieldBelow(field, 0)).map(({ type }) => type) : types;
    const isText = taken.length === 0 || taken.some((type) => ['string', 'unknown'].includes(type));
    if (isText && this.#steps.every((step) => typeof step === 'string')) return;
    throw usageError(
      `--mark-field ${path}: the mark is text, which this field does not take`,
      'Use a list or a text field, such as tags or instructions.',
    );
  }

  #valueIn(record: JsonObject): Json | undefined {
    return this.#steps.reduce<Json | undefined>(
      (at, step) => (isObject(at) ? at.get(String(step)) : undefined),
      record,
    );
  }

  check(record: JsonObject): Problem[] {
    const value = this.#valueIn(record) ?? '';
    if (Array.isArray(value) || value === '') return [];
    const message = `${this.path}: already has a value, so it cannot take the mark of --mark-field`;
    return [{ field: this.path, message }];
  }

  add(record: JsonObject, mark: string): void {
    const value = this.#valueIn(record);
    const content = Array.isArray(value) ? [...value, mark] : this.#isList ? [mark] : mark;
    applyEdits(record, [{ kind: 'set', text: `${this.path}=`, content }]);
  }
}

/** When a run first used an input, and the hash of its rows: no other batch has the same. */
interface MarkedInput {
  at: string;
  hash: string;
}

/**
 * The marks of a batch's rows: `mar-x7k2p-17` is row 17. Row numbers are those of one version of the
 * input, and so is the part before them. A row that is sent again keeps its mark.
 */
export class RowMarks {
  readonly #field: MarkField;
  readonly #batch: string;
  readonly #kept = new Map<number, string>();

  constructor(field: MarkField, { at, hash: rows }: MarkedInput) {
    this.#field = field;
    const hash = createHash('sha256').update(`${at} ${rows}`).digest();
    this.#batch = hash.readUIntBE(0, 6).toString(36).slice(0, 5);
  }

  /** Finds the marks of pending rows that were sent before. */
  async keep(journal: { path: string; states: RowStates }, rows: number): Promise<this> {
    const details = new JournalDetails(journal.path, journal.states);
    try {
      for (let row = 1; row <= rows; row += 1) {
        if (journal.states.positionOf(row) === 0) continue;
        if (journal.states.get(row) !== 'pending') continue;
        const { mark } = await details.latestEvent(row);
        if (mark !== undefined) this.#kept.set(row, mark);
      }
    } finally {
      await details.close();
    }
    return this;
  }

  of = (row: number): string => this.#kept.get(row) ?? `mar-${this.#batch}-${row}`;

  add(record: JsonObject, row: number): void {
    this.#field.add(record, this.of(row));
  }
}
