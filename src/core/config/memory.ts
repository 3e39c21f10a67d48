import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { MarError, orUndefined, systemCode } from '../errors.ts';
import { makeFolder } from '../files/makeFolder.ts';
import { appendToFile, readRegularFile } from '../files/regularFile.ts';
import { fileNameOf } from './folders.ts';

/** Something that this machine remembers: a used id, the name of a user, a value that was seen. */
export interface Entry {
  kind: string;
  id: string;
  text: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** The account and the service that entries belong to. */
export interface Account {
  baseUrl: URL;
  email: string;
}

/** The newest entries of each kind are kept, and more of those that `today` needs. */
const maxPerKind = 1000;
const roomyKinds = new Set(['Tracked', 'Look', 'Mark']);
const maxPerRoomyKind = 4000;
/** The file is rewritten whenever it grows past a multiple of this. */
const compactEvery = 64 * 1024;

const folderIn = (stateFolder: string) => path.join(stateFolder, 'memory');

/** Forgets everything, of all accounts. */
export function forgetAll(stateFolder: string): void {
  try {
    rmSync(folderIn(stateFolder), { recursive: true, force: true });
  } catch (error) {
    // Without a folder, there is nothing to forget.
    if (systemCode(error) !== 'ENOTDIR') throw error;
  }
}

/**
 * Remembers entries in one file for each base URL and account, one line for each entry. New lines are
 * appended without a lock. To remove old lines, the file is renamed first and its newest entries are
 * appended to a new file, so that no other process loses a line.
 */
export class Memory {
  readonly #file: string;
  readonly #old: string;
  readonly isDisabled: boolean;

  /** A memory that `isDisabled` has no entries and takes none. */
  constructor(stateFolder: string, { baseUrl, email }: Account, { isDisabled = false } = {}) {
    this.isDisabled = isDisabled;
    const name = fileNameOf(`${baseUrl.host}${baseUrl.pathname} ${email.toLowerCase()}`);
    this.#file = path.join(folderIn(stateFolder), name);
    this.#old = `${this.#file}.old`;
  }

  /** From the newest to the oldest; each id of a kind once. */
  entries(...kinds: readonly string[]): Entry[] {
    if (this.isDisabled) return [];
    const starts = kinds.map((kind) => `[${JSON.stringify(kind)},`);
    const isWanted = (line: string) => starts.some((start) => line.startsWith(start));
    return newest([this.#old, this.#file].flatMap(linesOf).filter(isWanted));
  }

  /**
   * Entries are of this moment, unless they have a time. A full disk or a read-only folder must not
   * fail a command that did its work.
   */
  async add(entries: readonly (Pick<Entry, 'kind' | 'id'> & Partial<Entry>)[]): Promise<void> {
    if (this.isDisabled || entries.length === 0) return;
    const defaults = { text: '', at: Date.now() };
    try {
      const text = entries.map((entry) => lineOf({ ...defaults, ...entry })).join('');
      const size = this.#append(text);
      const before = size - Buffer.byteLength(text);
      if (Math.floor(before / compactEvery) < Math.floor(size / compactEvery)) {
        await this.#compact();
      }
    } catch (error) {
      if (!(error instanceof MarError) && systemCode(error) === undefined) throw error;
    }
  }

  async forget(kinds: readonly string[], ids: readonly string[]): Promise<void> {
    await this.add(kinds.flatMap((kind) => ids.map((id) => ({ kind, id, text: forgotten }))));
  }

  /** Returns the new size. */
  #append(text: string): number {
    if (!existsSync(this.#file)) makeFolder(path.dirname(this.#file));
    for (;;) {
      const { ino, size } = appendToFile(this.#file, text);
      // Another process may have renamed the file meanwhile, and read it before this line was there.
      if (statSync(this.#file, { throwIfNoEntry: false })?.ino === ino) return size;
    }
  }

  /** The old file stays until its entries are in the new one: a process that is killed loses nothing. */
  async #compact(): Promise<void> {
    const { withLock } = await import('../files/lock.ts');
    await withLock(`${this.#file}.lock`, async () => {
      if (!existsSync(this.#old)) renameSync(this.#file, this.#old);
      this.#append(newest(linesOf(this.#old)).reverse().map(lineOf).join(''));
      rmSync(this.#old, { force: true });
    });
  }
}

/** In place of the text: the id was removed. No text has it, since texts are made safe to print. */
const forgotten = '\u0000';

const lineOf = ({ kind, id, text, at }: Entry) => `${JSON.stringify([kind, id, text, at])}\n`;

/** Each id of a kind once, and as many of a kind as are kept. */
function newest(lines: readonly string[]): Entry[] {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const found: Entry[] = [];
  // If entries have the same time, the last line is the newest.
  const byTime = lines.flatMap(parseLine).reverse();
  for (const entry of byTime.sort((a, b) => b.at - a.at)) {
    const key = JSON.stringify([entry.kind, entry.id]);
    const count = counts.get(entry.kind) ?? 0;
    const max = roomyKinds.has(entry.kind) ? maxPerRoomyKind : maxPerKind;
    if (seen.has(key) || count >= max) continue;
    seen.add(key);
    if (entry.text === forgotten) continue;
    counts.set(entry.kind, count + 1);
    found.push(entry);
  }
  return found;
}

const linesOf = (file: string): string[] =>
  orUndefined(() => readRegularFile(file).toString().split('\n')) ?? [];

/** A power cut may leave a part of a line, which is no JSON. */
function parseLine(line: string): Entry[] {
  const parts: unknown = orUndefined(() => JSON.parse(line));
  if (!Array.isArray(parts) || parts.length !== 4) return [];
  const [kind, id, text, at] = parts;
  return [{ kind, id, text, at }];
}
