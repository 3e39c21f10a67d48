import { type Endpoint, type EndpointId, endpoints, type SchemaName } from '../../api/endpoints.ts';
import { unknownInPath } from '../../api/unknownFields.ts';
import type { Context } from '../../context.ts';
import { parsePath } from '../../json/path.ts';
import type { JsonObject } from '../../json/value.ts';
import { type Edit, type EditRules, editRecord, pathOf } from '../../records/edit.ts';
import { describeUnknown } from '../../values/nearest.ts';
import type { Input } from '../command.ts';
import {
  editRules,
  namesReviewer,
  refuse,
  skipChecksHint,
  strictHint,
  valuesReviewer,
} from '../write/body.ts';
import type { RecordChanges } from './changes.ts';
import type { Problem, RowRules } from './input/rows.ts';
import type { TableOptions } from './input/tableRows.ts';
import type { ReplayedJournal } from './journal/replay.ts';
import type { BatchSettings } from './settings.ts';

export interface BatchRequest {
  input: Input;
  endpointId: EndpointId;
  settings: BatchSettings;
  edits: readonly Edit[];
  template: RowTemplate | undefined;
  /** Rows change records that are read first. */
  changes: RecordChanges | undefined;
  /** The journal of the batch that `--undo` names. */
  undone: ReplayedJournal | undefined;
}

/** A record that each row of a batch changes. */
export interface RowTemplate {
  /** Tells one template from another when a batch is resumed. */
  change: string;
  /** Puts the fields of the template under those of a row. */
  apply(record: JsonObject): void;
  check(record: JsonObject): Problem[];
  /** After all checks: what a user on a terminal has to confirm. */
  question?: string;
}

export type ReadRowTemplate = (context: Context, input: Input) => Promise<RowTemplate | undefined>;

export type BatchRules = RowRules & Required<Pick<TableOptions, 'onUnknownColumns'>>;

/** Says how the first date is sent, and that the others are sent like it. */
export function firstDateNote(context: Context): (text: string) => void {
  let hasNoted = false;
  return (text) => {
    if (!hasNoted) {
      context.reportOnce(`${text}. The other dates of the batch are sent the same way`);
    }
    hasNoted = true;
  };
}

export async function rowRules(context: Context, request: BatchRequest): Promise<BatchRules> {
  const { input, endpointId, edits, template, settings } = request;
  const endpoint: Endpoint = endpoints[endpointId];
  const rules = await editRules(context, endpoint.body as SchemaName);
  const names = await namesReviewer(context, { endpoint: endpointId, input });
  const values = await valuesReviewer(context, { endpoint: endpointId, input });
  if (request.changes) return changeRules(context, request, { rules, names, values });
  const people =
    endpoint.resource === 'Event' && !settings.skipChecks
      ? new (await import('../user/people.ts')).People(context)
      : undefined;
  const unknownColumns = new Set<string>();
  const dateRules = { ...rules, note: firstDateNote(context) };
  return {
    endpoint,
    bodySchema: rules.schema,
    setDate: (record, path, date) =>
      editRecord(record, [{ kind: 'set', text: `${path}=${date}` }], dateRules),
    edit(record) {
      template?.apply(record);
      editRecord(record, edits, dateRules, {});
    },
    onUnknownColumns(paths) {
      refuseUnknown(context, input, 'column', paths, rules.schema);
      // Without their indexes, like the paths of unknown fields.
      for (const path of paths) unknownColumns.add(path.replaceAll(/\[\d+\]/g, '[]'));
    },
    checkNames: (record) => names(record, undefined, unknownColumns),
    check: async (record) => [
      ...(template?.check(record) ?? []),
      ...(await values(record)),
      ...((await people?.problemsWith(record)) ?? []),
    ],
  };
}

interface Reviewers {
  rules: EditRules;
  names: Awaited<ReturnType<typeof namesReviewer>>;
  values: Awaited<ReturnType<typeof valuesReviewer>>;
}

/** Rows have only the fields to change. Types and dates are checked with the record itself. */
function changeRules(
  context: Context,
  { edits, input, endpointId, settings }: BatchRequest,
  { rules, names, values }: Reviewers,
): BatchRules {
  const isUndo = settings.undo !== undefined;
  refuseUnknown(
    context,
    input,
    'field',
    edits.map(pathOf).map((path) => path.replaceAll('[+]', '[0]')),
    rules.schema,
  );
  const quiet = { ...rules, note: () => {} };
  // A wrong value is found before the first row; an element of a list, only in a record.
  editRecord(
    new Map(),
    edits.filter(({ text }) => !/\[\d/.test(text)),
    quiet,
  );
  const ids = new Set<string>();
  return {
    endpoint: endpoints[endpointId],
    isChange: true,
    bodySchema: rules.schema,
    setDate: (record, path, date) =>
      editRecord(record, [{ kind: 'set', text: `${path}=${date}` }], quiet),
    edit: () => {},
    onUnknownColumns: (paths) => refuseUnknown(context, input, 'column', paths, rules.schema),
    checkNames: (record) => (isUndo ? [] : names(record)),
    async check(record) {
      if (isUndo) return [];
      const id = String(record.get('_id'));
      const isRepeated = ids.has(id);
      ids.add(id);
      if (!isRepeated) return values(record);
      const message = `_id: another row changes ${id} too; put all changes of a record into one row`;
      return [{ field: '_id', message }];
    },
  };
}

/** Refuses the batch if a name is probably a typo, or is unknown with `--strict`. Warns of others. */
function refuseUnknown(
  context: Context,
  { options }: Input,
  what: 'column' | 'field',
  paths: readonly string[],
  schema: RowRules['bodySchema'],
): void {
  const unknown = paths.flatMap((path) => {
    const found = unknownInPath(schema, parsePath(path));
    return what === 'column' || found ? [{ path, meant: found?.meant }] : [];
  });
  const refused = unknown.filter(({ meant }) => meant !== undefined && !options.skipChecks);
  const { strict } = context.flags;
  const problems = (strict ? unknown : refused).map(({ path, meant }) => ({
    field: path,
    suggestion: meant,
    message: describeUnknown(what, { path, meant }),
  }));
  refuse(problems, strict ? strictHint : skipChecksHint);
  for (const one of unknown) {
    const message = `${describeUnknown(what, one)} will be sent as a string`;
    context.warn(`unknown-${what}`, message, [{ path: one.path, suggestion: one.meant }]);
  }
}
