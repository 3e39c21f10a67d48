import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { MarError, usageError } from '../../errors.ts';
import { systemReason } from '../../files/systemReason.ts';
import { keptInputOf } from '../places.ts';
import { DurableFile, syncFolderOf } from './durableFile.ts';
import { type JournalEvent, type JournalHeader, stateAfter } from './events.ts';
import type { Replayed } from './replay.ts';
import type { RowStates } from './states.ts';

/** So that a line stays short. */
const mostMessage = 500;

/**
 * What happened to each row, in the order it happened. A row is sent only once the journal says so
 * on the disk: whatever happens then, the next run knows that it may have arrived.
 */
export class Journal {
  readonly path: string;
  readonly header: JournalHeader;
  readonly states: RowStates;
  readonly #file: DurableFile;
  /** Whether anything can have been sent by this run. */
  #hasSent = false;
  #millisecond = 0;
  #time = '';

  private constructor(path: string, { header, states }: Replayed, file: DurableFile) {
    this.path = path;
    this.header = header;
    this.states = states;
    this.#file = file;
  }

  /** Begins a journal. */
  static async begin(path: string, header: JournalHeader, states: RowStates): Promise<Journal> {
    try {
      // What is there now has not even a whole header.
      if (existsSync(path)) await rename(path, `${path}.torn`);
      const file = await DurableFile.open(path, 0);
      file.add(JSON.stringify(header));
      await file.flushed();
      await syncFolderOf(path);
      return new Journal(path, { header, states, size: 0 }, file);
    } catch (error) {
      throw journalError(path, error, 'nothing was sent');
    }
  }

  /** Goes on with a journal, behind its last whole line. */
  static async goOn(path: string, replayed: Replayed): Promise<Journal> {
    const { states } = replayed;
    // What was under way when a run was killed: nobody knows.
    for (const row of [...states.rowsIn('sending')]) {
      states.set(row, 'unknown', states.placeOf(row));
    }
    try {
      return new Journal(path, replayed, await DurableFile.open(path, replayed.size));
    } catch (error) {
      throw journalError(path, error, 'nothing was sent');
    }
  }

  /** Notes what happened; it is known of at once, and on the disk when `saved` is kept. */
  note(event: Omit<JournalEvent, 'at'>): void {
    const { row, message } = event;
    const rest =
      message === undefined ? event : { ...event, message: message.slice(0, mostMessage) };
    const line = `${JSON.stringify(rest).slice(0, -1)},"at":"${this.#now()}"}`;
    this.states.set(row, stateAfter(event), this.#file.add(line));
  }

  /** Many events fall into one millisecond. */
  #now(): string {
    const now = Date.now();
    if (now !== this.#millisecond) {
      this.#millisecond = now;
      this.#time = new Date(now).toISOString();
    }
    return this.#time;
  }

  /** All that was noted is on the disk. */
  async saved(): Promise<void> {
    try {
      await this.#file.flushed();
      this.#hasSent = true;
    } catch (error) {
      const { message } = journalError(this.path, error);
      if (!this.#hasSent) throw usageError(message, 'nothing was sent');
      throw new MarError('batch', message, {
        hint: 'nothing more was sent; make room, then the same command goes on from here, and tells which rows are unknown',
        cause: error,
      });
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** Moves a journal out of the way, with the input that is kept for it, and says where to. */
export async function setAside(path: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const old = `${path}.${number}`;
    if (existsSync(old)) continue;
    await rename(path, old);
    const input = keptInputOf(path);
    if (existsSync(input)) await rename(input, keptInputOf(old));
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
