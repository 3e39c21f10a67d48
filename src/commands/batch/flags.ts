import type { Option } from '../command.ts';

const group = 'Flags for many records at once';

/** Of every command that can write many records in one run. */
export const batchOptions: readonly Option[] = [
  {
    flags: '--batch <file>',
    summary: 'a record a row, as JSON lines, a JSON array, CSV or TSV; - is standard input',
    completes: 'file',
    group,
  },
  {
    flags: '--journal <file>',
    summary: 'where to keep what became of each row',
    default: 'FILE.mar-journal',
    completes: 'file',
    group,
  },
  { flags: '--concurrency <n>', summary: 'rows under way at a time', default: '4', group },
  { flags: '--shard <i/n>', summary: 'only the i-th of n slices of the rows', group },
  {
    flags: '--skip-invalid',
    summary: 'send the rows that are valid, though others are not',
    group,
  },
  { flags: '--stop-on-error', summary: 'stop at the first row that fails', group },
  { flags: '--retry-failed', summary: 'send rows again that the service refused', group },
  {
    flags: '--resolve [row=outcome]',
    summary: 'decide an unknown row: 17=created, 17=created:wr-9, 17=retry; alone, asks for each',
    many: true,
    group,
  },
  { flags: '--restart', summary: 'begin anew, with every row; the old journal is kept', group },
  { flags: '--status', summary: 'tell how far the batch came, and send nothing', group },
  {
    flags: '--report <file>',
    summary: 'write row, state, id and message of each row, as CSV or .jsonl',
    completes: 'file',
    group,
  },
];

export const isSwitch = (flags: string) => !/[<[]/.test(flags);

/** `--stop-on-error` as `stopOnError`. */
export const nameOf = (flags: string) =>
  (flags.split(' ')[0] ?? '')
    .slice(2)
    .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
