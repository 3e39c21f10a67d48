import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { MarError, usageError } from '../errors.ts';
import { systemReason } from '../files/systemReason.ts';
import type { Shard } from './shard.ts';

/** Where the journal of an input is, unless another place is named. */
export function journalOf(file: string, { index, count }: Shard): string {
  const slice = count === 1 ? '' : `.${index}-of-${count}`;
  return `${file}${slice}.mar-journal`;
}

/** Where what came on standard input is kept, for the next run to look at. */
export const keptInputOf = (journal: string) => `${journal}.input`;

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

/** A report that cannot be written, or only over what it is about, is refused before anything is sent. */
export function checkReportPlace(report: string, taken: readonly string[]): void {
  if (report === '' || report === '-') {
    throw usageError('--report takes a file', 'standard output is for the result');
  }
  try {
    const own = taken.find((file) => isSameFile(file, report));
    if (own !== undefined) throw usageError(`--report would write over ${own}`);
    const found = statSync(report, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw usageError(`--report takes a file, and ${report} is a folder`);
    accessSync(found ? report : path.dirname(report), constants.W_OK);
  } catch (error) {
    if (error instanceof MarError) throw error;
    throw usageError(
      `cannot write the report ${report}: ${systemReason(error)}`,
      'nothing was sent',
    );
  }
}

function isSameFile(one: string, other: string): boolean {
  if (path.resolve(one) === path.resolve(other)) return true;
  const [first, second] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}
