import type * as Crypto from 'node:crypto';
import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../errors.ts';
import { appendToFile } from '../files/appendToFile.ts';
import { makeFolder } from '../files/makeFolder.ts';
import { readRegularFile } from '../files/readRegularFile.ts';
import { createFileSync, replaceFileSync } from '../files/replaceFile.ts';
import type { JsonObject } from '../json/value.ts';
import {
  type Fingerprint,
  Fingerprinter,
  readFingerprint,
  writeFingerprint,
} from './fingerprint.ts';

/** How many records are remembered, and how many states of each. */
const mostRecords = 1000;
const mostStates = 4;
const keyBytes = 32;

/** Which record it is, and who saw it: another account may see another part of it. */
export interface Whose {
  /** Its base URL. */
  service: string;
  email: string;
  resource: string;
  id: string;
}

/**
 * The records that were shown, as fingerprints: a file a record, to which a state is added in one
 * write, so that readers need no lock. All of it can be lost without harm but for the guard's.
 */
export class SeenRecords {
  readonly #folder: string;
  readonly #crypto: typeof Crypto;
  #made?: Fingerprinter;

  constructor(stateFolder: string, crypto: typeof Crypto) {
    this.#folder = path.join(stateFolder, 'fingerprints');
    this.#crypto = crypto;
  }

  /** Node's crypto takes 3 ms to load, so it is loaded here, after all that a user waits for. */
  static async open(stateFolder: string): Promise<SeenRecords> {
    return new SeenRecords(stateFolder, await import('node:crypto'));
  }

  get fingerprinter(): Fingerprinter {
    this.#made ??= new Fingerprinter(this.#crypto, this.#readKey());
    return this.#made;
  }

  /** The states in which a record was shown, oldest first. */
  of(whose: Whose): Fingerprint[] {
    return this.#lines(this.#fileOf(whose))
      .slice(-mostStates)
      .map(readFingerprint)
      .filter((fingerprint) => fingerprint !== undefined);
  }

  remember(whose: Whose, record: JsonObject): void {
    const line = writeFingerprint(this.fingerprinter.of(record));
    const file = this.#fileOf(whose);
    const known = this.#lines(file);
    if (known.at(-1) === line) return;
    if (known.length < 2 * mostStates) appendToFile(file, `\n${line}`);
    else replaceFileSync(file, [...known.slice(1 - mostStates), line].join('\n'));
    if (known.length === 0) this.#dropOldest();
  }

  #fileOf({ service, email, resource, id }: Whose): string {
    return path.join(this.#folder, this.fingerprinter.nameFor(service, email, resource, id));
  }

  #lines(file: string): string[] {
    const lines = readIfThere(file)?.split('\n') ?? [];
    return lines.filter((line) => line !== '');
  }

  #dropOldest(): void {
    const names = readdirSync(this.#folder).filter((name) => name !== 'key');
    if (names.length <= mostRecords) return;
    const files = names.map((name) => path.join(this.#folder, name));
    const byAge = files
      .map((file) => ({ file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => a.time - b.time);
    // Some more than need be, so that it is not done each time.
    for (const { file } of byAge.slice(0, names.length - mostRecords * 0.9)) {
      rmSync(file, { force: true });
    }
  }

  /** Where the folder cannot be used, a key for this run alone: nothing is remembered by it. */
  #readKey(): Buffer {
    try {
      return this.#keptKey();
    } catch {
      return this.#crypto.randomBytes(keyBytes);
    }
  }

  /** Made by whoever comes first, and whole from the start. One that is damaged is made anew. */
  #keptKey(): Buffer {
    const file = path.join(this.#folder, 'key');
    const known = readKeyFile(file);
    if (known) return known;
    makeFolder(this.#folder);
    chmodSync(this.#folder, 0o700);
    const key = this.#crypto.randomBytes(keyBytes);
    if (!createKeyFile(file, key) && !readKeyFile(file)) replaceFileSync(file, key.toString('hex'));
    return readKeyFile(file) ?? key;
  }
}

/** Returns false where another process was faster, or the file system has no hard links. */
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
