import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onCommandLine, usageError } from '../../core/errors.ts';
import { checkOutputPath, isSameFile } from '../../core/files/paths.ts';
import { type Input, readOption, stringOption } from '../../core/input.ts';
import { readZone } from '../../core/records/dateText.ts';
import type { SheetChoice } from '../../core/rows/row.ts';
import { notAFile } from '../../core/rows/source.ts';
import type { Context } from '../../core/session/context.ts';
import { defaultConcurrency } from '../../core/values/concurrency.ts';
import { knownEncoding } from '../../core/values/encoding.ts';
import { parseWholeNumber } from '../../core/values/numbers.ts';
import { defaultJournalPath, keptInputPath } from './journal/journalPaths.ts';
import { shardFrom } from './shards.ts';

const maxConcurrency = 64;

/** Reads the flags that have a value. `made` are rows that come from a journal to undo or from arguments. */
export function readSettings(
  { session, flags, world }: Context,
  input: Input,
  made?: { name: string; journal: string },
) {
  const { options } = input;
  if (!made && input.arguments.length > 0) {
    throw usageError(
      `"${input.arguments[0]}" and --batch cannot be used together`,
      'Leave it out: each row names its own record or file.',
    );
  }
  const shard = shardFrom(stringOption(input, 'shard') ?? '1/1', world.env);
  const named = stringOption(input, 'journal') ?? made?.journal;
  const file = made ? '-' : inputPath(stringOption(input, 'batch') ?? '');
  if (file === '-' && named === undefined && !options.check) {
    throw usageError(
      '--batch - needs a journal file',
      onCommandLine('Name one with --journal FILE. The journal lets you resume the batch.'),
    );
  }
  // --check uses no journal; standard input is kept in a temporary file.
  const unused = options.check && file === '-' ? path.join(tmpdir(), 'mar') : undefined;
  const journal = named ?? unused ?? defaultJournalPath(file, shard);
  if (made && isSameFile(made.name, journal)) {
    throw usageError(`--journal would overwrite ${made.name}`, 'Nothing was sent.');
  }
  const rejects = stringOption(input, 'rejects');
  const ownFiles = [file, journal, keptInputPath(journal), `${journal}.lock`];
  checkOutputPath('--rejects', rejects, ownFiles);
  checkOutputPath('-O', flags.outputFile, [...ownFiles, rejects ?? file]);
  const concurrency = stringOption(input, 'concurrency');
  const stdinName = world.agent === undefined ? 'standard input' : 'the call';
  return {
    /** `-` is standard input, or rows that were made. */
    file,
    name: made?.name ?? (file === '-' ? stdinName : file),
    journal,
    shard,
    concurrency:
      concurrency === undefined
        ? (session.settings.concurrency ?? defaultConcurrency.writes)
        : parseWholeNumber(concurrency, '--concurrency', { max: maxConcurrency }),
    rejects,
    sheet: {
      encoding: readOption(input, 'encoding', knownEncoding),
      sheet: stringOption(input, 'sheet'),
      hidden: stringOption(input, 'hidden') as SheetChoice['hidden'],
    },
    /** The zone of due dates whose row has none. */
    zone: readOption(input, 'tz', (text) => readZone(text, '--tz')),
    /** Print each record: with `--jsonl`, or with a filter for each of them. */
    printsRecords: flags.format === 'jsonl' || flags.jq !== undefined,
    /** A file of -O gets the rows with their ids, as from `mar batch report`. */
    writesSheet:
      flags.outputFile !== undefined &&
      flags.jq === undefined &&
      ['csv', 'tsv', 'xlsx'].includes(flags.format ?? ''),
  };
}

const standardInputs: readonly string[] = ['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'];

function inputPath(named: string): string {
  if (named === '-' || standardInputs.includes(path.resolve(named))) return '-';
  const found = statSync(named, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    const facts = { flag: '--batch', value: named };
    throw usageError(`cannot read ${named}: it is a folder`, facts);
  }
  if (found && !found.isFile()) throw notAFile(named);
  return named;
}
