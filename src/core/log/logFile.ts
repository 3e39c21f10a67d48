import {
  type BigIntStats,
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  statSync,
  truncateSync,
} from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { type Hints, MarError, orUndefined, systemCode, usageError } from '../errors.ts';
import type { Lock } from '../files/lock.ts';
import { openRegular, withRegularFile, writeAll } from '../files/regularFile.ts';
import { readReason, systemReason } from '../files/systemReason.ts';

/*
 * A log is a file that only grows, by lines of JSON. Each line ends with its number and a checksum of it
 * and of all lines before it, so a line that was changed, removed, repeated or moved is noticed. The log
 * of an account is such a file, and so are the journals of batches.
 */

export interface LogKind {
  /** `journal` */
  noun: string;
  /** The newest that this program knows. */
  version: number;
  /** How the first line starts. */
  start: string;
  /** The hints for a damaged file, and for one that is no such log. */
  repair: Hints;
  replace: Hints;
}

/** The sealed lines of a log: where they end, and the file that they were read from. */
export interface LogEnd {
  line: number;
  crc: number;
  /** In bytes. */
  size: number;
  /** A power cut may lose the line end of the last line, and nothing else. */
  lacksLineEnd: boolean;
  file?: BigIntStats;
}

export interface LogLine {
  bytes: Buffer;
  position: number;
}

export const emptyLog: LogEnd = { line: 0, crc: 0, size: 0, lacksLineEnd: false };

const sealOf = (line: number, crc: number) =>
  `,"seq":${line},"crc":"${crc.toString(16).padStart(8, '0')}"}`;
const crcLength = ',"crc":"89abcdef"}'.length;

/** Completes a line of JSON, which is given without its closing brace. */
export function sealLine(json: string, end: LogEnd): { text: string; end: LogEnd } {
  const line = end.line + 1;
  const crc = crc32(`${json},"seq":${line}`, end.crc);
  const text = `${end.lacksLineEnd ? '\n' : ''}${json}${sealOf(line, crc)}\n`;
  const size = end.size + Buffer.byteLength(text);
  return { text, end: { ...end, line, crc, size, lacksLineEnd: false } };
}

/** The end of a log with one more line; undefined if the line does not continue it. */
function continued(bytes: Buffer, end: LogEnd): LogEnd | undefined {
  const line = end.line + 1;
  const crc = crc32(bytes.subarray(0, -crcLength), end.crc);
  const seal = sealOf(line, crc);
  const isSealed = bytes.toString('latin1', Math.max(bytes.length - seal.length, 0)) === seal;
  return isSealed ? { ...end, line, crc, size: end.size + bytes.length + 1 } : undefined;
}

const chunkBytes = 256 * 1024;

/**
 * The sealed lines of a log. Returns where they end. What a killed process left incomplete behind them
 * counts for nothing; all else that is not sealed is damage. Without a file, there are no lines.
 */
export function* readLines(file: string, kind: LogKind): Generator<LogLine, LogEnd> {
  const descriptor = openToRead(file, kind);
  if (descriptor === undefined) return emptyLog;
  try {
    let end: LogEnd = { ...emptyLog, file: fstatSync(descriptor, { bigint: true }) };
    let rest = Buffer.alloc(0);
    for (;;) {
      // The keys and orders of a long batch are one line.
      const chunk = Buffer.allocUnsafe(Math.max(chunkBytes, rest.length));
      const length = readSync(descriptor, chunk);
      if (length === 0) break;
      const searched = rest.length;
      rest = Buffer.concat([rest, chunk.subarray(0, length)]);
      const first = rest.toString('latin1', 0, kind.start.length);
      if (end.line === 0 && !kind.start.startsWith(first)) throw noLog(file, kind);
      let start = 0;
      for (let at = rest.indexOf('\n', searched); at >= 0; at = rest.indexOf('\n', start)) {
        const bytes = rest.subarray(start, at);
        const longer = continued(bytes, end);
        if (!longer) throw damaged(file, kind, end.line + 1, 'its checksum does not match');
        if (end.line === 0 && JSON.parse(bytes.toString()).version > kind.version) {
          const problem = `the ${kind.noun} ${file} was written by a newer version of mar`;
          throw usageError(problem, 'Nothing was sent. Update mar.');
        }
        end = longer;
        yield { bytes, position: end.size - bytes.length - 1 };
        start = at + 1;
      }
      rest = rest.subarray(start);
    }
    const last = rest.length > 0 && continued(rest, end);
    if (last) {
      yield { bytes: rest, position: end.size };
      return { ...last, size: last.size - 1, lacksLineEnd: true };
    }
    // A log gets its name with its first line.
    if (end.line === 0 && rest.length > 0) throw damaged(file, kind, 1, 'it is incomplete');
    // With its number, since a value may have a field of this name.
    const seal = new RegExp(`,"seq":${end.line + 1},"crc":"[\\da-f]{8}"\\}`);
    if (!seal.test(rest.toString('latin1'))) return end;
    throw damaged(file, kind, end.line + 1, 'its line break is missing');
  } finally {
    closeSync(descriptor);
  }
}

