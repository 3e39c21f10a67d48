export const textFormats = ['table', 'json', 'jsonl', 'csv', 'tsv', 'yaml'] as const;
export const formats = [...textFormats, 'xlsx'] as const;
export type Format = (typeof formats)[number];

const otherEndings: Readonly<Record<string, Format>> = {
  yml: 'yaml',
  ndjson: 'jsonl',
  txt: 'table',
};

export const fileEndings = [
  ...formats.filter((format) => format !== 'table'),
  ...Object.keys(otherEndings),
].map((ending) => `.${ending}`);

export function formatOfFile(file: string): Format | undefined {
  const ending = fileEndings.find((known) => file.toLowerCase().endsWith(known))?.slice(1) ?? '';
  return otherEndings[ending] ?? formats.find((format) => format === ending);
}

/** With these formats, errors are printed as JSON too. */
export const isMachineFormat = (format: Format) => format === 'json' || format === 'jsonl';

/** These formats print the whole record, or its fields that `--columns` picks. */
export const isWholeRecord = (format: Format) => isMachineFormat(format) || format === 'yaml';

/** A single record is a list of one in these formats, because they have a header. */
export const isSheet = (format: Format): format is 'csv' | 'xlsx' =>
  format === 'csv' || format === 'xlsx';
