import type * as Crypto from 'node:crypto';
import { extendPath } from '../json/path.ts';
import { isObject, isSame, type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import type { Conflict } from './merge.ts';

/** Enough of a hash to tell fields of one record apart, and values of one field. */
const nameBytes = 6;
const valueBytes = 9;
const entryLength = ((nameBytes + valueBytes) / 3) * 4;

/** What a record was like when it was shown: a hash for each field's name and value, no content. */
export type Fingerprint = ReadonlyMap<string, string>;

interface Leaf {
  path: string;
  value: Json;
}

/** Makes and compares fingerprints. Without the key, nothing can be guessed and tried on them. */
export class Fingerprinter {
  readonly #crypto: typeof Crypto;
  readonly #key: Buffer;

  constructor(crypto: typeof Crypto, key: Buffer) {
    this.#crypto = crypto;
    this.#key = key;
  }

  of(record: JsonObject): Fingerprint {
    return new Map(
      [...leavesOf(record)].map(([name, { value }]) => [
        this.#name(name),
        this.#value(name, value),
      ]),
    );
  }

  /** A name for what is not to be read off a file's name. */
  nameFor(...parts: string[]): string {
    return this.#hash('file', ...parts)
      .toString('hex')
      .slice(0, 32);
  }

  /**
   * Fields that are not what they were when the record was shown, and that my record would
   * overwrite: with another value, by leaving them out, or by bringing back what was removed.
   */
  overwritten(seen: Fingerprint, mine: JsonObject, theirs: JsonObject): Conflict[] {
    const [my, their] = [leavesOf(mine), leavesOf(theirs)];
    const changed = [...their].filter(
      ([name, { value }]) => seen.get(this.#name(name)) !== this.#value(name, value),
    );
    const overwritten = changed
      .map(([name, leaf]) => ({ path: leaf.path, mine: my.get(name)?.value, theirs: leaf.value }))
      .filter((conflict) => !isSame(conflict.mine, conflict.theirs));
    const removed = [...my].filter(([name]) => !their.has(name) && seen.has(this.#name(name)));
    const broughtBack = removed.map(([, { path, value }]) => ({ path, mine: value }));
    return [...overwritten, ...broughtBack];
  }

  /** Of several fingerprints, oldest first, the one that a record was most likely made from. */
  closest(seen: readonly Fingerprint[], record: JsonObject): Fingerprint | undefined {
    const own = this.of(record);
    const likeness = (one: Fingerprint) =>
      [...own].filter(([name, value]) => one.get(name) === value).length;
    return seen.reduce<Fingerprint | undefined>(
      (best, one) => (best && likeness(best) > likeness(one) ? best : one),
      undefined,
    );
  }

  #name = (name: string) => this.#hash('name', name).subarray(0, nameBytes).toString('base64url');

  #value = (name: string, value: Json) =>
    this.#hash('value', name, canonical(value)).subarray(0, valueBytes).toString('base64url');

  #hash(...parts: string[]): Buffer {
    const hmac = this.#crypto.createHmac('sha256', this.#key);
    return hmac.update(JSON.stringify(parts)).digest();
  }
}

/** On one line, for a file. */
export const writeFingerprint = (fingerprint: Fingerprint): string =>
  [...fingerprint].map(([name, value]) => name + value).join('');

/** Undefined for a line that is not whole. */
export function readFingerprint(line: string): Fingerprint | undefined {
  if (line.length % entryLength !== 0 || !/^[\w-]+$/.test(line)) return undefined;
  const entries = line.match(new RegExp(`.{${entryLength}}`, 'g')) ?? [];
  const nameLength = (nameBytes / 3) * 4;
  return new Map(entries.map((entry) => [entry.slice(0, nameLength), entry.slice(nameLength)]));
}

/** Every field that holds no fields of its own. An array is one: its elements change places. */
function leavesOf(record: JsonObject): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const visit = (object: JsonObject, path: string, steps: readonly string[]) => {
    for (const [key, value] of object) {
      const [place, all] = [extendPath(path, key), [...steps, key]];
      if (isObject(value) && value.size > 0) visit(value, place, all);
      else leaves.set(JSON.stringify(all), { path: place, value });
    }
  };
  visit(record, '', []);
  return leaves;
}

/** One text for all that is the same: keys are in order. */
function canonical(json: Json): string {
  if (json instanceof JsonNumber) return json.source;
  if (Array.isArray(json)) return `[${json.map(canonical).join(',')}]`;
  if (!isObject(json)) return JSON.stringify(json);
  const fields = [...json].map(([key, value]) => `${JSON.stringify(key)}:${canonical(value)}`);
  return `{${fields.sort().join(',')}}`;
}
