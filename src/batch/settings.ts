import { tmpdir } from 'node:os';
import path from 'node:path';
import { usageError } from '../errors.ts';
import { type Input, stringOption } from '../input.ts';
import type { Context } from '../session/context.ts';
import { defaultConcurrency } from '../values/concurrency.ts';
import { parseWholeNumber } from '../values/numbers.ts';
import { shardFrom } from './autoShard.ts';
import {
  checkKeptInput,
  defaultJournalPath,
  inputPath,
  isSameFile,
  journalsOf,
  keptInputPath,
  type Shard,
  undoJournalPath,
} from './journal/journalPaths.ts';
import { checkOutputPath } from './report/report.ts';

const maxConcurrency = 64;

/** The flags without a value. */
const switches = [
  'stopOnError',
  'skipInvalid',
  'allowEmpty',
  'allowDuplicates',
  'check',
  'verifyIds',
  'retryFailed',
  'restart',
  'status',
  'dryRun',
  'yes',
  'skipChecks',
] as const;
type Switches = Record<(typeof switches)[number], boolean>;

export interface BatchSettings extends Switches {
  /** `-` is standard input, and the changes of `undo`. */
  file: string;
  /** The journal of the batch to undo. */
  undo?: string;
  name: string;
  journal: string;
  /** The journals of all shards, for `--status` without a shard. */
  allShards: readonly string[];
  shard: Shard;
  concurrency: number;
  report?: string;
  rejects?: string;
  /** Print each record: with `--jsonl`, or with a filter for each of them. */
  printsRecords: boolean;
  /** `17=created:wr-9`; if empty, the user is asked about each unknown row. */
  resolve?: readonly string[];
}

export function readSettings(context: Context, input: Input): BatchSettings {
  const { options } = input;
  const on = Object.fromEntries(switches.map((name) => [name, options[name] === true])) as Switches;
  if (input.arguments.length > 0) {
    throw usageError(
      `"${input.arguments[0]}" and --${options.undo === undefined ? 'batch' : 'undo'} cannot be used together`,
      options.undo === undefined ? 'Each row names its record in _id.' : undefined,
    );
  }
  const shard = shardFrom(stringOption(input, 'shard') ?? '1/1', context.world.env);
  const undo = stringOption(input, 'undo');
  const named =
    stringOption(input, 'journal') ?? (undo === undefined ? undefined : undoJournalPath(undo));
  const file = undo === undefined ? inputPath(stringOption(input, 'batch') ?? '') : '-';
  if (file === '-' && named === undefined && !options.check) {
    throw usageError(
      '--batch - needs a journal file',
      'Name one with --journal FILE. The journal lets you resume the batch.',
    );
  }
  const used = ['status', 'resolve', 'restart', 'dryRun'].find((key) => options[key] !== undefined);
  if (options.check && used !== undefined) {
    const flag = used === 'dryRun' ? 'dry-run' : used;
    throw usageError(`--check and --${flag} cannot be used together`);
  }
  const isStatusOfAll = on.status && !options.resolve && options.shard === undefined;
  const allShards =
    isStatusOfAll && file !== '-' && named === undefined
      ? journalsOf(file).map(({ journal: one }) => one)
      : [];
  // --check uses no journal; standard input is kept in a temporary file.
  const unused = options.check && file === '-' ? path.join(tmpdir(), 'mar') : undefined;
  const journal = named ?? unused ?? allShards[0] ?? defaultJournalPath(file, shard);
  if (file === '-') checkKeptInput(journal);
  const report = stringOption(input, 'report');
  const ownFiles = [file, undo ?? file, journal, keptInputPath(journal), `${journal}.lock`];
  if (undo !== undefined && isSameFile(undo, journal)) {
    throw usageError(`--journal would overwrite ${undo}`, 'Nothing was sent.');
  }
  const rejects = stringOption(input, 'rejects');
  if (rejects !== undefined && options.status) {
    throw usageError(
      '--rejects and --status cannot be used together',
      'To write the rejected rows, run the batch again: done rows are skipped.',
    );
  }
  const concurrency = stringOption(input, 'concurrency');
  if (report !== undefined) checkOutputPath('--report', report, ownFiles);
  if (rejects !== undefined) checkOutputPath('--rejects', rejects, [...ownFiles, report ?? '']);
  return {
    file,
    undo,
    name: undo ?? (file === '-' ? 'standard input' : file),
    journal,
    allShards,
    shard,
    concurrency:
      concurrency === undefined
        ? (context.session.settings.concurrency ?? defaultConcurrency.writes)
        : parseWholeNumber(concurrency, '--concurrency', { max: maxConcurrency }),
    report,
    rejects,
    ...on,
    allowDuplicates: on.allowDuplicates || on.skipChecks,
    printsRecords: context.flags.format === 'jsonl' || context.flags.jq !== undefined,
    resolve: options.resolve
      ? [options.resolve].flat().filter((text) => typeof text === 'string')
      : undefined,
  };
}
