import { hash, randomBytes } from 'node:crypto';
import { canonicalJson, isSame, type Json, type JsonObject } from '../json/value.ts';
import { bothAt, type Conflict, hasLeaves, type Leaf, leavesOf, valueAtSteps } from './merge.ts';
import { byId, isSameOrder } from './recordDiff.ts';

/** Long enough to tell the fields of one record apart, and the values of one field. */
const nameBytes = 6;
const valueBytes = 9;
const nameLength = (nameBytes / 3) * 4;
const entryLength = ((nameBytes + valueBytes) / 3) * 4;
const saltLength = 16;

/** A record without its content: hashes of its fields' values by hashes of their names. */
export class Fingerprint {
  readonly salt: string;
  readonly #values: ReadonlyMap<string, string>;

  constructor(salt: string, values: ReadonlyMap<string, string>) {
    this.salt = salt;
    this.#values = values;
  }

  /** The salt keeps the same value from having the same hash in two fingerprints. */
  static of(record: JsonObject, salt = randomBytes(12).toString('base64url')): Fingerprint {
    const hashes = [...leavesOf(record)].map(
      ([name, { value }]) => [hashName(salt, name), hashValue(salt, name, value)] as const,
    );
    return new Fingerprint(salt, new Map(hashes));
  }

  /** Undefined for a text that `toString` did not make. */
  static parse(text: string): Fingerprint | undefined {
    const [salt, entries] = [text.slice(0, saltLength), text.slice(saltLength)];
    if (entries.length % entryLength !== 0 || !/^[\w-]+$/.test(text)) return undefined;
    const parts = entries.match(new RegExp(`.{${entryLength}}`, 'g')) ?? [];
    const values = parts.map(
      (part) => [part.slice(0, nameLength), part.slice(nameLength)] as const,
    );
    return new Fingerprint(salt, new Map(values));
  }

  toString(): string {
    return this.salt + [...this.#values].map(([name, value]) => name + value).join('');
  }

  isOf(record: JsonObject): boolean {
    return String(Fingerprint.of(record, this.salt)) === String(this);
  }

  /** How many values it has in common with a record. */
  likeness(record: JsonObject): number {
    return [...leavesOf(record)].filter(([name, { value }]) => this.#has(name, value)).length;
  }

  /**
   * Fields that changed since the record was shown and that my record would overwrite: with another
   * value, by leaving them out, or by restoring what was removed.
   */
  overwritten(mine: JsonObject, theirs: JsonObject): Conflict[] {
    const changed = [...leavesOf(theirs)].filter(([name, { value }]) => !this.#has(name, value));
    const overwritten = changed.filter(([, leaf]) => !isKept(leaf, mine));
    const broughtBack = [...leavesOf(mine)].filter(
      ([name, { steps }]) =>
        valueAtSteps(theirs, steps) === undefined && this.#values.has(hashName(this.salt, name)),
    );
    const leaves = [...overwritten, ...broughtBack];
    const conflicts = leaves.map(([, leaf]) => conflictAt(leaf, mine, theirs));
    return [...new Map(conflicts.map((conflict) => [conflict.path, conflict])).values()];
  }

  #has(name: string, value: Json): boolean {
    return this.#values.get(hashName(this.salt, name)) === hashValue(this.salt, name, value);
  }
}

const hashName = (salt: string, name: string) => shortHash(nameBytes, salt, name);

const hashValue = (salt: string, name: string, value: Json) =>
  shortHash(valueBytes, salt, name, canonicalJson(value));

const shortHash = (bytes: number, ...parts: string[]) =>
  hash('sha256', JSON.stringify(parts), 'buffer').subarray(0, bytes).toString('base64url');

function isKept({ steps, value, orderBy }: Leaf, mine: JsonObject): boolean {
  const own = valueAtSteps(mine, steps);
  if (orderBy) {
    // Elements that only one side has are leaves of their own.
    const theirIds = new Map((value as string[]).map((id) => [id, null]));
    return !Array.isArray(own) || isSameOrder(byId(own, orderBy), theirIds);
  }
  // Values that they removed and I would restore are found among my own leaves.
  const isEmpty = isSame(value, []) || isSame(value, new Map());
  return isSame(own, value) || (isEmpty && hasLeaves(own));
}

function conflictAt({ steps, path, value, orderBy }: Leaf, mine: JsonObject, theirs: JsonObject) {
  if (!orderBy) return bothAt(steps, mine, theirs);
  const own = byId((valueAtSteps(mine, steps) ?? []) as Json[], orderBy);
  return { path, mine: [...own.keys()], theirs: value };
}