function openToRead(file: string, kind: LogKind): number | undefined {
  try {
    return openRegular(file, constants.O_RDONLY);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    if (error instanceof MarError) throw noLog(file, kind);
    throw usageError(`cannot read the ${kind.noun} ${file}: ${readReason(error)}`, kind.repair);
  }
}

export const noLog = (file: string, { noun, replace }: LogKind) =>
  usageError(`${file} is not a ${noun} of mar`, replace);

const damaged = (file: string, { noun, repair }: LogKind, line: number, why: string) =>
  usageError(`the ${noun} ${file} is damaged at line ${line}: ${why}`, repair);

/** The line at a position, without its line end. */
export function lineAt(file: string, position: number): string {
  try {
    return withRegularFile(file, constants.O_RDONLY, (descriptor) => {
      for (let length = 4 * 1024; ; length *= 2) {
        const buffer = Buffer.alloc(length);
        const bytes = buffer.subarray(0, readSync(descriptor, buffer, { position }));
        const end = bytes.indexOf('\n');
        if (end >= 0) return bytes.toString('utf8', 0, end);
        if (bytes.length < length) return bytes.toString();
      }
    });
  } catch (cause) {
    const problem = `cannot read the line at byte ${position} of ${file}: ${readReason(cause)}`;
    throw new MarError('local', problem, { cause });
  }
}

