export const textFormats = ['table', 'json', 'jsonl', 'csv', 'tsv', 'yaml'] as const;
export const formats = [...textFormats, 'xlsx'] as const;
export type Format = (typeof formats)[number];

/** With these formats, errors are printed as JSON too. */
export const isMachineFormat = (format: Format) => format === 'json' || format === 'jsonl';

/** These formats print the whole record, or its fields that `--columns` picks. */
export const isWholeRecord = (format: Format) => isMachineFormat(format) || format === 'yaml';

/** A single record is a list of one in these formats, because they have a header. */
export const isSheet = (format: Format): format is 'csv' | 'xlsx' =>
  format === 'csv' || format === 'xlsx';
