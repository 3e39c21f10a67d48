import type { EndpointId } from '../../core/api/endpoints.ts';
import { hideSecrets } from '../../core/api/secretFields.ts';
import { assumptionHints } from '../../core/api/service.ts';
import { checkBody } from '../../core/client/request.ts';
import { asMarError, messageOf, usageError } from '../../core/errors.ts';
import type { Input } from '../../core/input.ts';
import { valueAt } from '../../core/json/fields.ts';
import type { ServiceRecord } from '../../core/json/serviceRecord.ts';
import { copyOf, isObject, isSame, type Json, type JsonObject } from '../../core/json/value.ts';
import { changeBetween, changeJson, type RecordChange } from '../../core/records/recordChange.ts';
import { differences } from '../../core/records/recordDiff.ts';
import { type Edit, type EditRules, editRecord } from '../../core/records/setFields.ts';
import type { Problem, Row } from '../../core/rows/row.ts';
import type { Context } from '../../core/session/context.ts';
import { callOf, checkTaken, lastRead, writtenRecord } from '../../core/writes/apply.ts';
import { withEmbedded, withHidden } from '../../core/writes/overlay.ts';
import {
  mergeWith,
  NothingToWrite,
  type Plan,
  planChange,
  type Target,
} from '../../core/writes/plan.ts';
import { idChangedError, readTarget, targetOf } from '../../core/writes/putRecord.ts';
import { hasSecret } from '../../core/writes/recordIntent.ts';
import { openSeenAssets } from '../../core/writes/seenAssets.ts';
import { latestChange, type ReplayedLines } from './journal/replay.ts';
import {
  NotSent,
  outcomeOfRead,
  type ReadyRow,
  type RowOutcome,
  type RowRequest,
  type SendRow,
} from './runner/sendRow.ts';
import { undoRow } from './undo.ts';

/** A row that changes a record, and the values that it replaces. */
export interface PreparedRow {
  plan: Plan;
  change: RecordChange;
}

/** Field, before and after of everything that a row changes. */
export const changedFields = ({ plan, change }: PreparedRow): JsonObject[] =>
  differences(change.before, change.after).map(({ path, before, after }) => {
    const line = new Map<string, Json>([
      ['_id', plan.body.get('_id') ?? null],
      ['field', path],
    ]);
    if (before !== undefined) line.set('before', hideSecrets(before, path));
    if (after !== undefined) line.set('after', hideSecrets(after, path));
    return line;
  });

export type RecordChanges = Awaited<ReturnType<typeof recordChanges>>;

