import type { InputIdentity } from '../../rows/rows.ts';
import { journalsOf, type Shard } from './journalPaths.ts';
import { firstHash, type ReplayedJournal, replayExisting } from './replay.ts';
import type { RowState, RowStates } from './rowStates.ts';

/** Their records may exist. */
const sentStates: readonly (RowState | undefined)[] = ['done', 'unchanged', 'sending', 'unknown'];

/**
 * Counts the rows of this shard that may be edited rows which another shard has sent. A row's shard
 * follows from its content, so an edit moves it to a shard whose journal does not know its record.
 */
export async function countMoved(
  { file, shard }: { file: string; shard: Shard },
  { keys, hash }: Pick<InputIdentity, 'keys' | 'hash'>,
  states: RowStates,
  earlier: ReplayedJournal | undefined,
): Promise<number> {
  const others = journalsOf(file)
    .filter(({ journal, shard: { index } }) => {
      // Those that started with this input hold nothing that a new shard does not know.
      return index !== shard.index && (earlier || firstHash(journal) !== hash);
    })
    .map(({ journal }) => journal);
  const now = new Set(keys);
  const isGone = (key: string) => !now.has(key);
  const known = new Set(earlier?.keys);
  const keyOf = (row: number) => earlier?.keys[row - 1] ?? '';
  let gone = [...(earlier?.states.rowsIn('elsewhere') ?? [])].map(keyOf).filter(isGone);
  if (earlier ? gone.length === 0 : others.length === 0) return 0;
  const stateOf = new Map<string, RowState>();
  for (const journal of others) {
    const other = await replayExisting(journal);
    for (const [index, key] of other.keys.entries()) {
      if (!earlier) known.add(key);
      const state = other.states.get(index + 1);
      if (state !== 'elsewhere') stateOf.set(key, state);
    }
    for (const { key, state } of other.removed) stateOf.set(key, state);
  }
  if (!earlier) gone = [...stateOf.keys()].filter(isGone);
  // A row that no journal here knows may have been sent on another machine.
  const lost = gone.filter((key) => !stateOf.has(key) || sentStates.includes(stateOf.get(key)));
  const added = keys.filter((key, index) => states.get(index + 1) === 'pending' && !known.has(key));
  return Math.min(added.length, lost.length);
}
