/** The forms that a result can be printed in. */
export const formats = ['table', 'json', 'jsonl', 'csv', 'tsv', 'yaml'] as const;
export type Format = (typeof formats)[number];

/** Forms that are read by programs: errors are then written for programs as well. */
export const isMachineFormat = (format: Format) => format === 'json' || format === 'jsonl';

/** Forms that are the whole record, whose fields cannot be picked. */
export const isWholeRecord = (format: Format) => isMachineFormat(format) || format === 'yaml';
