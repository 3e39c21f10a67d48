import { accessSync, constants, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { forPerson, MarError, usageError } from '../errors.ts';
import type { Lock } from '../files/lock.ts';
import { makeFolder } from '../files/makeFolder.ts';
import { systemReason } from '../files/systemReason.ts';
import { parseJson } from '../json/parse.ts';
import { isObject, type JsonObject, printJson } from '../json/value.ts';
import { changeJson, type RecordChange, readChange } from '../records/recordChange.ts';
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
}

/** `repeated`: its outcome stayed unknown, and it was sent once more. */
export type WriteOutcome = 'done' | 'refused' | 'unsent' | 'unknown' | 'repeated' | 'taken-back';

export interface PlacedOrder extends Omit<NewWrite, 'what' | 'endpoint'>, NewOrder {
  /** Names the write in the log. */
  write: string;
  /** Unknown until it is recorded: the process may have been killed. */
  outcome: WriteOutcome;
  /** The id of the new record. */
  id?: string;
}

/** What became of a write, of some rows of a batch, or of the batch. */
export interface Settlement {
  write: string;
  as?: WriteOutcome | 'ended';
  id?: string | undefined;
  name?: string | undefined;
  /** What was written instead of the change in the intent. */
  change?: RecordChange | undefined;
  rows?: readonly RowSettlement[];
  /** The number of lines that the journal has. */
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

const logKind: LogKind = {
  noun: 'log',
  start: '{"log":"mar"',
  repair: forPerson(
    'Nothing was sent. The log shows what was written before: repair it, or restore it from a backup. If you move it away, mar begins a new one. To send this without it, set MAR_LOG=off.',
  ),
  replace: forPerson(
    'Nothing was sent. Move that file away, or name another one with MAR_LOG. To send this without a log, set MAR_LOG=off.',
  ),
};
const version = 1;

const yearMs = 365 * 24 * 3600 * 1000;
/** A log that is older or longer becomes the old log, and the one before it is removed. */
const maxAgeMs = yearMs * 1.1;
const maxBytes = 128 * 1024 * 1024;
/** Makes lines of a reasonable length. */
const ordersInLine = 4096;

/**
 * The writes to services from this machine, or from all that share the file. Each has a line before it is
 * sent, and one for its outcome. The orders of a batch are in the line of its run, and in lines before it.
 */
export class AccountLog {
  readonly path: string;
  readonly #now: () => Date;
  /** After all lines were read, and after an addition by this process. */
  #end: LogEnd | undefined;
  /** Of the log as it was read: when it began, and the number of lines in logs before it. */
  #start = { at: '', after: 0 };

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
    const lines: string[] = [];
    const start = { write: name, ...write };
    let rest: readonly NewOrder[] = orders;
    for (; rest.length > ordersInLine; rest = rest.slice(ordersInLine)) {
      lines.push(`{"part":"${name}",${ordersText(rest.slice(0, ordersInLine))}`);
    }
    const json = JSON.stringify(start).slice(0, -1);
    const values = change === undefined ? '' : `,"change":${printJson(changeJson(change))}`;
    lines.push(`${json}${rest.length > 0 ? `,${ordersText(rest)}` : ''}${values}`);
    await this.#locked(async (lock) => {
      const earlier = this.find(write.service, new Set(orders.map(({ place }) => place)));
      check?.(earlier);
      await this.#add(lines, lock, true);
    });
    return name;
  }

  /** Records outcomes. Without one, a write counts as unknown. */
  async settle(outcomes: readonly Settlement[]): Promise<void> {
    if (outcomes.length === 0) return;
    const at = this.#now().toISOString();
    const lines = outcomes.map(({ write, change, ...outcome }) => {
      const json = JSON.stringify({ outcome: write, ...outcome, at }).slice(0, -1);
      return change ? `${json},"change":${printJson(changeJson(change))}` : json;
    });
    await this.#locked(async (lock) => {
      const found = statSync(this.path, { throwIfNoEntry: false });
      // Reading a long log for each part of a batch would take longer than the rows.
      if (found?.size !== this.#end?.size || found?.ino !== Number(this.#end?.file?.ino)) {
        for (const _ of this.#lines()) this.#end = undefined;
      }
      await this.#add(lines, lock, false);
    });
  }

  /** The orders at these places that were sent, or may have been, from the oldest to the newest. */
  find(service: string, places: ReadonlySet<string>): PlacedOrder[] {
    const texts = [...places].map((place) => `[${JSON.stringify(place)},`);
    // Most orders are new, and this is far quicker than parsing each line of a long log.
    const isRare = texts.length < 10;
    /** The orders of runs whose own line has not come yet: without it, none of them was sent. */
    const parts = new Map<string, ListedOrder[]>();
    const found = new Map<string, { write: OrderRun; orders: ListedOrder[]; end: OrderEnd }>();
    for (const { bytes } of this.#lines()) {
      const { kind, name } = startOf(bytes);
      if (kind === 'outcome') {
        const end = found.get(name)?.end;
        if (end) addOutcome(end, JSON.parse(bytes.toString()));
        continue;
      }
      const earlier = parts.get(name) ?? [];
      if (earlier.length === 0 && isRare && !texts.some((text) => bytes.includes(text))) continue;
      const { what: _, orders: listed, ...write } = JSON.parse(bytes.toString());
      const orders = earlier.concat(
        (listed ?? []).filter(([place]: ListedOrder) => places.has(place)),
      );
      if (orders.length === 0) continue;
      if (kind === 'part') parts.set(name, orders);
      else if (write.service === service)
        found.set(name, { write, orders, end: { rows: new Map() } });
    }
    return [...found.values()].flatMap(({ write, orders, end }) =>
      orders.flatMap(([place, wants, row, key]): PlacedOrder | [] => {
        const { as, id } = end.rows.get(row ?? 0) ?? { as: end.others ?? 'unknown', id: undefined };
        if (as !== 'done' && as !== 'unknown') return [];
        const batch = write.batch && { ...write.batch, lines: end.lines ?? write.batch.lines };
        const order = {
          ...write,
          place,
          wants,
          outcome: as,
          ...(id && { id }),
          ...(batch && { batch }),
        };
        return row ? { ...order, row, ...(key && { key }) } : order;
      }),
    );
  }

  /** The writes of an account, from the oldest to the newest. */
  writes(service: string, account: string): LoggedWrite[] {
    const found = new Map<string, LoggedWrite>();
    for (const { bytes, number } of this.#lines()) {
      const { kind, name } = startOf(bytes);
      if (kind === 'part') continue;
      if (kind === 'write') {
        const { orders = [], ...write } = JSON.parse(bytes.toString());
        if (write.service !== service || write.account !== account) continue;
        const [[place, wants] = []]: (ListedOrder | [])[] = write.batch ? [] : orders;
        const order = place !== undefined && wants !== undefined && { order: { place, wants } };
        const change = changeIn(bytes);
        found.set(name, { ...write, ...order, number, outcome: 'unknown', change });
        continue;
      }
      const write = found.get(name);
      if (!write) continue;
      const { as, id, name: called, rows = [], counts }: Settlement = JSON.parse(bytes.toString());
      if (called) write.what.name = called;
      if (id) write.id = id;
      if (as) write.outcome = as === 'ended' ? 'done' : as;
      if (write.batch && as !== 'taken-back') write.counts = counts ?? counted(write.counts, rows);
      write.change = changeIn(bytes) ?? write.change;
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
    const age = this.#now().getTime() - Date.parse(this.#start.at);
    const isOld = end !== undefined && (age > maxAgeMs || end.size > maxBytes);
    if (isOld && sync) renameSync(this.path, `${this.path}.old`);
    if (end === undefined || end.line === 0 || (isOld && sync)) {
      const after = this.#start.after + (end?.line ?? 0);
      this.#start = { at: this.#now().toISOString(), after };
      end = await createLog(this.path, [
        JSON.stringify({ log: 'mar', version, ...this.#start }).slice(0, -1),
      ]);
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

  /** The lines of the old log and of this one, without their headers. */
  *#lines(): Generator<{ bytes: Buffer; number: number }> {
    this.#start = { at: '', after: 0 };
    for (const file of [`${this.path}.old`, this.path]) {
      let number = 0;
      const lines = readLines(file, logKind);
      let next = lines.next();
      for (; !next.done; next = lines.next()) {
        const { bytes } = next.value;
        number += 1;
        if (number > 1) {
          yield { bytes, number: this.#start.after + number };
          continue;
        }
        this.#start = JSON.parse(bytes.toString());
        const { version: written } = JSON.parse(bytes.toString());
        if (written > version) {
          const problem = `the log ${file} was written by a newer version of mar`;
          throw usageError(problem, 'Nothing was sent. Update mar.');
        }
      }
      this.#end = next.value;
      if (file !== this.path) this.#start = { at: '', after: this.#start.after + number };
    }
  }
}

const ordersText = (orders: readonly NewOrder[]) =>
  `"orders":${JSON.stringify(orders.map(({ place, wants, row, key }) => [place, wants, row, key]))}`;

/** A part of the orders of a batch, or all of them. */
type ListedOrder = readonly [place: string, wants: string, row?: number | null, key?: string];

type OrderRun = Omit<PlacedOrder, keyof NewOrder | 'outcome' | 'id'>;

/** What became of the orders of a run. `others` are those that have no outcome of their own. */
interface OrderEnd {
  rows: Map<number, { as: WriteOutcome; id?: string | undefined }>;
  others?: WriteOutcome;
  lines?: number | undefined;
}

function addOutcome(end: OrderEnd, { as, id, rows = [], lines }: Settlement): void {
  end.lines = lines ?? end.lines;
  for (const [row, outcome, made] of rows) end.rows.set(row, { as: outcome, id: made });
  if (as === 'ended') end.others = 'unsent';
  else if (as) end.rows.set(0, { as, id });
}

/** Every line but the header starts with its kind and the name of its write. */
function startOf(bytes: Buffer) {
  const [, kind, name = ''] = /^\{"(\w+)":"(\w+)"/.exec(bytes.toString('latin1', 0, 40)) ?? [];
  return { kind: kind as 'write' | 'part' | 'outcome', name };
}

function counted(counts: Readonly<Record<string, number>> = {}, rows: readonly RowSettlement[]) {
  const all: Record<string, number> = { ...counts };
  for (const [, as] of rows) all[as] = (all[as] ?? 0) + 1;
  return all;
}

function changeIn(bytes: Buffer): RecordChange | undefined {
  if (!bytes.includes('"change":')) return undefined;
  const change = (parseJson(bytes.toString()) as JsonObject).get('change');
  return isObject(change) ? readChange(change) : undefined;
}
