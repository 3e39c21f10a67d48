import { hideSecrets, mayHoldSecret } from '../api/secrets.ts';
import { MarError } from '../errors.ts';
import type { Input } from '../input.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import { isSame, type JsonObject, printJson } from '../json/value.ts';
import type { Edit } from '../records/edit.ts';
import { changeBetween, changeJson, type RecordChange } from '../records/recordChange.ts';
import type { Row } from '../rows/row.ts';
import type { RowRequest } from '../rows/rows.ts';
import type { Context } from '../session/context.ts';
import { callOf, lastLook } from '../writes/apply.ts';
import type { Plan } from '../writes/plan.ts';
import { latestChange, type ReplayedLines } from './journal/replay.ts';
import { outcomeOfRead, type RowOutcome } from './runner/outcomes.ts';
import { type ReadyRow, RevisedRow, type SendRow } from './runner/sendRow.ts';

/** A row that changes a record, and the values that it replaces. */
export interface PreparedRow {
  plan: Plan;
  change: RecordChange;
}

/** Changes records that can be read first: each row of a batch is compared with its record. */
export interface RecordChanges {
  /**
   * Reads the record of a row and applies the row to it. `earlier` is the change that the row was
   * sent with before, if it may have arrived. Undefined if the record already is as the row wants it.
   * Throws if the row cannot be applied.
   */
  plan(row: Row, earlier: RecordChange | undefined): Promise<Plan | undefined>;
  /** Remembers the written values, so that the next write does not take them for changes by others. */
  written(record: ServiceRecord): Promise<void>;
}

export type PrepareChanges = (
  context: Context,
  request: { input: Input; edits: readonly Edit[]; isUndo: boolean },
) => Promise<RecordChanges>;

/** A line of the journal must have space for it. */
const maxChangeLength = 4_000_000;

/** Prepares a row for the runner. Never throws: a failure is the outcome of its row. */
export async function prepareRow(
  row: Row,
  changes: RecordChanges,
  journal: ReplayedLines,
): Promise<PreparedRow | RowOutcome> {
  try {
    const plan = await changes.plan(row, latestChange(journal, row.number));
    return plan ? preparedRow(plan) : { kind: 'unchanged', id: String(row.read().get('_id')) };
  } catch (error) {
    return outcomeOfRead(error);
  }
}

/** A plan with the values that it replaces. Throws if the journal cannot keep them. */
function preparedRow(plan: Plan): PreparedRow {
  const change = changeBetween(plan.over?.record ?? new Map(), plan.body);
  const problem = problemWith(changeJson(change));
  if (problem !== undefined) throw new MarError('usage', problem);
  return { plan, change };
}

/** A row that can be sent. Its last look compares what it replaces with what the journal has. */
export function readyRow(
  context: Context,
  { plan, change }: PreparedRow,
  senderOf: (request: RowRequest) => SendRow,
): ReadyRow {
  const id = String(plan.body.get('_id'));
  const look = lastLook(context, plan, (revision) => {
    const revised = preparedRow(revision);
    if (isSame(changeJson(revised.change), changeJson(change))) return;
    throw new RevisedRow(readyRow(context, revised, senderOf));
  });
  const { ifMatch } = callOf(plan);
  return { send: senderOf({ id, body: plan.body, ifMatch, lastLook: look }), id, change };
}

/** The journal keeps the replaced values. */
function problemWith(change: JsonObject): string | undefined {
  const text = printJson(change);
  if (mayHoldSecret(text) && printJson(hideSecrets(change)) !== text) {
    return 'a batch cannot change a password, because its journal keeps what is replaced; use asset put ID';
  }
  if (text.length <= maxChangeLength) return undefined;
  const limit = maxChangeLength / 1_000_000;
  return `the replaced values are too long for the journal; the limit is ${limit} million characters`;
}
