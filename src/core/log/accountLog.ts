import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { forPerson, MarError, usageError } from '../errors.ts';
import type { Lock } from '../files/lock.ts';
import { makeFolder } from '../files/makeFolder.ts';
import { systemReason } from '../files/systemReason.ts';
import { changeIn, lineWith, type RecordChange } from '../records/recordChange.ts';
import { createLog, type LogEnd, type LogKind, LogWriter, readLines } from './logFile.ts';

/** One write, or the writes of a batch, as it is about to be sent. */
export interface NewWrite {
  /** In ISO 8601. */
  at: string;
  service: string;
  account: string;
  /** The command: `mar wr create`. */
  by: string;
  /** `workRequestCreate`, or the method of `mar api`. */
  endpoint: string;
  what: Subject;
  file?: string | undefined;
  /** The journal of a batch. */
  batch?: BatchRun;
}

/** The record that is written, in the words of `mar log`. */
export interface Subject {
  kind: string;
  id?: string | undefined;
  asset?: string | undefined;
  workRequest?: string | undefined;
  /** The people that an event notifies. */
  notified?: string | undefined;
  name?: string | undefined;
  language?: string | undefined;
  territory?: string | undefined;
  due?: string | undefined;
}

interface BatchRun {
  journal: string;
  /** No other journal has it. */
  id: string;
  /** The number of lines that the journal had. */
  lines: number;
  rows: number;
  /** The journal of the batch that this one takes back. */
  undoOf?: string | undefined;
}

/** An order as it is sent; `place` and `wants` identify it. */
export interface NewOrder {
  place: string;
  wants: string;
  /** The row of a batch, and what identifies it in every version of its file. */
  row?: number;
  key?: string;
  /** Only for rows, to compare them with other versions. `record` is a hash of all that is sent. */
  due?: string | undefined;
  record?: string;
}

/** `repeated`: its outcome stayed unknown, and it was sent once more. */
export type WriteOutcome = 'done' | 'refused' | 'unsent' | 'unknown' | 'repeated' | 'taken-back';

/** The outcome of a write, of some rows of a batch, or of the batch. */
export interface Settlement {
  write: string;
  as?: WriteOutcome | 'ended';
  id?: string | undefined;
  name?: string | undefined;
  /** The change that was written instead of the one in the intent. */
  change?: RecordChange | undefined;
  rows?: readonly RowSettlement[];
  lines?: number;
  /** The states of the rows of a batch that ended. */
  counts?: Readonly<Record<string, number>>;
}

export type RowSettlement = readonly [row: number, as: WriteOutcome, id?: string];

/** A write with what became of it. */
export interface LoggedWrite extends NewWrite {
  write: string;
  /** Grows by each write, and names it for people. */
  number: number;
  /** A batch that has not ended is unknown. */
  outcome: WriteOutcome;
  id?: string;
  counts?: Readonly<Record<string, number>>;
  change?: RecordChange | undefined;
  /** Of a single order. */
  order?: NewOrder;
}

/** An order that was sent, or may have been: the process may have been killed. */
export type PlacedOrder = Omit<LoggedWrite, 'order'> & NewOrder;

const logKind: LogKind = {
  noun: 'log',
  version: 1,
  start: '{"log":"mar"',
  repair: forPerson(
    'Nothing was sent. The log shows what was written before: repair it, or restore it from a backup. If you move it away, mar begins a new one. To send this without it, set MAR_LOG=off.',
  ),
  replace: forPerson(
    'Nothing was sent. Move that file away, or name another one with MAR_LOG. To send this without a log, set MAR_LOG=off.',
  ),
};
/**
 * The writes to services from this machine, or from all that share the file. Each has a line before it is
 * sent, and one for its outcome. The orders of a batch are in the line of its run.
 */
export class AccountLog {
  readonly path: string;
  readonly #now: () => Date;
  /** After all lines were read, and after an addition by this process. */
  #end: LogEnd | undefined;

  constructor(file: string, now: () => Date) {
    this.path = path.resolve(file);
    this.#now = now;
  }

