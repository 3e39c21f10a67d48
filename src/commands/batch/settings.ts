import {
  checkKeptInput,
  checkReportPlace,
  defaultJournal,
  inputOf,
  keptInputOf,
  parseShard,
  type Shard,
  wholeInput,
} from '../../batch/journalPaths.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { type Input, textOption } from '../command.ts';
import { batchOptions, isSwitch, nameOf } from './flags.ts';

const usualConcurrency = 4;
const mostConcurrency = 64;

/** What a batch was asked to do. */
export interface BatchSettings {
  /** `-` is standard input. */
  file: string;
  /** For messages. */
  name: string;
  journal: string;
  shard: Shard;
  concurrency: number;
  report?: string;
  stopOnError: boolean;
  skipInvalid: boolean;
  retryFailed: boolean;
  restart: boolean;
  status: boolean;
  dryRun: boolean;
  yes: boolean;
  /** `17=created:wr-9`, in the order given; without any, each unknown row is asked for. */
  resolve?: readonly string[];
}

export function readSettings(context: Context, input: Input): BatchSettings {
  const { options } = input;
  refuseOthers(input);
  if (input.arguments.length > 0) {
    throw usageError(
      `"${input.arguments[0]}" does not go with --batch`,
      'each row says which record it is about',
    );
  }
  const shardText = textOption(input, 'shard');
  const shard = shardText === undefined ? wholeInput : parseShard(shardText);
  const named = textOption(input, 'journal');
  const file = inputOf(textOption(input, 'batch') ?? '');
  if (file === '-' && named === undefined) {
    throw usageError(
      'standard input has no name for a journal to stand beside',
      'say where to keep it: --batch - --journal FILE',
    );
  }
  if (options.restart && (options.resolve || options.status)) {
    throw usageError(`--restart does not go with --${options.resolve ? 'resolve' : 'status'}`);
  }
  const journal = named ?? defaultJournal(file, shard);
  if (file === '-') checkKeptInput(journal);
  const report = textOption(input, 'report');
  const taken = [file, journal, keptInputOf(journal), `${journal}.lock`];
  if (report !== undefined) checkReportPlace(report, taken);
  return {
    file,
    name: file === '-' ? 'standard input' : file,
    journal,
    shard,
    concurrency: readConcurrency(context, textOption(input, 'concurrency')),
    report,
    stopOnError: options.stopOnError === true,
    skipInvalid: options.skipInvalid === true,
    retryFailed: options.retryFailed === true,
    restart: options.restart === true,
    status: options.status === true,
    dryRun: options.dryRun === true,
    yes: options.yes === true,
    resolve: readResolve(options.resolve),
  };
}

/** What is for one record alone would be silently left out. */
function refuseOthers({ options }: Input): void {
  const own = batchOptions
    .filter(({ flags }) => !isSwitch(flags) || typeof options[nameOf(flags)] !== 'string')
    .map(({ flags }) => nameOf(flags));
  const known = new Set([...own, 'set', 'setString', 'unset', 'force', 'yes', 'dryRun']);
  for (const [name, value] of Object.entries(options)) {
    if (known.has(name) || value === undefined) continue;
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw usageError(`--batch and --${flag} cannot be used together`);
  }
}

function readConcurrency({ settings }: Context, text: string | undefined): number {
  if (text === undefined) return settings.concurrency ?? usualConcurrency;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= mostConcurrency) return number;
  throw usageError(
    `--concurrency takes a whole number from 1 to ${mostConcurrency}, not "${text}"`,
  );
}

function readResolve(value: Input['options'][string]): string[] | undefined {
  if (value === undefined || value === false) return undefined;
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