/** The rows of a batch that changes records, and of its undo, each guarded like a single write with --set. */
export async function recordChanges(
  context: Context,
  command: { input: Input; endpointId: EndpointId; edits: readonly Edit[]; undone?: object },
  rules: EditRules,
  problemsWith: (after: JsonObject, before: JsonObject) => Promise<Problem[]>,
) {
  const { input, edits, undone, endpointId: endpoint } = command;
  const seen = await openSeenAssets(context);
  const applied = undone ? undoRow : rowApplier(edits, rules);
  const { interruptible } = context.world;
  const check = async (before: JsonObject, after: JsonObject) => {
    const [problem] = await problemsWith(after, before);
    if (problem && !undone) throw usageError(problem.message, assumptionHints([problem]));
    checkBody(after, rules.schema, before);
  };

  /**
   * Reads the record of a row and applies the row to it. `earlier` is the change that the row was sent
   * with before, if it may have arrived.
   */
  const planRow = async (row: Row, id: string, earlier: RecordChange | undefined) => {
    // The journal says what the batch wrote, which is what an undo may replace.
    const target = targetOf(context, { endpoint, input }, id, undone ? undefined : seen);
    const first = await readTarget(context, endpoint, id);
    const { record } = first;
    // Writing a row again is safe if its record is still as it was then, or as the row made it.
    if (earlier) {
      const again = { base: earlier.before, mine: earlier.after };
      mergeWith(target, again, record, 'since this row was sent');
    }
    const mine = interruptible(() => applied(row, record, target));
    if (!isSame(mine.get('_id'), record.get('_id'))) throw idChangedError(endpoint, id);
    const plan = interruptible(() => planChange(target, first, mine, { isUnattended: true }));
    if (plan) await check(record, plan.body);
    return plan;
  };

  return {
    /** Compares a row with its record. Never throws: a failure is the outcome of its row. */
    async prepare(row: Row, journal: ReplayedLines): Promise<PreparedRow | RowOutcome> {
      try {
        const id = String(row.read().get('_id'));
        const plan = await planRow(row, id, latestChange(journal, row.number));
        return plan ? preparedRow(plan) : { kind: 'unchanged', id };
      } catch (error) {
        return outcomeOfRead(error);
      }
    },
    /** A row that can be sent. Its last read compares what it replaces with what the journal has. */
    ready({ plan, change }: PreparedRow, senderOf: (request: RowRequest) => SendRow): ReadyRow {
      const id = String(plan.body.get('_id'));
      const look = lastRead(context, plan, (revision) => {
        const revised = preparedRow(revision);
        if (isSame(changeJson(revised.change), changeJson(change))) return;
        throw new NotSent('the row replaces other values now', this.ready(revised, senderOf));
      });
      const { ifMatch } = callOf(plan);
      const looked = async () =>
        look?.().catch((error: unknown) => {
          if (error instanceof NotSent) throw error;
          const isUnchanged = error instanceof NothingToWrite;
          const outcome = isUnchanged ? ({ kind: 'unchanged', id } as const) : outcomeOfRead(error);
          throw new NotSent(messageOf(error), outcome);
        });
      const send = senderOf({ id, body: plan.body, ifMatch, lastRead: looked });
      return { send: () => send().then((sent) => compared(context, plan, sent)), id, change };
    },
    /** Remembers the written values, so that the next write does not take them for changes by others. */
    async written(record: ServiceRecord): Promise<void> {
      const id = String(valueAt(record.value, '_id'));
      // Assets that the user never read stay out of the thousand states that are remembered.
      if (endpoint !== 'assetPut' || seen.statesOf(id).length === 0) return;
      if (isObject(record.tree)) await seen.remember(id, record.tree);
    },
  };
}

/** A row whose fields did not change has failed, though the service accepted it. */
async function compared(context: Context, plan: Plan, sent: RowOutcome | ReadyRow) {
  if (!('kind' in sent) || sent.kind !== 'done') return sent;
  try {
    const record = await writtenRecord(context, plan, sent.record);
    await checkTaken(context, plan, record);
    return { ...sent, record };
  } catch (failure) {
    const error = asMarError(failure);
    return { kind: error.kind === 'did-not-take' ? 'failed' : 'unknown', error } as const;
  }
}

type Apply = (row: Row, record: JsonObject, target: Target) => JsonObject;

function rowApplier(edits: readonly Edit[], rules: EditRules): Apply {
  const noteDate = firstDateNote(rules);
  return (row, record) => {
    const notes: Parameters<EditRules['note']>[] = [];
    const fields = row.fields().filter(([path]) => path !== '_id');
    const sets = fields.map(([path, value]): Edit => {
      const content = withEmbedded(value, valueAt(record, path) as Json | undefined);
      return { kind: 'set', text: `${path}=`, content, source: 'this row' };
    });
    const mine = copyOf(record) as JsonObject;
    editRecord(mine, [...sets, ...edits], { ...rules, note: (...note) => notes.push(note) });
    const [note] = notes;
    if (note !== undefined && !isSame(mine, record)) noteDate(...note);
    return withHidden(mine, record);
  };
}

/** Says how the first date is sent, and that the others are sent like it. */
export function firstDateNote({ note }: EditRules): EditRules['note'] {
  let hasNoted = false;
  return (message, ...more) => {
    const rest = 'Other dates of the batch are read and sent by the same rules';
    if (!hasNoted) note([...[message].flat(), rest], ...more);
    hasNoted = true;
  };
}

/** A plan with the values that it replaces. Throws if the journal must not keep them. */
function preparedRow(plan: Plan): PreparedRow {
  const change = changeBetween(plan.over?.record ?? new Map(), plan.body);
  if (hasSecret(change)) {
    throw usageError(
      'a batch cannot change a password, an access key or a signed address, because its journal keeps what is replaced; use asset put ID or user put ID',
    );
  }
  return { plan, change };
}
