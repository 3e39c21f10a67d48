import { existsSync, lstatSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { MarError, usageError } from '../../errors.ts';
import { DurableFile, syncFolderOf } from '../../files/durableFile.ts';
import { replaceFile } from '../../files/replaceFile.ts';
import { systemReason } from '../../files/systemReason.ts';
import { ChecksumChain, type JournalEvent, type JournalHeader, stateAfter } from './format.ts';
import { keptInputPath } from './journalPaths.ts';
import { notAJournal, type ReplayedJournal } from './replay.ts';
import type { RowStates } from './rowStates.ts';

/** Keeps lines short. */
const maxMessageLength = 500;

/**
 * Records on the disk what happens to each row. A row is sent only after its `sending` event is on
 * the disk, so the next run always knows that it may have arrived.
 */
export class Journal {
  readonly path: string;
  readonly header: JournalHeader;
  readonly states: RowStates;
  readonly #file: DurableFile;
  readonly #chain: ChecksumChain;
  #hasSaved = false;
  #millisecond = 0;
  #time = '';

  private constructor(
    path: string,
    { header, states, chain }: Pick<ReplayedJournal, 'header' | 'states' | 'chain'>,
    file: DurableFile,
  ) {
    this.path = path;
    this.header = header;
    this.states = states;
    this.#file = file;
    this.#chain = chain;
  }

  /** The file gets its name once its header is complete, so a journal without one is damaged. */
  static async create(path: string, header: JournalHeader, states: RowStates): Promise<Journal> {
    try {
      // Reading found no journal, so this is a dangling link or another run's new journal.
      if (lstatSync(path, { throwIfNoEntry: false })) {
        throw usageError(
          `cannot write the journal ${path}: it leads to no file`,
          'nothing was sent',
        );
      }
      const chain = new ChecksumChain();
      const text = `${chain.seal(JSON.stringify(header).slice(0, -1))}\n`;
      await replaceFile(path, text, { sync: true });
      await syncFolderOf(path);
      const file = await DurableFile.open(path, Buffer.byteLength(text));
      return new Journal(path, { header, states, chain }, file);
    } catch (error) {
      throw journalError(path, error, 'nothing was sent');
    }
  }

  /** Continues after the last complete line. */
  static async resume(path: string, replayed: ReplayedJournal): Promise<Journal> {
    replayed.states.markInterrupted();
    try {
      const file = await DurableFile.open(path, replayed.size, replayed.file);
      if (replayed.lacksLineEnd) file.add('');
      return new Journal(path, replayed, file);
    } catch (error) {
      throw journalError(path, error, 'nothing was sent');
    }
  }

  /** Changes the row's state at once; `saved` waits until the event is on the disk. */
  append(event: Omit<JournalEvent, 'at'>): void {
    const { row, message } = event;
    const rest =
      message === undefined ? event : { ...event, message: message.slice(0, maxMessageLength) };
    const line = this.#chain.seal(`${JSON.stringify(rest).slice(0, -1)},"at":"${this.#now()}"`);
    this.states.set(row, stateAfter(event), this.#file.add(line));
  }

  /** Cached, since many events share one millisecond. */
  #now(): string {
    const now = Date.now();
    if (now !== this.#millisecond) {
      this.#millisecond = now;
      this.#time = new Date(now).toISOString();
    }
    return this.#time;
  }

  /** Resolves when all events so far are on the disk. */
  async saved(): Promise<void> {
    try {
      await this.#file.flushed();
      this.#hasSaved = true;
    } catch (error) {
      const { message } = journalError(this.path, error);
      if (!this.#hasSaved) throw usageError(message, 'nothing was sent');
      const hint = error instanceof MarError ? error.details.hint : undefined;
      throw new MarError('batch', message, {
        hint:
          hint ??
          'nothing more was sent; make room, then the same command goes on from here, and tells which rows are unknown',
        cause: error,
      });
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** Renames a journal and its copy of standard input, and returns the new path. */
export async function archiveJournal(path: string): Promise<string> {
  if (!statSync(path).isFile()) throw notAJournal(path);
  for (let number = 1; ; number += 1) {
    const old = `${path}.${number}`;
    if (existsSync(old)) continue;
    await rename(path, old);
    const input = keptInputPath(path);
    if (existsSync(input)) await rename(input, keptInputPath(old));
    return old;
  }
}

function journalError(path: string, error: unknown, hint?: string): MarError {
  if (error instanceof MarError) return error;
  return usageError(
    `cannot write the journal ${path}: ${systemReason(error)}`,
    [hint, 'name another place with --journal'].filter(Boolean).join('; '),
  );
}
