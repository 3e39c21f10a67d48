import { bodyOf, type Endpoint, type EndpointId, endpoints } from '../api/endpoints.ts';
import { shapes } from '../api/shapes.ts';
import { unknownInPath } from '../api/unknownFields.ts';
import { type FieldFacts, orUndefined, usageError } from '../errors.ts';
import type { Input } from '../input.ts';
import { parsePath } from '../json/path.ts';
import type { JsonObject } from '../json/value.ts';
import { type Edit, type EditRules, editRecord, pathOf } from '../records/edit.ts';
import type { Problem } from '../rows/row.ts';
import type { RowRules } from '../rows/rows.ts';
import type { Source } from '../rows/source.ts';
import { setZone } from '../rows/tableRows.ts';
import type { Context } from '../session/context.ts';
import { describeUnknown, type UnknownField } from '../values/nearest.ts';
import { truncate } from '../values/width.ts';
import {
  editRules,
  findPeople,
  namesReviewer,
  refuse,
  refuseUnknownRemovals,
  skipHint,
  skips,
  strictHint,
  valuesReviewer,
} from '../writes/index.ts';
import { type AssetChanges, firstDateNote } from './changes.ts';
import { type HeadingMapper, headingMapper } from './headings.ts';
import type { BatchSettings } from './settings.ts';
import type { UndoneBatch } from './undo.ts';
import { valueTranslator } from './values.ts';

export interface BatchCommand {
  input: Input;
  endpointId: EndpointId;
  /** The words after `mar` that run the batch: `wr create`. */
  words: string;
  /** The file or journal of the batch to undo. Otherwise, the rows come from `--batch`. */
  undo?: string;
  /** The record of `--like`, if it was given. */
  rowTemplate?(context: Context, input: Input): Promise<RowTemplate | undefined>;
}

export interface BatchRequest extends BatchCommand {
  settings: BatchSettings;
  edits: readonly Edit[];
  template: RowTemplate | undefined;
  /** Rows change records, which are read first. */
  changes: AssetChanges | undefined;
  /** The batch to undo. */
  undone: UndoneBatch | undefined;
}

/** A record that each row of a batch changes. */
export interface RowTemplate {
  /** Tells one template from another when a batch is resumed. */
  change: string;
  /** Puts the fields of the template under those of a row. */
  apply(record: JsonObject): void;
  check(record: JsonObject): Problem[];
  /** After all checks: what a user on a terminal has to confirm, about all rows. */
  readonly warning?: { message: string; fields: readonly FieldFacts[] };
}

/** A batch with its input, and how to read it. */
export interface BatchInput extends BatchRequest {
  rules: RowRules;
  source: Source;
}