  /**
   * Records a write that is about to be sent, and waits until that survives a power cut. `check` gets the
   * earlier orders at the same places, and may throw: no other process can place one meanwhile. Returns
   * what names the write in the log.
   */
  async intend(
    { change, ...write }: NewWrite & { change?: RecordChange | undefined },
    orders: readonly NewOrder[] = [],
    check?: (earlier: readonly PlacedOrder[]) => void,
  ): Promise<string> {
    const name = `${this.#now().getTime().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
    const intent = { write: name, ...write, ...(orders.length > 0 && { orders }) };
    const line = lineWith(change, intent);
    await this.#locked(async (lock) => {
      const earlier = this.find(write.service, new Set(orders.map(({ place }) => place)));
      check?.(earlier);
      await this.#add([line], lock, true);
    });
    return name;
  }

  /** Records outcomes. Without one, a write counts as unknown. */
  async settle(outcomes: readonly Settlement[]): Promise<void> {
    if (outcomes.length === 0) return;
    const at = this.#now().toISOString();
    const lines = outcomes.map(({ write, change, ...outcome }) =>
      lineWith(change, { outcome: write, ...outcome, at }),
    );
    await this.#locked(async (lock) => {
      const found = statSync(this.path, { throwIfNoEntry: false });
      // Reading a long log for each part of a batch would take longer than the rows.
      if (found?.size !== this.#end?.size || found?.ino !== Number(this.#end?.file?.ino)) {
        for (const _ of this.#lines()) this.#end = undefined;
      }
      await this.#add(lines, lock, false);
    });
  }

  /** The orders at these places, and of these batches, that were sent, or may have been; the oldest first. */
  find(
    service: string,
    places: ReadonlySet<string>,
    batches: ReadonlySet<string> = new Set(),
  ): PlacedOrder[] {
    const texts = [...places].map((place) => `"place":${JSON.stringify(place)}`);
    for (const id of batches) texts.push(`"id":"${id}"`);
    // Most orders are new, and this is far quicker than parsing each line of a long log.
    const isRare = texts.length < 10;
    const isWanted = (line: Buffer) => !isRare || texts.some((text) => line.includes(text));
    const found = this.#read(
      isWanted,
      ({ place }, { batch }) => places.has(place) || (batch && batches.has(batch.id)) === true,
    );
    return found.flatMap(({ write, orders, rows, isEnded }) =>
      orders.flatMap((order): PlacedOrder | [] => {
        if (write.service !== service) return [];
        const unsettled = { as: isEnded ? ('unsent' as const) : ('unknown' as const) };
        const own = { as: write.outcome, id: write.id };
        const { row } = order;
        const { as, id } = row ? (rows.get(row) ?? { ...unsettled, id: undefined }) : own;
        if (as !== 'done' && as !== 'unknown') return [];
        return { ...write, ...order, outcome: as, ...(id && { id }) };
      }),
    );
  }

  /** The writes of an account, from the oldest to the newest. */
  writes(service: string, account: string): LoggedWrite[] {
    const all = this.#read(
      () => true,
      ({ row }) => !row,
    );
    const own = all.filter(({ write }) => write.service === service && write.account === account);
    return own.map(({ write, orders: [order] }) => (order ? { ...write, order } : write));
  }

  /** The writes whose line is wanted; of their orders, only the wanted ones. */
  #read(
    isWanted: (line: Buffer) => boolean,
    isWantedOrder: (order: NewOrder, write: NewWrite) => boolean,
  ) {
    const found = new Map<string, ReadWrite>();
    for (const { bytes, number } of this.#lines()) {
      const { kind, name } = startOf(bytes);
      const known = found.get(name);
      if (kind === 'outcome') {
        if (known) addOutcome(known, bytes.toString());
        continue;
      }
      if (!isWanted(bytes)) continue;
      const line = bytes.toString();
      const { orders = [], ...intent } = JSON.parse(line);
      const write = { ...intent, number, outcome: 'unknown', change: changeIn(line) };
      const wanted = orders.filter((order: NewOrder) => isWantedOrder(order, intent));
      found.set(name, { write, orders: wanted, rows: new Map(), isEnded: false });
    }
    return [...found.values()];
  }

  async #locked(work: (lock: Lock) => Promise<void>): Promise<void> {
    const { withLock } = await import('../files/lock.ts');
    try {
      const folder = path.dirname(this.path);
      makeFolder(folder);
      accessSync(folder, constants.W_OK);
      await withLock(`${this.path}.lock`, work);
    } catch (error) {
      if (error instanceof MarError) throw error;
      throw usageError(
        `cannot use the log of your writes, ${this.path}: ${systemReason(error)}`,
        logKind.repair,
        { cause: error },
      );
    }
  }

  /** All lines have been read, so that `#end` is known. */
  async #add(lines: readonly string[], lock: Lock, sync: boolean): Promise<void> {
    let end = this.#end;
    if (end === undefined || end.line === 0) {
      const header = { log: 'mar', version: logKind.version, at: this.#now().toISOString() };
      end = await createLog(this.path, logKind, lineWith(undefined, header));
    }
    const writer = new LogWriter(this.path, logKind, end, lock);
    try {
      writer.add(...lines);
      if (sync) await writer.synced();
      writer.throwFailure();
      this.#end = writer.end;
    } finally {
      await writer.close();
    }
  }

  /** The lines without the header. */
  *#lines(): Generator<{ bytes: Buffer; number: number }> {
    const lines = readLines(this.path, logKind);
    let next = lines.next();
    for (let number = 1; !next.done; number += 1, next = lines.next()) {
      if (number > 1) yield { bytes: next.value.bytes, number };
    }
    this.#end = next.value;
  }
}

/** A write with the orders that were asked for, and what became of them. */
interface ReadWrite {
  write: LoggedWrite;
  orders: NewOrder[];
  /** Of a batch; rows without an outcome were not sent once it has ended. */
  rows: Map<number, { as: WriteOutcome; id?: string | undefined }>;
  isEnded: boolean;
}

function addOutcome(known: ReadWrite, line: string): void {
  const { write, orders } = known;
  const { as, id, name, rows = [], lines, counts }: Settlement = JSON.parse(line);
  if (name) write.what.name = name;
  if (id) write.id = id;
  if (as) write.outcome = as === 'ended' ? 'done' : as;
  write.change = changeIn(line) ?? write.change;
  known.isEnded ||= as === 'ended';
  for (const [row, end, made] of orders.length > 0 ? rows : []) {
    known.rows.set(row, { as: end, id: made });
  }
  if (!write.batch) return;
  write.batch.lines = lines ?? write.batch.lines;
  write.counts = counts ?? write.counts;
}

/** Every line but the header starts with its kind and the name of its write. */
function startOf(bytes: Buffer) {
  const [, kind, name = ''] = /^\{"(\w+)":"(\w+)"/.exec(bytes.toString('latin1', 0, 40)) ?? [];
  return { kind: kind as 'write' | 'outcome', name };
}
