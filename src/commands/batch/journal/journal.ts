import { existsSync, lstatSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { MarError, usageError } from '../../../errors.ts';
import { type DurableFile, openDurableFile, syncFolderOf } from '../../../files/durableFile.ts';
import { replaceFile } from '../../../files/replaceFile.ts';
import { systemReason } from '../../../files/systemReason.ts';
import { printJson } from '../../../json/value.ts';
import { changeJson, type RecordChange } from '../../../records/recordChange.ts';
import {
  ChecksumChain,
  type InputFacts,
  type JournalEvent,
  type JournalHeader,
  journalVersion,
  keyParts,
  RecordIds,
  stateAfter,
} from './format.ts';
import { keptInputPath } from './journalPaths.ts';
import { notAJournal, type ReplayedJournal } from './replay.ts';
import type { KnownRows } from './rowMatcher.ts';
import type { RowStates } from './rowStates.ts';

const maxMessageLength = 500;

/**
 * Records on the disk what happens to each row. A row is sent only after its `sending` event is on
 * the disk, so the next run always knows that it may have arrived.
 */
export class Journal {
  readonly path: string;
  states: RowStates;
  readonly createdIds: RecordIds;
  readonly #file: DurableFile;
  readonly #chain: ChecksumChain;
  #hasSynced = false;

  private constructor(
    path: string,
    { states, chain, createdIds }: Pick<ReplayedJournal, 'states' | 'chain' | 'createdIds'>,
    file: DurableFile,
  ) {
    this.path = path;
    this.states = states;
    this.createdIds = createdIds;
    this.#file = file;
    this.#chain = chain;
  }

  /** The file gets its name once its header is complete, so a journal without one is damaged. */
  static async create(
    path: string,
    facts: Omit<JournalHeader, 'journal' | 'version' | 'keys'>,
    { states, keys }: Pick<KnownRows, 'states' | 'keys'>,
  ): Promise<Journal> {
    return nothingSent(path, async () => {
      // Reading found no journal, so this is a dangling link or another run's new journal.
      if (lstatSync(path, { throwIfNoEntry: false })) {
        const problem = `cannot write the journal ${path}: it is a broken link`;
        throw usageError(problem, 'Nothing was sent.');
      }
      const chain = new ChecksumChain();
      function* lines(): Generator<string> {
        const header = { journal: 'mar', version: journalVersion, ...facts };
        for (const line of inputLines(header, keys)) yield `${chain.seal(line)}\n`;
      }
      await replaceFile(path, lines(), { sync: true });
      await syncFolderOf(path);
      const file = await openDurableFile(path, statSync(path).size);
      return new Journal(path, { states, chain, createdIds: new RecordIds() }, file);
    });
  }

  static async resume(path: string, replayed: ReplayedJournal): Promise<Journal> {
    return nothingSent(path, async () => {
      const file = await openDurableFile(path, replayed.size, replayed.file);
      if (replayed.lacksLineEnd) file.add('');
      return new Journal(path, replayed, file);
    });
  }

  /** Records the rows of an edited input, and waits until they are on the disk. */
  async startInput(
    { states, keys }: Pick<KnownRows, 'states' | 'keys'>,
    facts: InputFacts,
  ): Promise<void> {
    this.states = states;
    await nothingSent(this.path, async () => {
      for (const line of inputLines({ event: 'input', ...facts }, keys)) {
        this.#file.add(this.#chain.seal(line));
        await this.#file.synced();
      }
    });
  }

  /** Writes an event; `synced` waits until it survives a power cut too. */
  append(event: JournalEntry, change?: RecordChange): void {
    const line = this.#chain.seal(jsonOf(event, change));
    this.states.set(event.row, stateAfter(event), this.#file.add(line));
    if (event.event === 'resolved' && event.id !== undefined) this.createdIds.add(event.id);
  }

  /**
   * The number of intents that share a sync. If a run is killed, a row that is recorded and not sent
   * yet counts as unknown, so a slow disk must not make that all of them.
   */
  set maxIntents(count: number) {
    this.#file.maxTogether = count;
  }

  /** Waits until the intent to send a row survives a power cut. It is written when its sync starts. */
  intend(event: JournalEntry, change?: RecordChange): Promise<void> {
    const json = jsonOf(event, change);
    return this.synced((position) => {
      this.states.set(event.row, stateAfter(event), position);
      return this.#chain.seal(json);
    });
  }

  async synced(lastLine?: (position: number) => string): Promise<void> {
    try {
      await this.#file.synced(lastLine);
      this.#hasSynced = true;
    } catch (error) {
      const { message } = journalError(this.path, error);
      if (!this.#hasSynced) throw usageError(message, 'Nothing was sent.');
      const hint = error instanceof MarError ? error.details.hint : undefined;
      throw new MarError('batch', message, {
        hint:
          hint ??
          'No more rows were sent. Free some space, then run the same command again: it resumes the batch and lists rows whose outcome is unknown.',
        cause: error,
      });
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

type JournalEntry = Omit<JournalEvent, 'at'>;

/** Without its closing brace. */
function jsonOf(entry: JournalEntry, change: RecordChange | undefined): string {
  const { row, event, id, status, as } = entry;
  const message = entry.message?.slice(0, maxMessageLength);
  const at = new Date().toISOString();
  const json = JSON.stringify({ row, event, id, status, message, as, at });
  const values = change === undefined ? '' : `,"change":${printJson(changeJson(change))}`;
  return json.slice(0, -1) + values;
}

/** Lines of JSON without their closing braces. */
function* inputLines(first: object, keys: readonly string[]): Generator<string> {
  let facts: object | undefined = first;
  for (const part of keyParts(keys)) {
    yield JSON.stringify({ ...facts, keys: part }).slice(0, -1);
    facts = undefined;
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

/** Work on a journal before the first row. */
const nothingSent = <Result>(path: string, work: () => Promise<Result>): Promise<Result> =>
  work().catch((error: unknown) => {
    throw journalError(path, error, 'Nothing was sent.');
  });

function journalError(path: string, error: unknown, hint?: string): MarError {
  if (error instanceof MarError) return error;
  return usageError(
    `cannot write the journal ${path}: ${systemReason(error)}`,
    [hint, 'Use --journal FILE to keep the journal somewhere else.'].filter(Boolean).join(' '),
  );
}
