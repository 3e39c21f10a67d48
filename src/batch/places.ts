import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../errors.ts';
import type { Shard } from './shard.ts';

/** Where the journal of an input is, unless another place is named. */
export function journalOf(file: string, { index, count }: Shard): string {
  const slice = count === 1 ? '' : `.${index}-of-${count}`;
  return `${file}${slice}.mar-journal`;
}

/** An input that was begun whole is not gone on with in slices, nor the other way round. */
export function refuseOtherSlices(file: string, { count }: Shard): void {
  const folder = path.dirname(file);
  const name = path.basename(file);
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder)) {
    if (!entry.startsWith(`${name}.`)) continue;
    const [, slices] = /^(?:\d+-of-(\d+)\.)?mar-journal$/.exec(entry.slice(name.length + 1)) ?? [];
    const isJournal = slices !== undefined || entry === `${name}.mar-journal`;
    if (!isJournal || Number(slices ?? 1) === count) continue;
    const begun = slices === undefined ? 'as a whole' : `in ${slices} slices (--shard)`;
    throw usageError(
      `${file} was begun ${begun}: ${path.join(folder, entry)}`,
      'go on like that, or move that journal away if its rows are to be sent again',
    );
  }
}
