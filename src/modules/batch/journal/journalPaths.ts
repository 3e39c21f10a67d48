import { existsSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../../../core/errors.ts';
import { resolveLinks } from '../../../core/files/paths.ts';
import type { Shard } from '../shards.ts';

/** Beside the file itself, even if the input is named through a link. */
export function defaultJournalPath(file: string, shard: Shard): string {
  // A link and its target are one input: with a journal each, rows would be sent twice.
  const real = realName(file);
  refuseOtherSlices(real, shard);
  return journalOf(real, shard);
}

/** Without links, but as the user names its folder unless the file is one. */
const realName = (file: string) =>
  lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? resolveLinks(file) : file;

function journalOf(file: string, { index, count }: Shard): string {
  const slice = count === 1 ? '' : `.${index}-of-${count}`;
  return `${file}${slice}.mar-journal`;
}

/** `rows.csv.undo.mar-journal` for `rows.csv.mar-journal`. */
export const undoJournalPath = (journal: string) =>
  `${journal.replace(/\.mar-journal$/, '')}.undo.mar-journal`;

export const keptInputPath = (journal: string) => `${journal}.input`;

/** The journals beside a file, in the order of their shards. */
export function journalsOf(named: string): { journal: string; shard: Shard }[] {
  const file = realName(named);
  const folder = path.dirname(file);
  const name = path.basename(file);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((entry) => entry.startsWith(`${name}.`))
    .flatMap((entry) => {
      const ending = entry.slice(name.length + 1);
      const [found, index = '1', count = '1'] =
        /^(?:(\d+)-of-(\d+)\.)?mar-journal$/.exec(ending) ?? [];
      if (found === undefined) return [];
      const shard = { index: Number(index), count: Number(count) };
      return [{ journal: path.join(folder, entry), shard }];
    })
    .sort((one, other) => one.shard.index - other.shard.index);
}

/** A batch that was started as a whole cannot be resumed in slices, nor the other way round. */
function refuseOtherSlices(file: string, { count }: Shard): void {
  const other = journalsOf(file).find(({ shard }) => shard.count !== count);
  if (!other) return;
  const how = other.shard.count === 1 ? 'without --shard' : `with --shard 1/${other.shard.count}`;
  throw usageError(
    `the batch ${file} was started ${how}: ${other.journal}`,
    'Nothing was sent. Resume it in the same way. If you move that journal away, rows that are done are sent again.',
  );
}
