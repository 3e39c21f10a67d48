import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { MarError, usageError } from '../errors.ts';
import { systemReason } from '../files/systemReason.ts';

/** Other names of standard input. */
const standardInputs: readonly string[] = ['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'];

/** The input that `--batch` names; `-` for standard input. */
export function inputOf(named: string): string {
  if (named === '-' || standardInputs.includes(path.resolve(named))) return '-';
  const found = statSync(named, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw usageError(`cannot read ${named}: it is a folder`);
  if (found && !found.isFile()) throw notAFile(named);
  return named;
}

export const notAFile = (name: string) =>
  usageError(
    `${name} is not a file, and a batch reads its rows twice`,
    'pass it on standard input: --batch - --journal FILE',
  );

/** Where the journal of an input is, unless another place is named: beside the file itself. */
export function defaultJournal(file: string, shard: Shard): string {
  const real = realNameOf(file);
  refuseOtherSlices(real, shard);
  if (real !== path.resolve(file)) refuseJournalOfLink(file, shard, journalOf(real, shard));
  return journalOf(real === path.resolve(file) ? file : real, shard);
}

/** A link and the file behind it are one input: with a journal each, rows would be sent twice. */
function realNameOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    if (!existsSync(file)) return path.resolve(file);
    throw usageError(
      `${file} has no name for a journal to stand beside`,
      'say where to keep it: --journal FILE',
    );
  }
}

/** Earlier versions kept a journal beside a link. */
function refuseJournalOfLink(file: string, shard: Shard, journal: string): void {
  refuseOtherSlices(file, shard);
  const old = journalOf(file, shard);
  if (!existsSync(old) || isSameFile(old, journal)) return;
  throw usageError(
    `an earlier run kept its journal beside the link: ${old}`,
    `Nothing was sent. Resume that run with --journal ${old}, or move it away if its rows should be sent again.`,
  );
}

function journalOf(file: string, { index, count }: Shard): string {
  const slice = count === 1 ? '' : `.${index}-of-${count}`;
  return `${file}${slice}.mar-journal`;
}

/** Where what came on standard input is kept, for the next run to look at. */
export const keptInputOf = (journal: string) => `${journal}.input`;

/** The file that standard input is kept in is replaced: nothing but an earlier one may stand there. */
export function checkKeptInput(journal: string): void {
  const kept = keptInputOf(journal);
  const found = lstatSync(kept, { throwIfNoEntry: false });
  if (!found || found.isFile()) return;
  throw usageError(
    `cannot keep standard input in ${kept}: it is not a file`,
    'Nothing was sent. Move it away, or name another journal with --journal.',
  );
}

/** An input that was begun whole is not gone on with in slices, nor the other way round. */
function refuseOtherSlices(file: string, { count }: Shard): void {
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
    if (found?.isSocket() || found?.isBlockDevice()) {
      const what = found.isSocket() ? 'socket' : 'device';
      throw usageError(`--report takes a file, and ${report} is a ${what}`);
    }
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

/** Every N-th row: which rows are in it depends on nothing but their number. */
export interface Shard {
  index: number;
  count: number;
}

export const wholeInput: Shard = { index: 1, count: 1 };

/** `2/4`: the second of four slices. */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index >= 1 && shard.index <= shard.count) return shard;
  throw usageError(
    `--shard takes which slice of how many, such as 1/4, not "${text}"`,
    'slices are counted from 1: --shard 1/4 to --shard 4/4',
  );
}

export const isInShard = (row: number, { index, count }: Shard) => (row - 1) % count === index - 1;

/** How many of so many rows are in it. */
export const shardSize = (rows: number, { index, count }: Shard) =>
  Math.max(0, Math.ceil((rows - index + 1) / count));
