import type { Processes } from './batch/journal/journalLock.ts';
import type { Environment } from './config/folders.ts';
import type { Redactor } from './http/redact.ts';
import type { JqRequest } from './terminal/jq.ts';
import type { Format } from './terminal/printer.ts';
import type { Streams } from './terminal/streams.ts';

/** The flags that every command takes, read and checked. */
export interface GlobalFlags {
  /** As asked for; else a table on a terminal, tab-separated values elsewhere. */
  format?: Format;
  columns?: readonly string[];
  jq?: JqRequest;
  /** `--csv-raw`: formulas stay as they are. */
  csvRaw: boolean;
  showSecrets: boolean;
  strict: boolean;
  /** `--no-color` makes it false. */
  color: boolean;
  profile?: string;
  baseUrl?: string;
  allowHttp: boolean;
  timeoutMs: number;
  /** How many times a GET may be sent again. */
  retries: number;
  maxBodyBytes: number;
  /** A file of certificates to trust as well. */
  caCert?: string;
  debug: boolean;
  /** `--no-input` makes it false. */
  input: boolean;
}

/** What the world gives to the program. Tests give their own. */
export interface World {
  streams: Streams;
  env: Environment;
  platform: NodeJS.Platform;
  /** The Node that runs this. */
  execPath: string;
  nodeVersion: string;
  now(): Date;
  /** This process, and whether others are still there. */
  processes: Processes;
  /** Knows the secrets in use; what is said on standard error goes through it. */
  redactor: Redactor;
  /** Aborts when the user interrupts; its reason is the error to end with. */
  signal: AbortSignal;
  /** For work that keeps the process busy: while it runs, an interruption ends the process. */
  interruptible<T>(work: () => T): T;
  /** Runs something that Ctrl-C is meant for, such as an editor, and not this program. */
  ignoringInterrupts<T>(action: () => Promise<T>): Promise<T>;
}
