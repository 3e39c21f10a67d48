import { endpoints, repetitionOf } from '../../core/api/endpoints.ts';
import type { Command, RowFiles } from '../../core/commands/command.ts';
import { usageError } from '../../core/errors.ts';
import {
  type Argument,
  type Input,
  longName,
  type Option,
  option,
  optionKey,
  stringOption,
} from '../../core/input.ts';
import { type Results, textResult } from '../../core/output/result.ts';
import type { Context } from '../../core/session/context.ts';
import { defaultConcurrency } from '../../core/values/concurrency.ts';

const group = 'Batch';

const journalOption = option('--journal <file>', 'file that records the outcome of each row', {
  default: 'FILE.mar-journal; FILE.1-of-4.mar-journal with --shard 1/4',
  completes: 'file',
});

/** The flags of a run, beside `--batch`. */
const batchOptions: readonly Option[] = [
  journalOption,
  option('--concurrency <n>', 'rows to send at the same time', {
    default: `the setting concurrency, else ${defaultConcurrency.writes}`,
  }),
  option('--shard <i/n>', 'send only part i of n, such as 1/4; in parallel jobs also auto, auto/4'),
  option('--encoding <name>', 'encoding of CSV that is not UTF-8, such as windows-1250'),
  option('--sheet <name>', 'sheet of a workbook with several'),
  option('--hidden <what>', 'send or skip rows and columns that are hidden in a workbook', {
    choices: ['include', 'skip'],
  }),
  option(
    '--map <heading=field>',
    "field of a column: 'Title=asset'; 'Notes=' leaves it out (repeatable)",
    { many: true },
  ),
  option('--dates <order>', 'order of day and month in 1/12/2026', { choices: ['dmy', 'mdy'] }),
  option('--skip-invalid', 'send the valid rows and skip the invalid ones'),
  option('--check', 'check the rows and write no records; exit code 8 if rows are invalid', {
    excludes: ['--dry-run'],
  }),
  option('--verify-ids', 'check the assets of the rows with the service before sending'),
  option('--allow-empty', 'an input without rows is not an error'),
  option('--stop-on-error', 'start no more rows after one that fails'),
  option(
    '--rejects <file>',
    'write the invalid and failed rows, and conflicts, to this file, with reasons',
    { completes: 'file' },
  ),
];

/** Alone, it repeats what must not be sent twice. */
const againOption = (isSentOnce: boolean) =>
  isSentOnce
    ? option(
        '--again[=rows]',
        'send orders and events placed before, and equal rows; all starts over',
        {
          choices: ['changed', 'failed', 'all'],
        },
      )
    : option('--again <rows>', 'rows to send again; all starts over', {
        choices: ['failed', 'all'],
      });

const measureOption = option('--measure', 'also send size and MD5 of the files that the rows name');

/** The argument of `mar batch status` and the like. */
export const batchFile: Argument = {
  name: 'file',
  summary: 'input of the batch with its journal beside it, or the journal',
  completes: 'file',
};

/** An undo writes back exactly what a journal has, and has a journal of its own. */
export const undoOptions = [
  ...batchOptions.filter(({ flags }) => /^--(?:concurrency|stop-on-error)/.test(flags)),
  againOption(false),
  { ...journalOption, default: 'beside the journal, such as assets.csv.undo.mar-journal' },
];

const forAllRows = 'Give it as a column of the file, or for all rows with --set FIELD=VALUE.';

/** Flags of the commands themselves that a batch honours for every row. */
const usableFlags = [
  '--set',
  '--set-string',
  '--unset',
  '--like',
  '--tz',
  '--force',
  '--skip-checks',
  '--log',
  '--yes',
  '--dry-run',
];

const rowsAreChanges = 'With --batch, each row has an _id and the fields to change.';

/** The part of a command's help that is about batches. */
const added: Readonly<Record<string, Pick<Command, 'details' | 'examples'>>> = {
  'asset put': {
    details: rowsAreChanges,
    examples: {
      'Show what a batch file would change': 'mar asset put --batch assets.csv --dry-run',
      'Take back what a batch wrote': 'mar batch undo assets.csv',
    },
  },
  'user put': { details: rowsAreChanges, examples: {} },
  'file upload-meta': {
    details:
      'Several files, or a folder, are sent as a batch. Files that cannot be sent, such as empty ones, are left out, and so are hidden files and most documents in a folder.',
    examples: {},
  },
};

