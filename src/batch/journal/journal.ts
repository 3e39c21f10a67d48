import { existsSync, lstatSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { MarError, usageError } from '../../errors.ts';
import { DurableFile, syncFolderOf } from '../../files/durableFile.ts';
import { replaceFile } from '../../files/replaceFile.ts';
import { systemReason } from '../../files/systemReason.ts';
import { keptInputOf } from '../journalPaths.ts';
import { type JournalEvent, type JournalHeader, LineChain, stateAfter } from './format.ts';
import { foreign, type Replayed } from './replay.ts';
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
  readonly #chain: LineChain;
  /** Whether anything can have been sent by this run. */
  #hasSent = false;
  #millisecond = 0;
  #time = '';

  private constructor(
    path: string,
    { header, states, chain }: Pick<Replayed, 'header' | 'states' | 'chain'>,
    file: DurableFile,
  ) {
    this.path = path;
    this.header = header;
    this.states = states;
    this.#file = file;
    this.#chain = chain;
  }

  /** Starts a journal. It takes its name with a whole header in it, so one without is damaged. */
  static async begin(path: string, header: JournalHeader, states: RowStates): Promise<Journal> {
    try {
      // It was not there when it was looked for: a link that leads nowhere, or another run's.
      if (lstatSync(path, { throwIfNoEntry: false })) {
        throw usageError(
          `cannot write the journal ${path}: it leads to no file`,
          'nothing was sent',
        );
      }
      const chain = new LineChain();
      const text = `${chain.seal(JSON.stringify(header).slice(0, -1))}\n`;
      await replaceFile(path, text, { sync: true });
      await syncFolderOf(path);
      const file = await DurableFile.open(path, Buffer.byteLength(text));
      return new Journal(path, { header, states, chain }, file);
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
      const file = await DurableFile.open(path, replayed.size, replayed.file);
      if (replayed.lacksLineEnd) file.add('');
      return new Journal(path, replayed, file);
    } catch (error) {
      throw journalError(path, error, 'nothing was sent');
    }
  }

  /** Notes what happened; it is known of at once, and on the disk when `saved` is kept. */
  note(event: Omit<JournalEvent, 'at'>): void {
    const { row, message } = event;
    const rest =
      message === undefined ? event : { ...event, message: message.slice(0, mostMessage) };
    const line = this.#chain.seal(`${JSON.stringify(rest).slice(0, -1)},"at":"${this.#now()}"`);
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
      const own = error instanceof MarError ? error.details.hint : undefined;
      throw new MarError('batch', message, {
        hint:
          own ??
          'nothing more was sent; make room, then the same command goes on from here, and tells which rows are unknown',
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
  if (!statSync(path).isFile()) throw foreign(path);
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
