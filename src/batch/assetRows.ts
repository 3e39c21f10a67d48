import { schemaOf } from '../client/client.ts';
import { checkBody } from '../client/request.ts';
import { MarError, orUndefined, usageError } from '../errors.ts';
import { valueAt } from '../json/fields.ts';
import { copyOf, isObject, isSame, type Json, type JsonObject } from '../json/value.ts';
import { type Edit, editRecord } from '../records/edit.ts';
import { merge } from '../records/merge.ts';
import { type RecordChange, readChange } from '../records/recordChange.ts';
import type { Row } from '../rows/row.ts';
import type { Context } from '../session/context.ts';
import { assetTarget, idChangedError, readAsset } from '../writes/assets.ts';
import { editRules, namesReviewer, valuesReviewer } from '../writes/body.ts';
import { changedError, planChange, type Target } from '../writes/plan.ts';
import { openSeenAssets } from '../writes/seenAssets.ts';
import type { PrepareChanges } from './changes.ts';
import { firstDateNote } from './rules.ts';

/** Plans the rows of `asset put --batch` and of an undo, each guarded like a single `asset put --set`. */
export const assetChanges: PrepareChanges = async (context, { input, edits, isUndo }) => {
  const seen = await openSeenAssets(context);
  const applied = isUndo ? undoRow : await rowApplier(context, edits);
  const request = { endpoint: 'assetPut', input } as const;
  const problemsWithNames = await namesReviewer(context, request);
  const problemsWithValues = await valuesReviewer(context, request);
  const schema = await schemaOf('asset');
  const { interruptible } = context.world;
  const check = async (before: JsonObject, after: JsonObject) => {
    const problems = problemsWithNames(after, before);
    const [problem] = problems.concat(await problemsWithValues(after, before));
    if (problem && !isUndo) throw usageError(problem.message);
    checkBody(after, schema, before);
  };
  return {
    async plan(row, earlier) {
      const id = String(row.read().get('_id'));
      const own = await assetTarget(context, input, id, seen);
      // The journal says what the batch wrote, which is what an undo may replace.
      const target = isUndo ? { ...own, seen: [] } : own;
      const first = await readAsset(context, id);
      const { record } = first;
      if (earlier) checkUnchanged(target, earlier, record);
      const mine = interruptible(() => applied(row, record, target));
      if (!isSame(mine.get('_id'), record.get('_id'))) throw idChangedError(id);
      const plan = interruptible(() => planChange(target, first, mine, { isUnattended: true }));
      if (plan) await check(record, plan.body);
      return plan;
    },
    async written(record) {
      const id = String(valueAt(record.value, '_id'));
      // Assets that the user never read stay out of the thousand states that are remembered.
      if (seen.statesOf(id).length === 0) return;
      const tree = orUndefined(() => record.tree);
      if (isObject(tree)) await seen.remember(id, tree);
    },
  };
};

/** Writing a row again is safe if its record is still as it was then, or as the row made it. */
function checkUnchanged(target: Target, { before, after }: RecordChange, record: JsonObject): void {
  const { conflicts } = merge(before, after, record);
  if (conflicts.length > 0 && !target.force) {
    throw changedError(target, 'since this row was sent', conflicts);
  }
}

type Apply = (row: Row, record: JsonObject, target: Target) => JsonObject;

async function rowApplier(context: Context, edits: readonly Edit[]): Promise<Apply> {
  const rules = await editRules(context, 'assetPut');
  const noteDate = firstDateNote(context);
  return (row, record) => {
    const notes: string[] = [];
    const fields = row.fields().filter(([path]) => path !== '_id');
    const sets = fields.map(([path, value]): Edit => {
      return { kind: 'set', text: `${path}=`, content: value, source: 'this row' };
    });
    const mine = copyOf(record) as JsonObject;
    editRecord(mine, [...sets, ...edits], { ...rules, note: (text) => notes.push(text) });
    const [note] = notes;
    if (note !== undefined && !isSame(mine, record)) noteDate(note);
    return mine;
  };
}

/** Takes back the changes of a batch, the latest one first. */
const undoRow: Apply = (row, record, target) =>
  undoSteps(row.read().get('undo')).reduce((current, { before, after }) => {
    const merged = merge(after, before, current, { mineWins: target.force });
    if (merged.conflicts.length > 0 && !target.force) {
      throw changedError(target, 'since the batch wrote it', merged.conflicts);
    }
    return merged.record;
  }, record);

function undoSteps(json: Json | undefined): RecordChange[] {
  const steps = Array.isArray(json) ? json.map(readChange) : [undefined];
  return steps.map((step) => {
    if (step) return step;
    throw new MarError('usage', 'this row has no values to write back');
  });
}
