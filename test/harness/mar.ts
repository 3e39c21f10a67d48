import { EventEmitter } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { clearLine, cursorTo, type Direction } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import type { Host, StopSignal } from '../../src/host.ts';
import { main } from '../../src/main.ts';

export interface RunOptions {
  env?: Record<string, string>;
  stdin?: string | Readable;
  /** Makes standard output (and standard error) a terminal of this width. */
  columns?: number;
  elapsedMs?: () => number;
}

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Folders that do not exist, so that tests neither read nor change the developer's files. */
const nowhere = path.join(tmpdir(), `mar-nowhere-${process.pid}`);
const noFolders = {
  MAR_CONFIG_DIR: path.join(nowhere, 'config'),
  MAR_STATE_DIR: '/dev/null/state',
  // Most tests log in by the environment, and would all be warned that no orders are recorded.
  MAR_LOG: 'off',
  HOME: nowhere,
};
process.on('exit', () => rmSync(nowhere, { recursive: true, force: true }));

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mar-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file with this content, in a folder of its own. */
export function temporaryFile(content: string | Uint8Array, name: string): string {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}

/** The paths of all files in a folder, at any depth. */
export const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());

/** Runs the program in this process, with its own streams and environment. */
export const mar = (argv: readonly string[], options?: RunOptions): Promise<Outcome> =>
  startMar(argv, options).ended;

/** Like `mar`, for a run that must succeed. */
export async function marOk(argv: readonly string[], options?: RunOptions): Promise<Outcome> {
  const run = await mar(argv, options);
  expect(run.code, run.stderr).toBe(0);
  return run;
}

/** Like `mar`, for tests that interrupt the run with `signal`. */
export function startMar(
  argv: readonly string[],
  { env, stdin = '', columns, elapsedMs = () => 0 }: RunOptions = {},
) {
  const stdout = new Sink(columns);
  const stderr = new Sink(columns);
  const signals = new EventEmitter();
  const host: Host = {
    stdin: typeof stdin === 'string' ? Readable.from([Buffer.from(stdin)]) : stdin,
    stdout,
    stderr,
    env: { ...noFolders, ...env },
    platform: 'linux',
    execPath: process.execPath,
    argv: [process.execPath, path.resolve('bin/mar.js')],
    argv0: 'node',
    version: process.version,
    pid: process.pid,
    getuid: process.getuid,
    on: (name, listener) => signals.on(name, listener),
    off: (name, listener) => signals.off(name, listener),
    exit: (code) => {
      throw new Error(`exit ${code}`);
    },
  };
  return {
    stdout,
    stderr,
    signal: (name: StopSignal) => signals.emit(name),
    // Time stands still for the age of records, so that a busy machine does not read them again.
    ended: main(argv, host, { elapsedMs }).then(
      (code): Outcome => ({ code, stdout: stdout.text, stderr: withoutSpinner(stderr.text) }),
    ),
  };
}

/** Removes the frames of a spinner: they do not stay on the screen. */
const withoutSpinner = (text: string) => {
  const [before = '', ...frames] = text.split('\u001b[?2026h');
  const after = frames.map((frame) => frame.split('\u001b[?2026l')[1] ?? '').join('');
  return before + after.replaceAll('\u001b[1G', '').replaceAll('\u001b[0K', '');
};

class Sink extends Writable {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  /** The written bytes, for output that is not text. */
  readonly chunks: Buffer[] = [];
  text = '';

  constructor(columns: number | undefined) {
    super({ decodeStrings: false });
    this.isTTY = columns !== undefined;
    this.columns = columns;
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(Buffer.from(chunk));
    this.text += chunk.toString();
    this.emit('text');
    done();
  }

  // A spinner moves the cursor with the methods of a terminal.
  cursorTo = (column: number) => cursorTo(this, column);
  clearLine = (direction: Direction) => clearLine(this, direction);

  /** Waits until the output contains a text. */
  async until(part: string): Promise<void> {
    while (!this.text.includes(part)) await new Promise((seen) => this.once('text', seen));
  }
}
