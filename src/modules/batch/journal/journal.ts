import { existsSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { MarError, onCommandLine, usageError } from '../../../core/errors.ts';
import { acquireLock, type Lock, lockHolder } from '../../../core/files/lock.ts';
import { resolveLinks } from '../../../core/files/paths.ts';
import { createLog, LogWriter, noLog } from '../../../core/log/logFile.ts';
import { lineWith, type RecordChange } from '../../../core/records/recordChange.ts';
import {
  type InputFacts,
  inputLine,
  type JournalEvent,
  type JournalHeader,
  journalKind,
  stateAfter,
} from './format.ts';
import { keptInputPath } from './journalPaths.ts';
import type { ReplayedJournal } from './replay.ts';
import type { KnownRows } from './rowMatcher.ts';

/** Locks a journal: two runs of one batch at a time would send rows twice. */
export const lockJournal = (journal: string): Promise<Lock> =>
  acquireLock(lockPath(journal), 'this batch is already running', {
    hint: onCommandLine(
      'Nothing was sent. Use --journal FILE with a file in a folder that exists and is writable.',
    ),
  });

/** The process that runs the batch of a journal. */
export const journalHolder = (journal: string) => lockHolder(lockPath(journal));

/** Resolves links, so that every name of a journal leads to one lock. */
const lockPath = (journal: string) => `${resolveLinks(journal)}.lock`;

export async function createJournal(
  path: string,
  facts: Omit<JournalHeader, 'journal' | 'version' | 'keys'>,
  { states, keys }: InputRows,
  lock: Lock,
): Promise<Journal> {
  const header = { journal: 'mar', version: journalKind.version, ...facts };
  const end = await createLog(path, journalKind, inputLine(header, keys));
  const file = new LogWriter(path, journalKind, end, lock);
  return journalIn(file, { path, id: facts.id, states, createdIds: new Set() });
}

export function resumeJournal(replayed: ReplayedJournal, lock: Lock): Journal {
  const file = new LogWriter(replayed.path, journalKind, replayed.end, lock);
  return journalIn(file, { ...replayed, id: replayed.header.id });
}

export type Journal = ReturnType<typeof journalIn>;

type InputRows = Pick<KnownRows, 'states' | 'keys'>;
type JournalStart = Pick<ReplayedJournal, 'path' | 'states' | 'createdIds'> & { id: string };

/**
 * Records on the disk what happens to each row. A row is sent only after its `sending` event is on
 * the disk, so the next run always knows that it may have arrived.
 */
function journalIn(file: LogWriter, { path, id, states, createdIds }: JournalStart) {
  let hasSynced = false;
  const journal = {
    path,
    id,
    states,
    createdIds,
    get syncedLines(): number {
      return file.syncedLines;
    },
    /** Records the rows of an edited input, and waits until they are on the disk. */
    async startInput(rows: InputRows, facts: InputFacts): Promise<void> {
      journal.states = rows.states;
      file.add(inputLine({ event: 'input', ...facts }, rows.keys));
      await file.synced();
    },
    /** Writes an event; `synced` waits until it survives a power cut too. */
    append(event: JournalEntry, change?: RecordChange): void {
      const position = file.add(lineOf(event, change));
      journal.states.set(event.row, stateAfter(event), position);
      if (event.event === 'resolved' && event.id !== undefined) createdIds.add(event.id);
    },
    /**
     * The number of intents that share a sync. If a run is killed, a row that is recorded and not sent
     * yet counts as unknown, so a slow disk must not make that all of them.
     */
    set maxIntents(count: number) {
      file.maxTogether = count;
    },
    /** Waits until the intent to send a row survives a power cut. It is written when its sync starts. */
    intend(row: number, { id, change }: { id?: string; change?: RecordChange }): Promise<void> {
      const json = lineOf({ row, event: 'sending', id }, change);
      return journal.synced((position) => {
        journal.states.set(row, 'sending', position);
        return json;
      });
    },
    async synced(lastLine?: (position: number) => string): Promise<void> {
      try {
        await file.synced(lastLine);
        hasSynced = true;
      } catch (error) {
        const { message, hints: hint } = error as MarError;
        if (!hasSynced) throw usageError(message, 'Nothing was sent.');
        // Not a usage error: those promise that nothing was sent.
        throw new MarError('batch', message, { hint, cause: error });
      }
    },
    close: () => file.close(),
  };
  return journal;
}

type JournalEntry = Omit<JournalEvent, 'at'>;

const lineOf = (entry: JournalEntry, change?: RecordChange) =>
  lineWith(change, { ...entry, at: new Date().toISOString() });

/** Renames a journal and its copy of standard input, and returns the new path. */
export async function archiveJournal(path: string): Promise<string> {
  if (!statSync(path).isFile()) throw noLog(path, journalKind);
  for (let number = 1; ; number += 1) {
    const old = `${path}.${number}`;
    if (existsSync(old)) continue;
    await rename(path, old);
    const input = keptInputPath(path);
    if (existsSync(input)) await rename(input, keptInputPath(old));
    return old;
  }
}
