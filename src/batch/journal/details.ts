import type { FileHandle } from 'node:fs/promises';
import { MarError } from '../../errors.ts';
import { openRegularFile } from '../../files/openRegularFile.ts';
import type { JournalEvent } from './events.ts';
import type { RowStates } from './states.ts';

/** Longer than nearly any line: only an id knows no bounds. */
const usualLineBytes = 4 * 1024;

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
    try {
      this.#handle ??= await openRegularFile(this.#path);
      return JSON.parse(await lineAt(this.#handle, place)) as JournalEvent;
    } catch (error) {
      // It was whole when it was read: something else changed it since.
      throw new MarError(
        'service',
        `cannot read row ${row} in the journal ${this.#path}: ${(error as Error).message}`,
        { cause: error },
      );
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

async function lineAt(handle: FileHandle, place: number): Promise<string> {
  for (let length = usualLineBytes; ; length *= 2) {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await handle.read({ buffer, position: place });
    const end = buffer.subarray(0, bytesRead).indexOf('\n');
    if (end >= 0 || bytesRead < length) {
      return buffer.toString('utf8', 0, end >= 0 ? end : bytesRead);
    }
  }
}
