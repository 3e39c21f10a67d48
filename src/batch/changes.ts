import { hideSecrets, mayHoldSecret } from '../api/secrets.ts';
import { MarError, messageOf } from '../errors.ts';
import type { Input } from '../input.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import { type JsonObject, printJson } from '../json/value.ts';
import type { Edit } from '../records/edit.ts';
import { changeBetween, changeJson, type RecordChange } from '../records/recordChange.ts';
import type { Row } from '../rows/row.ts';
import type { RowRequest } from '../rows/rows.ts';
import type { Context } from '../session/context.ts';
import { callOf } from '../writes/apply.ts';
import type { Plan } from '../writes/plan.ts';
import { latestChange, type ReplayedLines } from './journal/replay.ts';
import type { RowOutcome } from './runner/sendRow.ts';

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
    if (!plan) return { kind: 'unchanged', id: String(row.read().get('_id')) };
    const change = replacedBy(plan);
    const problem = problemWith(changeJson(change));
    if (problem === undefined) return { plan, change };
    return { kind: 'invalid', error: new MarError('usage', problem) };
  } catch (error) {
    return outcomeOfRead(error);
  }
}

/** The fields that a plan changes, with the values that it replaces. */
export const replacedBy = ({ over, body }: Plan): RecordChange =>
  changeBetween(over?.record ?? new Map(), body);

export function requestOf({ plan }: PreparedRow): RowRequest {
  const { body } = plan;
  return { id: String(body.get('_id')), body, ifMatch: callOf(plan).ifMatch };
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

const maxFields = 3;
const maxValueLength = 60;

/** `asset a-1 was changed …: name (theirs "B", yours "C")` */
function inOneLine(error: MarError): MarError {
  const { conflicts = [] } = error.details;
  const shown = (value: unknown) => {
    const json = value === undefined ? 'none' : JSON.stringify(value);
    return json.length > maxValueLength ? `${json.slice(0, maxValueLength)}…` : json;
  };
  const fields = conflicts
    .slice(0, maxFields)
    .map(({ path, theirs, yours }) => `${path} (theirs ${shown(theirs)}, yours ${shown(yours)})`);
  const more = conflicts.length - fields.length;
  if (more > 0) fields.push(`${more} more`);
  const [first = ''] = error.message.split('\n');
  return new MarError('changed', `${first}: ${fields.join(', ')}`, error.details);
}

/** Nothing was sent yet, whatever the error. */
function outcomeOfRead(error: unknown): RowOutcome {
  if (!(error instanceof MarError)) {
    return { kind: 'unsent', error: new MarError('service', messageOf(error), { cause: error }) };
  }
  const { kind, details } = error;
  if (kind === 'changed') return { kind: 'conflict', error: inOneLine(error) };
  if (kind === 'rate-limited') return { kind: 'throttled', error, waitMs: details.retryAfterMs };
  if (kind === 'auth' && details.status !== 403) return { kind: 'locked-out', error };
  const isRefused = kind === 'auth' || ['usage', 'refused', 'not-found'].includes(kind);
  return { kind: isRefused ? 'invalid' : 'unsent', error };
}