/** A new log gets its name once its first line is on the disk: a killed process leaves none without. */
export async function createLog(file: string, kind: LogKind, line: string): Promise<LogEnd> {
  const { replaceFile } = await import('../files/replaceFile.ts');
  const { text, end } = sealLine(line, emptyLog);
  await replaceFile(file, text, { sync: true }).catch((error: unknown) => {
    throw unwritable(file, kind, error);
  });
  // Makes the name survive a power cut. Not every system supports it.
  orUndefined(() => {
    const folder = openSync(path.dirname(file), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  });
  return end;
}

const unwritable = (file: string, { noun }: LogKind, error: unknown) =>
  error instanceof MarError
    ? error
    : usageError(
        `cannot write the ${noun} ${file}: ${systemReason(error)}`,
        'Nothing more was sent. Free some space, or make its folder writable, then run the same command again.',
        { cause: error },
      );

interface Waiting {
  lastLine?: (position: number) => string;
  resolve(): void;
  reject(error: unknown): void;
}

/** A sync that takes less counts as fast. */
const fastSyncMs = 2;

/**
 * Adds lines to a log, which survive a power cut once `synced` resolves. Those who wait while the disk
 * is busy share the next sync. Whoever adds lines holds the lock of the log.
 */
export class LogWriter {
  /** How many calls of `synced` may share a sync. */
  maxTogether = Number.POSITIVE_INFINITY;
  readonly #file: string;
  readonly #kind: LogKind;
  readonly #lock: Lock;
  readonly #descriptor: number;
  /** The number of lines that survive a power cut. */
  syncedLines: number;
  #end: LogEnd;
  #waiting: Waiting[] = [];
  #syncs: Promise<void> | undefined;
  #failure: MarError | undefined;
  #wasFast = false;

  /** Cuts off what follows the sealed lines. Throws if it is not the file that was read. */
  constructor(file: string, kind: LogKind, end: LogEnd, lock: Lock) {
    this.#file = file;
    this.#kind = kind;
    this.#lock = lock;
    this.#descriptor = openRegular(file, constants.O_WRONLY | constants.O_APPEND);
    try {
      const opened = fstatSync(this.#descriptor, { bigint: true });
      this.#end = { ...end, file: opened };
      this.syncedLines = end.line;
      this.#checkLock();
      if (!isSame(opened, end.file ?? opened) || opened.size < end.size) throw this.#replaced();
      // By its name, because Windows truncates no file that is open for appending.
      if (opened.size > end.size) truncateSync(file, end.size);
    } catch (error) {
      closeSync(this.#descriptor);
      throw unwritable(file, kind, error);
    }
  }

  get end(): LogEnd {
    return this.#end;
  }

  /** Writes lines, which survive the end of the process. Returns the position of the first. */
  add(...lines: readonly string[]): number {
    const position = this.#position;
    try {
      this.throwFailure();
      this.#checkLock();
      let added = '';
      for (const json of lines) {
        const { text, end } = sealLine(json, this.#end);
        this.#end = end;
        added += text;
      }
      writeAll(this.#descriptor, added);
    } catch (error) {
      this.#failure ??= unwritable(this.#file, this.#kind, error);
    }
    return position;
  }

  get #position(): number {
    return this.#end.size + (this.#end.lacksLineEnd ? 1 : 0);
  }

  /**
   * Resolves once all lines so far survive a power cut. `lastLine` makes one more line, which is
   * written when the sync starts. After a failure, it always rejects.
   */
  synced(lastLine?: Waiting['lastLine']): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ lastLine, resolve, reject });
      this.#syncs ??= this.#syncWaiting();
    });
  }

  /** Throws the failure since the log was opened. */
  throwFailure(): void {
    if (this.#failure) throw this.#failure;
  }

  async close(): Promise<void> {
    await this.#syncs;
    closeSync(this.#descriptor);
  }

  async #syncWaiting(): Promise<void> {
    // Waits for the lines of responses that have already arrived.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.maxTogether);
      for (const { lastLine } of group) if (lastLine) this.add(lastLine(this.#position));
      try {
        await this.#sync();
        for (const { resolve } of group) resolve();
      } catch (error) {
        this.#failure ??= unwritable(this.#file, this.#kind, error);
        for (const { reject } of group) reject(this.#failure);
      }
    }
    this.#syncs = undefined;
  }

  async #sync(): Promise<void> {
    this.throwFailure();
    const start = performance.now();
    const { line } = this.#end;
    // Another thread of a busy computer would wait longer for its turn than for a fast disk.
    if (this.#wasFast) fdatasyncSync(this.#descriptor);
    else {
      await new Promise<void>((resolve, reject) => {
        fdatasync(this.#descriptor, (error) => (error ? reject(error) : resolve()));
      });
    }
    this.#wasFast = performance.now() - start < fastSyncMs;
    // A line that was added meanwhile may have found the disk full, and the file is then too short.
    this.throwFailure();
    // A deleted or replaced file still accepts writes, but the next run would not see them.
    const found = statSync(this.#file, { bigint: true, throwIfNoEntry: false });
    const { file, size } = this.#end;
    const isUnchanged = found && file && isSame(found, file) && found.size === BigInt(size);
    if (!isUnchanged) throw this.#replaced();
    this.syncedLines = line;
  }

  /** Somebody may have deleted the lock file, and another process have taken the lock. */
  #checkLock(): void {
    if (this.#lock.isHeld()) return;
    const message = `the lock of the ${this.#kind.noun} ${this.#file} was deleted or taken by another process`;
    throw usageError(message, 'Nothing more was sent. Run the same command again.');
  }

  #replaced(): MarError {
    const { noun } = this.#kind;
    return usageError(
      `the ${noun} ${this.#file} was deleted, replaced or changed by another program`,
      `Nothing more was sent. The ${noun} records what was sent: restore it, then run the same command again.`,
    );
  }
}

const isSame = (one: BigIntStats, other: BigIntStats) =>
  one.ino === other.ino && one.dev === other.dev;
