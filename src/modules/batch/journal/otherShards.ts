import type { InputIdentity } from '../../../core/rows/rows.ts';
import { journalsOf, type Shard } from './journalPaths.ts';
import { firstHash, type ReplayedJournal, replayExisting } from './replay.ts';
import type { RowState, RowStates } from './rowStates.ts';

/** Their records may exist. A row that no journal here has may have been sent on another machine. */
const sentStates = new Set<RowState | undefined>(['done', 'sending', 'unknown', undefined]);

/**
 * Counts the rows of this shard that may be edited rows which another shard has sent. A row's shard
 * follows from its content, so an edit moves it to a shard whose journal does not know its record.
 */
export function countMoved(
  { file, shard }: { file: string; shard: Shard },
  { keys, hash }: Pick<InputIdentity, 'keys' | 'hash'>,
  states: RowStates,
  earlier: ReplayedJournal | undefined,
): number {
  const now = new Set(keys);
  const known = new Set(earlier?.keys);
  const goneFrom = (before: Iterable<string>) => [...before].filter((key) => !now.has(key));
  const keyOf = (row: number) => earlier?.keys[row - 1] ?? '';
  const gone = earlier && goneFrom([...earlier.states.rowsIn('elsewhere')].map(keyOf));
  if (gone?.length === 0) return 0;
  const stateOf = new Map<string, RowState>();
  for (const { journal, shard: other } of journalsOf(file)) {
    // One that started with this input holds nothing that a new shard does not know.
    if (other.index === shard.index || (!earlier && firstHash(journal) === hash)) continue;
    const { keys: rows, states: found, removed } = replayExisting(journal);
    for (const [index, key] of rows.entries()) {
      if (!earlier) known.add(key);
      if (found.get(index + 1) !== 'elsewhere') stateOf.set(key, found.get(index + 1));
    }
    for (const { key, state } of removed) stateOf.set(key, state);
  }
  const lost = (gone ?? goneFrom(stateOf.keys())).filter((key) => sentStates.has(stateOf.get(key)));
  const added = keys.filter((key, index) => states.get(index + 1) === 'pending' && !known.has(key));
  return Math.min(added.length, lost.length);
}
