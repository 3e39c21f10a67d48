import type { Hint } from './errors.ts';
import type { Redactor } from './http/redact.ts';
import type { JqRequest } from './output/jq.ts';
import type { TerminalWorld } from './output/streams.ts';
import type { Format } from './values/formats.ts';

/** The global flags that are used as they are given. */
export interface PlainFlags {
  /** Replace existing files without asking. */
  overwrite?: boolean;
  /** Do not escape formulas in CSV. */
  csvRaw?: boolean;
  /** Start CSV with a byte-order mark. */
  csvBom?: boolean;
  names?: boolean;
  showSecrets?: boolean;
  strict?: boolean;
  color: boolean;
  /** False with `--no-pager`. */
  pager: boolean;
  profile?: string;
  baseUrl?: string;
  allowHttp?: boolean;
  caCert?: string;
  clientCert?: string;
  clientKey?: string;
  debug?: boolean;
  /** No notes and no progress. */
  quiet?: boolean;
  /** Prompts are allowed; false with `--no-input`. */
  input: boolean;
}

export interface GlobalFlags extends PlainFlags {
  /** By default a table on a terminal, and TSV elsewhere. */
  format?: Format;
  /** The file that gets the result instead of standard output. */
  outputFile?: string;
  /** Warnings and errors are lines of JSON, unless a person reads them. */
  hasJsonErrors: boolean;
  columns?: readonly string[];
  jq?: JqRequest;
  isoTimes: boolean;
  timeoutMs: number;
  retries: number;
}

export interface World extends TerminalWorld {
  /** Node, or the one-file program. */
  execPath: string;
  /** The command that starts mar. */
  program: readonly [string, ...string[]];
  nodeVersion: string;
  /** Who runs the commands, if it is not a person or a script: `an agent`. */
  agent?: string;
  /** Throws for a file that an agent may not use. */
  refuseFile?(file: string): void;
  now(): Date;
  /** A clock that never jumps, for the age of what was read. */
  elapsedMs(): number;
  /** The user that runs mar; undefined on Windows. */
  userId?: number;
  pid: number;
  /** Removes known secrets from everything that goes to standard error. */
  redactor: Redactor;
  /** False for a hint whose command this program does not have. */
  isAvailable(hint: Hint): boolean;
  /** Runs work that blocks the process; a signal then ends the process at once. */
  interruptible<T>(work: () => T): T;
}
