import { accessSync, constants, fdatasyncSync, fstatSync, ftruncateSync, statSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { forPerson, MarError, systemCode } from '../errors.ts';
import { makeFolder } from '../files/makeFolder.ts';
import { readRegularFile, withRegularFile, writeAll } from '../files/regularFile.ts';
import { readReason, systemReason } from '../files/systemReason.ts';

/** The command that places orders. A batch places many. */
export interface LedgerRun {
  /** When it was placed, in ISO 8601. */
  at: string;
  service: string;
  account: string;
  /** The command: `wr create`. */
  by: string;
  file?: string;
  journal?: string;
}

/** An order as it is sent; `place` and `wants` identify it. */
export interface NewOrder {
  place: string;
  wants: string;
  /** A fingerprint of what is sent. */
  body: string;
  /** The row of a batch. */
  row?: number;
}

/** `repeated`: its outcome stayed unknown, and it was sent once more. */
export type OrderOutcome = 'created' | 'refused' | 'unsent' | 'unknown' | 'repeated';

export interface PlacedOrder extends LedgerRun, NewOrder {
  /** Names the order in the ledger. */
  order: string;
  /** Unknown until it is recorded: the process may have been killed. */
  outcome: OrderOutcome;
  /** The id of the new record. */
  id?: string;
}

export interface Settlement {
  order: string;
  as: OrderOutcome;
  id?: string | undefined;
}

const yearMs = 365 * 24 * 3600 * 1000;
/** Old orders are removed in one go, so that not every order rewrites the file. */
const removeAfterMs = yearMs * 1.1;
/** Space for half a million orders. */
const maxBytes = 128 * 1024 * 1024;

/** The end of the complete lines, with a checksum of all of them. */
interface End {
  size: number;
  crc: number;
}

/**
 * The orders that this machine sent, as lines of JSON: one for a run, followed by one for each of its
 * orders; later, one for each outcome. Every addition ends with a checksum of all lines before it. So
 * damage is noticed, and an addition that a power cut left incomplete counts for nothing: its orders
 * were not sent.
 */
export class Ledger {
  readonly path: string;
  readonly #now: () => Date;
  readonly #isNamed: boolean;
  /** After an addition by this process. */
  #end: End | undefined;

  /** A ledger that somebody named must be there; the usual one is not on every machine. */
  constructor(file: string, now: () => Date, { isNamed = false } = {}) {
    this.path = path.resolve(file);
    this.#now = now;
    this.#isNamed = isNamed;
  }

  /** The orders at these places that were sent, or may have been, from the oldest to the newest. */
  find(service: string, places: ReadonlySet<string>): PlacedOrder[] {
    return ordersAt(this.#read().lines, service, places);
  }

  /** Orders of single commands whose outcome is not known. */
  unknown(service: string): PlacedOrder[] {
    const isSingle = (line: string) => !/"order":"[^"]*\//.test(line);
    const orders = ordersIn(this.#read().lines, service, isSingle);
    return orders.filter(({ outcome }) => outcome === 'unknown');
  }

  /**
   * Records orders that are about to be sent, and waits until that survives a power cut. `check` gets
   * the earlier ones at the same places, and may throw: no other process can place one meanwhile.
   * Without it, earlier ones do not matter. Returns the name of the run.
   */
  async place(
    run: LedgerRun,
    orders: readonly NewOrder[],
    check?: (earlier: readonly PlacedOrder[]) => void,
  ): Promise<string> {
    const name = `${this.#now().getTime().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
    function* texts() {
      yield `${JSON.stringify({ run: name, ...run })}\n`;
      for (const { place, wants, body, row } of orders) {
        yield `${placeStart}${JSON.stringify(place)}${wantsStart}${JSON.stringify(wants)},"order":"${orderName(name, row)}","body":"${body}"}\n`;
      }
    }
    await this.#locked(async () => {
      const { lines, end } = this.#read();
      check?.(ordersAt(lines, run.service, new Set(orders.map(({ place }) => place))));
      this.#end = (await this.#removeOld(lines)) ?? end;
      this.#append(texts(), true);
    });
    return name;
  }

  /** Records outcomes. Without one, an order counts as unknown. */
  async settle(outcomes: readonly Settlement[]): Promise<void> {
    if (outcomes.length === 0) return;
    const texts = outcomes.map(
      ({ order, as, id }) => `${JSON.stringify({ outcome: order, as, id })}\n`,
    );
    await this.#locked(async () => {
      // Reading a long ledger for each part of a batch would take longer than the rows.
      const { size } = statSync(this.path, { throwIfNoEntry: false }) ?? {};
      if (this.#end?.size !== size) this.#end = this.#read().end;
      this.#append(texts, false);
    });
  }

  async #locked(work: () => Promise<void>): Promise<void> {
    const { withLock } = await import('../files/lock.ts');
    const folder = path.dirname(this.path);
    try {
      makeFolder(folder);
      accessSync(folder, constants.W_OK);
    } catch (cause) {
      throw new LedgerError(this.path, systemReason(cause), cause, !this.#isNamed);
    }
    await withLock(`${this.path}.lock`, work);
  }

  /** In pieces, because the lines of a long batch are many megabytes. */
  #append(lines: Iterable<string>, sync: boolean): void {
    const { O_RDWR, O_CREAT, O_APPEND } = constants;
    let { size, crc } = this.#end ?? { size: 0, crc: 0 };
    try {
      withRegularFile(this.path, O_RDWR | O_CREAT | O_APPEND, (file) => {
        if (fstatSync(file).size > size) ftruncateSync(file, size);
        const write = (text: string) => {
          const bytes = Buffer.from(text);
          writeAll(file, bytes);
          size += bytes.length;
          crc = crc32(bytes, crc);
        };
        let piece = '';
        for (const line of lines) {
          piece += line;
          if (piece.length < pieceLength) continue;
          write(piece);
          piece = '';
        }
        write(piece);
        write(seal(crc));
        if (sync) fdatasyncSync(file);
      });
    } catch (error) {
      throw new LedgerError(this.path, systemReason(error), error);
    }
    this.#end = { size, crc };
  }

  /** Rewrites a ledger that has orders of more than a year, or too many. */
  async #removeOld(lines: Buffer): Promise<End | undefined> {
    const now = this.#now().getTime();
    const isTooLong = lines.length > maxBytes;
    const first = runAfter(lines, 0)?.at;
    if (!first || (!isTooLong && now - Date.parse(first) < removeAfterMs)) return undefined;
    const yearAgo = new Date(now - yearMs).toISOString();
    const middle = isTooLong ? runAfter(lines, lines.length / 2)?.at : undefined;
    const kept = linesSince(lines, [yearAgo, middle ?? ''].sort().at(-1) ?? yearAgo);
    const bytes = Buffer.concat([kept, Buffer.from(seal(crc32(kept)))]);
    const { replaceFile } = await import('../files/replaceFile.ts');
    await replaceFile(this.path, bytes, { sync: true });
    return { size: bytes.length, crc: crc32(bytes) };
  }

  /** All complete lines. A file that is damaged or cannot be read is never taken for an empty one. */
  #read(): { lines: Buffer; end: End } {
    let bytes: Buffer = Buffer.alloc(0);
    try {
      bytes = readRegularFile(this.path);
    } catch (error) {
      const code = systemCode(error);
      // ENOTDIR: there is no place for it either, which the first order reports.
      if (code !== 'ENOENT' && code !== 'ENOTDIR') {
        const reason = error instanceof MarError ? 'it is not a regular file' : readReason(error);
        throw new LedgerError(this.path, reason, error);
      }
    }
    const end = verifiedEnd(bytes);
    // After the last checksum, only the beginning of an addition may follow.
    const rest = bytes.subarray(end.size);
    const sealAt = rest.indexOf(sealStart);
    const isSealed = sealAt >= 0 && sealAt + sealLength <= rest.length;
    if (isSealed || rest.includes(0) || (rest[0] ?? brace) !== brace) {
      throw new LedgerError(this.path, 'it is damaged');
    }
    return { lines: bytes.subarray(0, end.size), end };
  }
}

/** The ledger cannot be used. `hasNoPlace`: there never was one, since this machine has no place for it. */
export class LedgerError extends MarError {
  readonly hasNoPlace: boolean;

  constructor(file: string, reason: string, cause?: unknown, hasNoPlace = false) {
    super('usage', `cannot use the ledger of your orders, ${file}: ${reason}`, { cause, hint });
    this.hasNoPlace = hasNoPlace;
  }
}

const hint = forPerson(
  'Nothing was sent. It shows what was ordered before: repair it, or restore it from a backup. If you move it away, mar begins a new one. To send this without it, use --again.',
);

const brace = '{'.charCodeAt(0);
const placeStart = '{"place":';
const wantsStart = ',"wants":';
const runStart = '{"run":';
/** Ends the name of all orders of a run that have no outcome of their own. */
export const others = '/*';
const outcomeStart = '{"outcome":"';
const sealStart = '{"crc":"';
/** `{"crc":"89abcdef"}` and a line end. */
const sealLength = sealStart.length + '89abcdef"}\n'.length;

const orderName = (run: string, row: number | undefined) =>
  row === undefined ? run : `${run}/${row}`;

const pieceLength = 64 * 1024;

/** The line after an addition: a checksum of it and of all before it. */
const seal = (crc: number) => `${sealStart}${crc.toString(16).padStart(8, '0')}"}\n`;

/** The end of the last addition whose checksum, and all before it, are right. */
function verifiedEnd(bytes: Buffer): End {
  let end: End = { size: 0, crc: 0 };
  for (let at = bytes.indexOf(sealStart); at >= 0; at = bytes.indexOf(sealStart, end.size)) {
    const crc = crc32(bytes.subarray(end.size, at), end.crc);
    const sealBytes = bytes.subarray(at, at + sealLength);
    if (sealBytes.toString() !== seal(crc)) break;
    end = { size: at + sealLength, crc: crc32(sealBytes, crc) };
  }
  return end;
}

function* linesOf(bytes: Buffer): Generator<string> {
  let start = 0;
  for (let end = bytes.indexOf('\n', start); end >= 0; end = bytes.indexOf('\n', start)) {
    yield bytes.toString('utf8', start, end);
    start = end + 1;
  }
}

/** The orders at these places, without those that are known not to have arrived. */
function ordersAt(lines: Buffer, service: string, places: ReadonlySet<string>): PlacedOrder[] {
  const texts = new Set([...places].filter(Boolean).map((place) => JSON.stringify(place)));
  // Most orders are new, and this is far quicker than reading each line of a long ledger.
  const isRare = texts.size < 10;
  if (isRare && ![...texts].some((text) => lines.includes(placeStart + text))) return [];
  return ordersIn(lines, service, (line) =>
    texts.has(line.slice(placeStart.length, line.indexOf(wantsStart))),
  );
}

function ordersIn(lines: Buffer, service: string, isWanted: (line: string) => boolean) {
  const found = new Map<string, Omit<PlacedOrder, 'outcome'> & Partial<PlacedOrder>>();
  let runLine = '';
  for (const line of linesOf(lines)) {
    if (line.startsWith(runStart)) runLine = line;
    else if (line.startsWith(placeStart)) {
      if (!isWanted(line)) continue;
      const order = { ...JSON.parse(runLine), ...JSON.parse(line) };
      const [, row] = order.order.split('/');
      if (row !== undefined) order.row = Number(row);
      if (order.service === service) found.set(order.order, order);
    } else if (line.startsWith(outcomeStart)) {
      const name = line.slice(outcomeStart.length, line.indexOf('"', outcomeStart.length));
      const run = name.endsWith(others) ? name.slice(0, -1) : undefined;
      const settled = run
        ? [...found.values()].filter((one) => !one.outcome && one.order.startsWith(run))
        : [found.get(name) ?? []].flat();
      for (const order of settled) {
        const { as: outcome, id } = JSON.parse(line);
        Object.assign(order, { outcome, id });
      }
    }
  }
  return [...found.values()].flatMap((order): PlacedOrder[] => {
    const { outcome = 'unknown' } = order;
    return outcome === 'created' || outcome === 'unknown' ? [{ ...order, outcome }] : [];
  });
}

function runAfter(lines: Buffer, position: number): LedgerRun | undefined {
  const start = lines.indexOf(runStart, position);
  if (start < 0) return undefined;
  return JSON.parse(lines.toString('utf8', start, lines.indexOf('\n', start)));
}

/** The lines of the runs since a time. */
function linesSince(lines: Buffer, time: string): Buffer {
  const runs = new Set<string>();
  let isKept = false;
  const kept: Buffer[] = [];
  for (const line of linesOf(lines)) {
    if (line.startsWith(sealStart)) continue;
    const { run, at, outcome } = JSON.parse(line);
    if (run !== undefined) isKept = at >= time;
    if (run !== undefined && isKept) runs.add(run);
    const isWanted = outcome === undefined ? isKept : runs.has(outcome.split('/')[0]);
    if (isWanted) kept.push(Buffer.from(`${line}\n`));
  }
  return Buffer.concat(kept);
}