/** Flags of a command that mean something else, or more, with `--batch`. */
const widened: Readonly<Record<string, (own: Option) => Option>> = {
  '--template': (own) => ({ ...own, summary: `${own.summary}; with --batch, print a table` }),
  '--tz': (own) => ({ ...own, needs: '--due, --file, --like or --batch' }),
};

/** Adds the batch flags to a write, named by its words after `mar`. */
export function batchable(words: string, command: Command): Command {
  const { endpoint, options: ownOptions = [], rows = {} } = command;
  const { template, like, fieldFlags = [], withFieldFlags, files } = rows;
  if (!endpoint) throw new Error(`mar ${words} has no endpoint`);
  const endpointId = endpoint;
  const again = againOption(repetitionOf(endpoints[endpoint]) === 'once');
  const isAgain = ({ flags }: Option) => longName(flags) === '--again';
  const ownFlags = ownOptions.map(({ flags }) => longName(flags));
  const shared = batchOptions.map((option) => ({ ...option, group }));
  // These differ by command, so they are not in the group that all batches share.
  const runOptions: Option[] = [...shared, ...(files ? [measureOption] : []), again];
  const usable = [...usableFlags, ...fieldFlags, ...runOptions.map(({ flags }) => longName(flags))];
  if (template) usable.push('--template');
  const unusable = ownOptions.filter(({ flags }) => !usable.includes(longName(flags)));
  const ofFields = unusable.filter(({ flags }) => /<(?!file)/.test(flags));
  const { details, examples } = added[words] ?? {};
  return {
    ...command,
    details: [command.details, details].filter(Boolean).join(' ') || undefined,
    examples: { ...command.examples, ...examples },
    options: [
      ...ownOptions.map((own) =>
        isAgain(own) ? again : (widened[longName(own.flags)]?.(own) ?? own),
      ),
      option(
        template ? '--batch [file]' : '--batch <file>',
        'send each row of this file (.xlsx, CSV, TSV, JSON); - is standard input',
        {
          completes: 'file',
          group,
          // Without an effect on a batch, they are refused rather than ignored.
          excludes: unusable.map(({ flags }) => longName(flags)),
          relationHints: Object.fromEntries(
            ofFields.map(({ flags }) => [longName(flags), forAllRows]),
          ),
        },
      ),
      ...runOptions
        .filter(({ flags }) => !ownFlags.includes(longName(flags)))
        .map((option) => ({ ...option, needs: files ? undefined : '--batch FILE' })),
    ],
    async *run(context, given, program) {
      const { again, batch } = given.options;
      const isGiven = ({ flags }: Option) => given.options[optionKey(flags)] !== undefined;
      const found = await files?.(context, given);
      const listed = found?.listed;
      if (batch === undefined && !listed) {
        if (typeof again === 'string') throw usageError(`--again=${again} needs --batch FILE`);
        const alone = files && runOptions.find(isGiven);
        if (alone)
          throw usageError(`${longName(alone.flags)} is for --batch FILE or several files`);
        return yield* command.run(context, given, program);
      }
      const input = (await withFieldFlags?.(context, given)) ?? given;
      if (listed) {
        const other = unusable.find(isGiven);
        if (other) throw usageError(`${longName(other.flags)} cannot be used with several files`);
        const options = { ...input.options, skipInvalid: true };
        return yield* run(context, { ...input, options }, found);
      }
      const file = stringOption(input, 'batch');
      if (template && input.options.template) {
        if (file !== undefined) throw usageError('--batch and --template cannot be used together');
        const rows = template(context.world.now());
        return yield textResult(`${rows.join('\n')}\n`);
      }
      if (file === undefined) {
        throw usageError('--batch needs a file name', 'To read standard input, use --batch -');
      }
      yield* run(context, input, found);
    },
  };

  async function* run(context: Context, input: Input, found: RowFiles | undefined): Results {
    const { runBatch } = await import('./run.ts');
    yield* runBatch(context, { input, endpointId, words, rowTemplate: like, files: found });
  }
}

/** `mar undo` for what a batch has changed. */
export const withBatches = (command: Command): Command => ({
  ...command,
  async *run(context, input, program) {
    const { undoneWrite } = await import('../../core/commands/undo.ts');
    const { batch } = await undoneWrite(context, input);
    if (!batch) return yield* command.run(context, input, program);
    const { runBatch } = await import('./run.ts');
    const { journalOf } = await import('./journal/findJournals.ts');
    const undo = journalOf(batch);
    context.world.refuseFile?.(undo);
    yield* runBatch(context, { input, endpointId: 'assetPut', words: 'batch undo', undo });
  },
});
