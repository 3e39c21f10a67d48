import { type EndpointId, endpoints } from '../api/endpoints.ts';
import type { BatchCommand } from '../batch/rules.ts';
import { usageError } from '../errors.ts';
import { type Input, type Option, optionKey, stringOption } from '../input.ts';
import { defaultConcurrency } from '../values/concurrency.ts';
import type { Command } from './command.ts';

const batchOptions: readonly Option[] = [
  {
    flags: '--batch <file>',
    summary:
      'read many records from this file, one per row (JSON lines, a JSON array, CSV or TSV), and send each; - is standard input',
    completes: 'file',
  },
  {
    flags: '--journal <file>',
    summary: 'file that records the outcome of each row',
    default: 'FILE.mar-journal',
    completes: 'file',
  },
  {
    flags: '--concurrency <n>',
    summary: 'rows to send at the same time',
    default: String(defaultConcurrency.writes),
  },
  {
    flags: '--shard <i/n>',
    summary:
      'send only part i of n, such as 1/4; auto takes both numbers from the variables of the CI system, auto/n only the part',
  },
  { flags: '--skip-invalid', summary: 'send the valid rows and skip the others' },
  {
    flags: '--check',
    summary: 'check all rows and send nothing; exit code 8 if rows are invalid',
  },
  {
    flags: '--verify-ids',
    summary: 'check that all assets that the rows name exist, before sending',
  },
  {
    flags: '--break-lock',
    summary:
      'take over a batch whose process ran on another machine and no longer runs; asks, or needs --yes',
  },
  { flags: '--allow-empty', summary: 'an input without rows is not an error' },
  { flags: '--stop-on-error', summary: 'stop at the first row that fails' },
  {
    flags: '--retry-failed',
    summary: 'also send rows again that the service refused, and conflicts',
  },
  {
    flags: '--resolve [row=outcome]',
    summary:
      'say what happened to a row whose outcome is unknown; for row 17: 17=created (it was written), 17=created:ID or 17=retry; without a value, asks about each row',
    many: true,
  },
  {
    flags: '--restart',
    summary: 'start over and send every row, done ones too; asks, or needs --yes',
    excludes: ['--resolve', '--status'],
  },
  { flags: '--status', summary: 'show the progress of the batch and send nothing' },
  {
    flags: '--report <file>',
    summary: 'write the row, state, id and message of each row to a CSV or .jsonl file',
    completes: 'file',
  },
  {
    flags: '--rejects <file>',
    summary: 'write the invalid and failed rows, as they are in the input, with the reason of each',
    completes: 'file',
  },
];

const duplicatesOption: Option = {
  flags: '--allow-duplicates',
  summary: 'send rows that are the same record as a row before them, too',
};

const undoOption: Option = {
  flags: '--undo <journal>',
  summary:
    'write back the values that a batch replaced; the journal of that batch has them. Records that others changed since are not overwritten',
  completes: 'file',
  // Undoing writes back exactly what the journal has, with a journal of its own.
  excludes: ['--batch', '--set', '--set-string', '--unset', '--shard'],
};

/** Flags of the commands themselves that a batch honours for every row. */
const usableFlags = ['set', 'setString', 'unset', 'like', 'force', 'skipChecks', 'yes', 'dryRun'];

interface BatchDetails extends Pick<BatchCommand, 'rowTemplate' | 'changes'> {
  sharedFlags?: readonly string[];
  /** The table that `--template --batch` prints: a header and an example. */
  template?(now: Date): readonly string[];
}

/**
 * Adds the batch flags to a command. `sharedFlags` names those that the command has too: `--status`
 * alone asks for the batch's progress, `--status submitted` sets the command's own field. A flag that
 * is the same in both, such as `--check`, has the command's own meaning without `--batch`.
 */
export function batchable(
  command: Command & { endpoint: EndpointId },
  { sharedFlags = [], template, rowTemplate, changes }: BatchDetails = {},
): Command {
  const isCreate = endpoints[command.endpoint].method === 'POST';
  const isEvent = command.endpoint === 'eventPut';
  const allOptions = [
    ...batchOptions,
    ...(isCreate || isEvent ? [duplicatesOption] : []),
    ...(changes ? [undoOption] : []),
  ];
  const ownOptions = allOptions
    .filter(({ flags }) => !sharedFlags.includes(flags))
    .map((option) => ({
      ...option,
      flags: template ? option.flags.replace('--batch <file>', '--batch [file]') : option.flags,
      group: 'Batch flags',
    }));
  return {
    ...command,
    options: [...(command.options ?? []), ...ownOptions],
    async *run(context, input) {
      const given = allOptions.filter(({ flags }) => {
        const value = input.options[optionKey(flags)];
        return sharedFlags.includes(flags) ? value === true : value !== undefined;
      });
      if (input.options.batch === true) {
        if (template && input.options.template) {
          const rows = template(context.world.now());
          return context.world.streams.stdout.write(`${rows.join('\n')}\n`);
        }
        throw usageError('--batch needs a file name', 'To read standard input, use --batch -');
      }
      const isUndo = changes !== undefined && stringOption(input, 'undo') !== undefined;
      if (isUndo || stringOption(input, 'batch') !== undefined) {
        refuseOtherFlags(input, given);
        const { runBatch } = await import('../batch/run.ts');
        return runBatch(context, { input, endpointId: command.endpoint, rowTemplate, changes });
      }
      const isOwn = ({ flags }: Option) => command.options?.some((own) => own.flags === flags);
      const first = given.find((option) => !isOwn(option));
      if (first) throw usageError(`${first.flags.split(' ')[0]} needs --batch FILE`);
      const results = command.run(context, input);
      if (Symbol.asyncIterator in results) yield* results;
      else await results;
    },
  };
}

/** A flag for a single record has no effect on a batch, so it is refused rather than ignored. */
function refuseOtherFlags({ options }: Input, given: readonly Option[]): void {
  const allowed = new Set([...usableFlags, ...given.map(({ flags }) => optionKey(flags))]);
  for (const [key, value] of Object.entries(options)) {
    if (allowed.has(key) || value === undefined) continue;
    const flag = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw usageError(`--batch and --${flag} cannot be used together`);
  }
}
