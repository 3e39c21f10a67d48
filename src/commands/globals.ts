import { usageError } from '../errors.ts';
import { parsePath } from '../json/path.ts';
import type { JqRequest } from '../terminal/jq.ts';
import { type Format, formats, isMachineFormat, isWholeRecord } from '../terminal/view.ts';
import { parseDuration } from '../values/duration.ts';
import { parseSize } from '../values/numbers.ts';
import type { GlobalFlags } from '../world.ts';
import type { Option } from './command.ts';

const defaultTimeout = '30s';
const defaultRetries = '2';
const defaultMaxBody = '256MiB';

export const globalOptions: readonly Option[] = [
  { flags: '--json', summary: "the service's record as JSON; a list is one array" },
  { flags: '--jsonl', summary: 'one JSON record a line' },
  {
    flags: '-o, --output <format>',
    summary: 'how to print the result',
    choices: formats,
    default: 'table; tsv if piped',
  },
  {
    flags: '--fields, --columns <paths>',
    summary: 'which fields to print: name,due.date,uses.items[0]',
    default: 'what tells most',
    completes: 'columns',
  },
  { flags: '--jq <filter>', summary: 'print what a jq filter makes of each record' },
  { flags: '--jq-slurp <filter>', summary: 'print what a jq filter makes of the whole list' },
  { flags: '--csv-raw', summary: "no ' before CSV cells that a spreadsheet would run" },
  { flags: '--show-secrets', summary: "print a user's password field instead of [redacted]" },
  { flags: '--no-color', summary: 'no colours' },
  { flags: '--no-input', summary: 'never ask for anything' },
  {
    flags: '--profile <name>',
    summary: 'the profile to use',
    default: 'MAR_PROFILE, then default-profile',
    completes: 'profile',
  },
  {
    flags: '--base-url <url>',
    summary: 'the service, ending in /api',
    default: "MAR_BASE_URL, then the profile's",
  },
  { flags: '--allow-http', summary: 'allow plain http to other machines' },
  {
    flags: '--timeout <duration>',
    summary: 'give up on a request after this long, not counting the parsing of the response',
    default: defaultTimeout,
  },
  {
    flags: '--retries <n>',
    summary: 'send a failed GET again, this many times',
    default: defaultRetries,
  },
  { flags: '--max-body <size>', summary: 'the largest answer to take', default: defaultMaxBody },
  {
    flags: '--ca-cert <file>',
    summary: 'trust the certificates in this file as well',
    completes: 'file',
  },
  {
    flags: '--debug',
    summary: 'show each request and answer; MAR_DEBUG=http: with headers and bodies',
  },
  { flags: '-V, --version', summary: 'print the version' },
  { flags: '--strict', summary: 'fail when an answer does not fit its documented shape' },
];

export type GlobalValues = Readonly<Record<string, string | boolean | undefined>>;

export function readGlobals(values: GlobalValues): GlobalFlags {
  const string = (name: string) => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  const format = readFormat(values);
  const columns = string('columns')?.split(',');
  if (columns && format && isWholeRecord(format)) {
    throw usageError(
      `--columns does not go with ${format}, which is the whole record`,
      "leave one of them out, or pick fields with a filter: --jq '.name'",
    );
  }
  const jq = readFilter(string('jq'), string('jqSlurp'));
  if (jq && (columns || (format && !isMachineFormat(format)))) {
    throw usageError(
      `a jq filter does not go with ${columns ? '--columns' : `-o ${format}`}`,
      'what the filter makes is printed as it is: pick and form fields in the filter',
    );
  }
  for (const path of columns ?? []) parsePath(path);
  return {
    format,
    columns,
    jq,
    csvRaw: values.csvRaw === true,
    showSecrets: values.showSecrets === true,
    strict: values.strict === true,
    color: values.color !== false,
    profile: string('profile'),
    baseUrl: string('baseUrl'),
    allowHttp: values.allowHttp === true,
    input: values.input !== false,
    debug: values.debug === true,
    caCert: string('caCert'),
    retries: parseRetries(string('retries') ?? defaultRetries),
    maxBodyBytes: parseSize(string('maxBody') ?? defaultMaxBody, '--max-body'),
    timeoutMs: parseDuration(string('timeout') ?? defaultTimeout, '--timeout'),
  };
}

function readFilter(each: string | undefined, all: string | undefined): JqRequest | undefined {
  if (each !== undefined && all !== undefined) {
    throw usageError('--jq and --jq-slurp cannot be used together');
  }
  const program = each ?? all;
  return program === undefined ? undefined : { program, slurp: all !== undefined };
}

function parseRetries(text: string): number {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  throw usageError(`--retries takes a whole number from 0 to 99, not "${text}"`);
}

function readFormat({ json, jsonl, output }: GlobalValues): Format | undefined {
  const requested = [json && '--json', jsonl && '--jsonl', output && `--output ${output}`];
  const flags = requested.filter((flag) => typeof flag === 'string');
  if (flags.length > 1) throw usageError(`${flags.join(' and ')} cannot be used together`);
  if (json) return 'json';
  if (jsonl) return 'jsonl';
  return formats.find((format) => format === output);
}
