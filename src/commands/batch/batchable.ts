import type { EndpointId } from '../../api/endpoints.ts';
import type { Problem } from '../../batch/input/rows.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { defaultConcurrency } from '../../values/concurrency.ts';
import { type Command, type Input, type Option, optionKey, stringOption } from '../command.ts';

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
      'send only part i of n, such as 1/4; auto or auto/n: the part of this job, from the environment of the CI system',
  },
  { flags: '--skip-invalid', summary: 'send the valid rows and skip the others' },
  {
    flags: '--check',
    summary: 'check all rows and send nothing; exit code 8 if rows are invalid',
  },
  { flags: '--verify-ids', summary: 'check that the assets of all rows exist, before sending' },
  { flags: '--allow-empty', summary: 'an input without rows is not an error' },
  { flags: '--stop-on-error', summary: 'stop at the first row that fails' },
  { flags: '--retry-failed', summary: 'send refused rows again' },
  {
    flags: '--resolve [row=outcome]',
    summary:
      'say what happened to a row whose outcome is unknown; for row 17: 17=created, 17=created:ID or 17=retry; without a value, asks about each row',
    many: true,
  },
  {
    flags: '--restart',
    summary: 'start over and send every row, done ones too; asks, or needs --yes',
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

/** Flags of the commands themselves that a batch honours for every row. */
const usableWithBatch = ['set', 'setString', 'unset', 'force', 'yes', 'dryRun'];

export interface BatchDetails {
  sharedFlags?: readonly string[];
  /** The table that `--template --batch` prints: a header and an example. */
  template?: readonly string[];
  /** The record of `--like`, if it was given. */
  rowTemplate?(context: Context, input: Input): Promise<RowTemplate | undefined>;
}

/** A record that each row of a batch changes. */
export interface RowTemplate {
  /** Tells one template from another when a batch is resumed. */
  change: string;
  /** Puts the fields of the template under those of a row. */
  apply(record: JsonObject): void;
  check(record: JsonObject): Problem[];
  /** After all checks: what a user on a terminal has to confirm. */
  question?: string;
}

/**
 * Adds the batch flags to a command. `sharedFlags` names those that the command has too: `--status`
 * alone asks for the batch's progress, `--status submitted` sets the command's own field. A flag that
 * is the same in both, such as `--check`, has the command's own meaning without `--batch`.
 */
export function batchable(
  command: Command & { endpoint: EndpointId },
  { sharedFlags = [], template, rowTemplate }: BatchDetails = {},
): Command {
  const hasTemplate = template !== undefined;
  const ownOptions = batchOptions
    .filter(({ flags }) => !sharedFlags.includes(flags))
    .map((option) => ({
      ...option,
      flags: hasTemplate ? option.flags.replace('--batch <file>', '--batch [file]') : option.flags,
      group: 'Batch flags',
    }));
  return {
    ...command,
    options: [...(command.options ?? []), ...ownOptions],
    async run(context, input) {
      const given = batchOptions.filter(({ flags }) => {
        const value = input.options[optionKey(flags)];
        return sharedFlags.includes(flags) ? value === true : value !== undefined;
      });
      if (input.options.batch === true) {
        if (template && input.options.template) {
          return context.streams.stdout.write(`${template.join('\n')}\n`);
        }
        throw usageError('--batch needs a file name', 'To read standard input, use --batch -');
      }
      if (stringOption(input, 'batch') !== undefined) {
        refuseOtherFlags(input, given, rowTemplate ? ['like'] : []);
        const { runBatch } = await import('./run.ts');
        return runBatch(context, { input, endpointId: command.endpoint, rowTemplate });
      }
      const isOwn = ({ flags }: Option) => command.options?.some((own) => own.flags === flags);
      const first = given.find((option) => !isOwn(option));
      if (first) throw usageError(`${first.flags.split(' ')[0]} needs --batch FILE`);
      return command.run(context, input);
    },
  };
}

/** A flag for a single record has no effect on a batch, so it is refused rather than ignored. */
function refuseOtherFlags(
  { options }: Input,
  given: readonly Option[],
  own: readonly string[],
): void {
  const allowed = new Set([
    ...usableWithBatch,
    ...own,
    ...given.map(({ flags }) => optionKey(flags)),
  ]);
  for (const [key, value] of Object.entries(options)) {
    if (allowed.has(key) || value === undefined) continue;
    const flag = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw usageError(`--batch and --${flag} cannot be used together`);
  }
}
