import type * as Crypto from 'node:crypto';
import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../errors.ts';
import { makeFolder } from '../files/makeFolder.ts';
import { appendToFile, readRegularFile } from '../files/regularFile.ts';
import { createFileSync, replaceFileSync } from '../files/replaceFile.ts';
import { isObject, isSame, type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import { bothAt, type Conflict, hasLeaves, type Leaf, leavesOf, valueAtSteps } from './merge.ts';
import { byId, isSameOrder } from './recordDiff.ts';

const maxRecords = 1000;
const maxStates = 4;
const keyBytes = 32;

/** A record as one account sees it: another account may see other fields. */
export interface RecordKey {
  service: string;
  email: string;
  resource: string;
  id: string;
}

/**
 * Fingerprints of the records that were shown, one file per record. Each state is appended in one
 * write, so readers need no lock. Losing the files only weakens the guard of later writes.
 */
export class SeenRecords {
  readonly #folder: string;
  readonly #crypto: typeof Crypto;
  #made?: Fingerprinter;

  constructor(stateFolder: string, crypto: typeof Crypto) {
    this.#folder = path.join(stateFolder, 'fingerprints');
    this.#crypto = crypto;
  }

  /** Loads node:crypto late, because it takes 3 ms: after the output is written. */
  static async open(stateFolder: string): Promise<SeenRecords> {
    return new SeenRecords(stateFolder, await import('node:crypto'));
  }

  get fingerprinter(): Fingerprinter {
    this.#made ??= new Fingerprinter(this.#crypto, this.#readKey());
    return this.#made;
  }

  statesOf(key: RecordKey): Fingerprint[] {
    const lines = this.#lines(this.#fileOf(key)).slice(-maxStates);
    return lines.flatMap((line) => readFingerprint(line) ?? []);
  }

  remember(key: RecordKey, record: JsonObject): void {
    const line = writeFingerprint(this.fingerprinter.of(record));
    const file = this.#fileOf(key);
    const known = this.#lines(file);
    if (known.at(-1) === line) return;
    if (known.length < 2 * maxStates) appendToFile(file, `\n${line}`);
    else replaceFileSync(file, [...known.slice(1 - maxStates), line].join('\n'));
    if (known.length === 0) this.#dropOldest();
  }

  #fileOf({ service, email, resource, id }: RecordKey): string {
    return path.join(this.#folder, this.fingerprinter.nameFor(service, email, resource, id));
  }

  #lines(file: string): string[] {
    return (readIfThere(file) ?? '').split('\n').filter((line) => line !== '');
  }

  #dropOldest(): void {
    const names = readdirSync(this.#folder).filter((name) => name !== 'key');
    if (names.length <= maxRecords) return;
    const byAge = names
      .map((name) => path.join(this.#folder, name))
      .map((file) => ({ file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => a.time - b.time);
    // Removes some more than needed, so that it is rarely done.
    for (const { file } of byAge.slice(0, names.length - maxRecords * 0.9)) {
      rmSync(file, { force: true });
    }
  }

  /** The first process creates the key atomically. A damaged key is replaced. */
  #readKey(): Buffer {
    const file = path.join(this.#folder, 'key');
    const key = this.#crypto.randomBytes(keyBytes);
    try {
      const known = readKeyFile(file);
      if (known) return known;
      makeFolder(this.#folder);
      chmodSync(this.#folder, 0o700);
      const isReadable = createKeyFile(file, key) || readKeyFile(file);
      if (!isReadable) replaceFileSync(file, key.toString('hex'));
      return readKeyFile(file) ?? key;
    } catch {
      // The folder cannot be used. Nothing is remembered, so a key for this run is enough.
      return key;
    }
  }
}

/** Returns false if another process was faster, or the file system has no hard links. */
function createKeyFile(file: string, key: Buffer): boolean {
  try {
    return createFileSync(file, key.toString('hex'));
  } catch {
    return false;
  }
}

function readKeyFile(file: string): Buffer | undefined {
  const key = Buffer.from(readIfThere(file) ?? '', 'hex');
  return key.length === keyBytes ? key : undefined;
}

function readIfThere(file: string): string | undefined {
  try {
    return readRegularFile(file).toString();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Long enough to tell the fields of one record apart, and the values of one field. */
const nameBytes = 6;
const valueBytes = 9;
const entryLength = ((nameBytes + valueBytes) / 3) * 4;

/** A record without its content: hashes of its fields' values by hashes of their names. */
export type Fingerprint = ReadonlyMap<string, string>;

/** Makes and compares fingerprints. Without the key, nobody can test guesses on them. */
export class Fingerprinter {
  readonly #crypto: typeof Crypto;
  readonly #key: Buffer;

  constructor(crypto: typeof Crypto, key: Buffer) {
    this.#crypto = crypto;
    this.#key = key;
  }

  of(record: JsonObject): Fingerprint {
    const leaves = [...leavesOf(record)];
    return new Map(leaves.map(([name, { value }]) => [this.#name(name), this.#value(name, value)]));
  }

  /** A file name that does not reveal the record. */
  nameFor(...parts: string[]): string {
    return this.#hash('record', ...parts).toString('hex', 0, 16);
  }

  /**
   * Fields that changed since the record was shown and that my record would overwrite: with another
   * value, by leaving them out, or by restoring what was removed.
   */
  overwritten(seen: Fingerprint, mine: JsonObject, theirs: JsonObject): Conflict[] {
    const changed = [...leavesOf(theirs)].filter(
      ([name, { value }]) => seen.get(this.#name(name)) !== this.#value(name, value),
    );
    const overwritten = changed.filter(([, leaf]) => !isKept(leaf, mine));
    const broughtBack = [...leavesOf(mine)].filter(
      ([name, { steps }]) =>
        valueAtSteps(theirs, steps) === undefined && seen.has(this.#name(name)),
    );
    const leaves = [...overwritten, ...broughtBack];
    const conflicts = leaves.map(([, leaf]) => conflictAt(leaf, mine, theirs));
    return [...new Map(conflicts.map((conflict) => [conflict.path, conflict])).values()];
  }

  /** The fingerprint that a record was most likely made from; of equal ones, the newest. */
  closest(seen: readonly Fingerprint[], record: JsonObject): Fingerprint {
    const own = [...this.of(record)];
    const likeness = (one: Fingerprint) =>
      own.filter(([name, value]) => one.get(name) === value).length;
    return seen.reduce((best, one) => (likeness(best) > likeness(one) ? best : one));
  }

  #name = (name: string) => this.#hash('name', name).subarray(0, nameBytes).toString('base64url');

  #value = (name: string, value: Json) =>
    this.#hash('value', name, canonical(value)).subarray(0, valueBytes).toString('base64url');

  #hash(...parts: string[]): Buffer {
    const hmac = this.#crypto.createHmac('sha256', this.#key);
    return hmac.update(JSON.stringify(parts)).digest();
  }
}

const writeFingerprint = (fingerprint: Fingerprint): string =>
  [...fingerprint].map(([name, value]) => name + value).join('');

function readFingerprint(line: string): Fingerprint | undefined {
  if (line.length % entryLength !== 0 || !/^[\w-]+$/.test(line)) return undefined;
  const entries = line.match(new RegExp(`.{${entryLength}}`, 'g')) ?? [];
  const nameLength = (nameBytes / 3) * 4;
  return new Map(entries.map((entry) => [entry.slice(0, nameLength), entry.slice(nameLength)]));
}

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

/** Equal values give equal strings: keys are sorted. */
function canonical(json: Json): string {
  if (json instanceof JsonNumber) return json.source;
  if (Array.isArray(json)) return `[${json.map(canonical).join(',')}]`;
  if (!isObject(json)) return JSON.stringify(json);
  const fields = [...json].map(([key, value]) => `${JSON.stringify(key)}:${canonical(value)}`);
  return `{${fields.sort().join(',')}}`;
}
