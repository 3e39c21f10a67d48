import { usageError, withFacts } from '../errors.ts';
import { type Option, option } from '../input.ts';
import { parsePath } from '../json/path.ts';
import { parseDuration } from '../values/duration.ts';
import { type Format, formatOfFile, formats, isMachineFormat } from '../values/formats.ts';
import { parseWholeNumber } from '../values/numbers.ts';
import type { GlobalFlags, PlainFlags } from '../world.ts';

const defaultTimeout = '30s';
const defaultRetries = '2';

const jqHint = 'The output of the filter is printed unchanged: choose the fields in the filter.';

/** Those that choose what is printed, and how. */
export const outputOptions: readonly Option[] = [
  option('--json', 'print JSON; a list is one array', {
    excludes: ['--jsonl', '--output-format'],
  }),
  option('--jsonl', 'print one JSON record per line', { excludes: ['--output-format'] }),
  option('-o, --output-format <format>', 'format', {
    choices: formats,
    default: 'the setting output',
  }),
  option('-O, --output <file>', 'file to write; its ending, or -o, chooses the format', {
    default: 'standard output',
    completes: 'file',
  }),
  option('--overwrite', 'replace an existing file without asking'),
  option('--fields, --columns <paths>', 'fields or column titles, such as name,due.date', {
    many: true,
    completes: 'columns',
  }),
  option('--jq <filter>', 'apply a jq filter to each record', {
    excludes: ['--jq-slurp', '--columns'],
    relationHints: { '--columns': jqHint },
  }),
  option(
    '--jq-slurp <filter>',
    'apply a jq filter once, to all records that were read, as one array',
    {
      excludes: ['--columns'],
      relationHints: { '--columns': jqHint },
    },
  ),
  option('--csv-raw', "do not put ' before CSV cells that look like formulas"),
  option('--csv-bom', 'start CSV with a byte-order mark, for Excel'),
  option(
    '--names',
    'add known names to the ids of users, assets and projects in CSV, TSV and xlsx',
  ),
  option('--times <form>', 'form of times in JSON and YAML, such as 2026-12-01T17:00:00Z', {
    choices: ['iso'],
    default: "the service's integers",
  }),
  option('--show-secrets', 'print passwords, access keys and signed addresses in full'),
];

export const globalOptions: readonly Option[] = [
  ...outputOptions,
  option('-q, --quiet', 'no spinner, progress or notes'),
  option('--no-color', 'no colours'),
  option('--no-pager', 'print long output without a pager'),
  option('--no-input', 'never ask questions'),
  option('--profile <name>', 'profile to use', {
    default: 'MAR_PROFILE, then that of profile use',
    completes: 'profile',
  }),
  option('--base-url <url>', 'base URL of the service, ending in /api', {
    default: "MAR_BASE_URL, then the profile's",
  }),
  option('--allow-http', 'allow plain http to other machines'),
  option('--timeout <duration>', 'time limit for a request; wr wait has its own', {
    default: defaultTimeout,
  }),
  option('--retries <n>', 'retries of a failed GET or HEAD', { default: defaultRetries }),
  option('--ca-cert <file>', 'file of certificates to trust as well', { completes: 'file' }),
  option('--client-cert <file>', 'certificate to show to the service', {
    default: "the profile's",
    completes: 'file',
  }),
  option('--client-key <file>', 'private key of that certificate', {
    completes: 'file',
  }),
  option('--debug', 'print each request and response; MAR_DEBUG=http adds headers and bodies'),
  option('-V, --version', 'print the version'),
  option('--strict', 'fail on unknown fields and unexpected responses; not in mar api'),
];

/** The options of the command tree. Those with `choices` have been checked. */
export interface GlobalValues extends PlainFlags {
  json?: boolean;
  jsonl?: boolean;
  outputFormat?: Format;
  output?: string;
  columns?: readonly string[];
  jq?: string;
  jqSlurp?: string;
  times?: 'iso';
  retries?: string;
  timeout?: string;
  version?: boolean;
}

export function readGlobals(values: GlobalValues): GlobalFlags {
  const { retries = defaultRetries, timeout = defaultTimeout } = values;
  const program = values.jq ?? values.jqSlurp;
  const jq = program === undefined ? undefined : { program, slurp: values.jq === undefined };
  const outputFile = readOutputFile(values.output);
  const printed = printedFormat(values);
  const named = formatOfFile(outputFile ?? '');
  // A filter may print text in any format, except a workbook. --json is then only about errors.
  const format = values.outputFormat ?? (jq && named !== 'xlsx' ? undefined : named) ?? printed;
  const columns = values.columns?.join(',').split(',');
  if (jq && format && !isMachineFormat(format)) {
    const output = values.outputFormat
      ? { flag: '-o', value: format }
      : { flag: '-O', value: outputFile };
    const problem = `a jq filter cannot be used with ${output.flag} ${output.value}`;
    throw usageError(problem, jqHint, output);
  }
  for (const path of columns ?? []) withFacts({ flag: '--columns' }, () => parsePath(path));
  if (values.profile === '') {
    const hint = 'Give the name of a profile, or leave the flag out.';
    throw usageError('--profile is empty', hint, { flag: '--profile' });
  }
  return {
    ...values,
    format,
    outputFile,
    hasJsonErrors: hasJsonErrors(values),
    columns,
    jq,
    isoTimes: values.times === 'iso',
    retries: parseWholeNumber(retries, '--retries', { min: 0, max: 99 }),
    timeoutMs: parseDuration(timeout, '--timeout'),
  };
}

const printedFormat = ({ json, jsonl, outputFormat }: GlobalValues) =>
  json ? 'json' : jsonl ? 'jsonl' : outputFormat;

/** A program that reads JSON gets errors as JSON. Also right for values that were not checked. */
export function hasJsonErrors(values: GlobalValues): boolean {
  const printed = printedFormat(values);
  const hasFilter = values.jq !== undefined || values.jqSlurp !== undefined;
  return hasFilter || (printed !== undefined && isMachineFormat(printed));
}

/** Undefined for standard output. */
export function readOutputFile(file: string | undefined): string | undefined {
  const hint = 'Give a file name, or - for standard output.';
  if (file === '') throw usageError('-O is empty', hint, { flag: '-O', value: file });
  return file === '-' ? undefined : file;
}
