import { type FileHandle, open } from 'node:fs/promises';
import type { JournalEvent } from './events.ts';
import type { RowStates } from './states.ts';

/** Longer than any line. */
const mostLineBytes = 16 * 1024;

/** What a journal says of single rows, read when it is asked for. */
export class JournalDetails {
  readonly #path: string;
  readonly #states: RowStates;
  #handle?: FileHandle;

  constructor(path: string, states: RowStates) {
    this.#path = path;
    this.#states = states;
  }

  async of(row: number): Promise<Partial<JournalEvent>> {
    const place = this.#states.placeOf(row);
    if (place === 0) return {};
    this.#handle ??= await open(this.#path, 'r');
    const { buffer, bytesRead } = await this.#handle.read({
      buffer: Buffer.alloc(mostLineBytes),
      position: place,
    });
    const [line = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1);
    return JSON.parse(line) as JournalEvent;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}