export async function rowRules(
  context: Context,
  request: BatchRequest,
): Promise<RowRules & Pick<HeadingMapper, 'chooseDates'>> {
  const { input, endpointId, edits, template, changes, undone, settings } = request;
  const endpoint: Endpoint = endpoints[endpointId];
  const rules = await editRules(context, endpointId);
  const names = await namesReviewer(context, { endpoint: endpointId, input });
  const values = await valuesReviewer(context, { endpoint: endpointId, input });
  const people = findPeople(context);
  const hasPeople = endpoint.resource === 'Event' && !skips(input, 'user');
  const unknownColumns = new Set<string>();
  const changedIds = new Set<string>();
  const headings = headingMapper(context, request, rules.schema);
  const dateRules = { ...rules, note: changes ? () => {} : firstDateNote(context) };
  const removed = edits.filter(({ kind }) => kind === 'unset').map(pathOf);
  if (changes) checkEdits(context, request, dateRules);
  else await refuseUnknownRemovals({ endpoint: endpointId, input }, removed);
  const isTranslated = !changes && input.options.skipChecks !== true;
  return {
    endpoint,
    isChange: changes !== undefined,
    bodySchema: rules.schema,
    bodyShape: JSON.parse(shapes[bodyOf(endpointId)]),
    sheet: settings.sheet,
    async mapHeadings(given) {
      const mapped = new Map(await headings.fieldsFor(given));
      const left = given.unknown.filter((heading) => !mapped.has(heading));
      if (left.length === given.all.length) throw noFieldError(left);
      refuseUnknown(context, input, 'column', left, rules.schema, headings.hintFor(left));
      const paths = [...mapped.values()].filter(Boolean);
      refuseUnknown(context, input, 'field', paths, rules.schema);
      for (const [name, path] of mapped) {
        if (path === '') context.reporter.reportOnce(`The column ${name} is left out`);
      }
      for (const path of left) mapped.set(path, path);
      for (const path of mapped.values()) unknownColumns.add(withoutIndexes(path));
      return mapped;
    },
    get dateOrder() {
      return headings.dateOrder;
    },
    chooseDates: headings.chooseDates,
    note: (text) => context.reporter.reportOnce(text),
    setDate(record, path, date) {
      if (path === 'due.date' && settings.zone) setZone(record, 'due', settings.zone);
      editRecord(record, [{ kind: 'set', text: `${path}=${date}` }], dateRules);
    },
    translate: isTranslated ? valueTranslator(context, endpoint, people) : undefined,
    edit(record) {
      // A row that changes a record has only the fields to change. Edits apply to the record itself.
      if (changes) return;
      template?.apply(record);
      if (record.has('due') && settings.zone) setZone(record, 'due', settings.zone);
      editRecord(record, edits, dateRules, {});
    },
    async check(record) {
      if (undone) return [];
      const problems: Problem[] = names(record, undefined, changes ? undefined : unknownColumns);
      const id = String(record.get('_id'));
      if (changes && changedIds.has(id)) {
        const message = `_id: another row changes ${id} too; put all changes of a record into one row`;
        return [...problems, { field: '_id', message }];
      }
      if (changes) changedIds.add(id);
      problems.push(...(template?.check(record) ?? []), ...(await values(record)));
      return problems.concat(hasPeople ? await people.problemsWith(record) : []);
    },
  };
}

/** Like the paths of unknown fields. */
const withoutIndexes = (path: string) => path.replaceAll(/\[\d+\]/g, '[]');

/** Any text has a first line. Without a known field in it, it is no header. */
function noFieldError([first = '', ...others]: readonly string[]) {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return usageError(
    `no known field in the first line: ${JSON.stringify(truncate(first, 60))}${more}`,
    'Expected JSON lines, a JSON array, a workbook, or CSV or TSV with field names in the first line: asset,language,due.date',
  );
}

/** Finds wrong names and values before the first row; an element of a list, only in a record. */
function checkEdits(context: Context, { input, edits }: BatchRequest, rules: EditRules): void {
  const paths = edits.map((edit) => pathOf(edit).replaceAll('[+]', '[0]'));
  refuseUnknown(context, input, 'field', paths, rules.schema);
  const apart = edits.filter(({ text }) => !/\[\d/.test(text));
  editRecord(new Map(), apart, rules);
}

/**
 * Refuses the batch if a column is unknown, or a field probably a typo; with `--strict`, if it is
 * unknown. Warns of others.
 */
function refuseUnknown(
  context: Context,
  input: Input,
  what: 'column' | 'field',
  paths: readonly string[],
  schema: RowRules['bodySchema'],
  hint = skipHint('field'),
): void {
  const unknown = paths.flatMap((path) => {
    const found = orUndefined(() => unknownInPath(schema, parsePath(path)));
    return what === 'column' || found ? [{ path, meant: found?.meant }] : [];
  });
  const isRefused = ({ meant }: UnknownField) => what === 'column' || meant !== undefined;
  const refused = skips(input, 'field') ? [] : unknown.filter(isRefused);
  const { strict } = context.flags;
  const problems = (strict ? unknown : refused).map(({ path, meant }) => ({
    field: path,
    suggestion: meant,
    check: 'field',
    message: describeUnknown(what, { path, meant }),
  }));
  refuse(problems, strict ? strictHint : hint);
  for (const one of unknown) {
    const message = `${describeUnknown(what, one)} will be sent as a string`;
    context.reporter.warn(`unknown-${what}`, message, [{ path: one.path, suggestion: one.meant }]);
  }
}
