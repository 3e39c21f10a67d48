import { hash } from 'node:crypto';
import { type Endpoint, type EndpointId, endpoints, type SchemaName } from '../../api/endpoints.ts';
import { describeUnknown, unknownInPath } from '../../api/unknownFields.ts';
import { keyBytes } from '../../batch/input/rowKey.ts';
import type { Problem, RowRules } from '../../batch/input/rows.ts';
import type { TableOptions } from '../../batch/input/tableRows.ts';
import { KeyMap } from '../../batch/journal/rowKeys.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { parsePath } from '../../json/path.ts';
import type { JsonObject } from '../../json/value.ts';
import { type Edit, type EditRules, editRecord } from '../../records/edit.ts';
import type { Input } from '../command.ts';
import { codesReviewer, editRules, namesReviewer } from '../write/body.ts';
import type { RecordChanges } from './changes.ts';
import { MarkField } from './marks.ts';
import type { BatchSettings } from './settings.ts';

export interface BatchRequest {
  input: Input;
  endpointId: EndpointId;
  settings: BatchSettings;
  edits: readonly Edit[];
  template: RowTemplate | undefined;
  /** Rows change records that are read first. */
  changes: RecordChanges | undefined;
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

export type BatchRules = RowRules &
  Required<Pick<TableOptions, 'onUnknownColumns'>> & { markField?: MarkField };

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
  if (request.changes) return changeRules(endpoint, rules, request);
  const markField =
    settings.markField === undefined ? undefined : new MarkField(settings.markField, rules.schema);
  if (markField) warnOfUnknown(context, 'field', [markField.path], rules.schema);
  const problemsWithNames = await namesReviewer(context, endpointId);
  // Codes are checked in new records only, like those of single records.
  const problemsWithCodes =
    endpoint.method === 'POST'
      ? await codesReviewer(context, { endpoint: endpointId, input })
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
      warnOfUnknown(context, 'column', paths, rules.schema);
      // Without their indexes, like the paths of unknown fields.
      for (const path of paths) unknownColumns.add(path.replaceAll(/\[\d+\]/g, '[]'));
    },
    checkNames: (record) => problemsWithNames(record, unknownColumns),
    check:
      problemsWithCodes &&
      (async (record) => [
        ...(markField?.check(record) ?? []),
        ...(template?.check(record) ?? []),
        ...(await problemsWithCodes(record)),
      ]),
    markField,
  };
}

/** Rows have only the fields to change. Names, types and dates are checked with the record itself. */
function changeRules(
  endpoint: Endpoint,
  rules: EditRules,
  { edits, settings }: BatchRequest,
): BatchRules {
  const quiet = { ...rules, note: () => {} };
  // A wrong value is found before the first row; an element of a list, only in a record.
  editRecord(
    new Map(),
    edits.filter(({ text }) => !/\[\d/.test(text)),
    quiet,
  );
  const ids = new KeyMap();
  return {
    endpoint,
    isChange: true,
    bodySchema: rules.schema,
    setDate: (record, path, date) =>
      editRecord(record, [{ kind: 'set', text: `${path}=${date}` }], quiet),
    edit: () => {},
    onUnknownColumns: () => {},
    checkNames: () => [],
    async check(record) {
      const id = String(record.get('_id'));
      const key = hash('sha256', id, 'buffer').subarray(0, keyBytes);
      const isRepeated = ids.get(key) > 0;
      ids.set(key, 1);
      if (!isRepeated || settings.undo !== undefined) return [];
      const message = `_id: another row changes ${id} too; put all changes of a record into one row`;
      return [{ field: '_id', message }];
    },
  };
}

function warnOfUnknown(
  context: Context,
  what: 'column' | 'field',
  paths: readonly string[],
  schema: RowRules['bodySchema'],
): void {
  const unknown = paths.flatMap((path) => {
    const found = unknownInPath(schema, parsePath(path));
    return what === 'column' || found ? [{ path, meant: found?.meant }] : [];
  });
  const [first, ...others] = unknown.map((one) => describeUnknown(what, one));
  if (first !== undefined && context.flags.strict) {
    throw usageError(
      [first, ...others].join('\n'),
      'Nothing was sent. Without --strict, they are sent.',
    );
  }
  for (const one of unknown) {
    context.reportOnce(`warning: ${describeUnknown(what, one, ', sent as a string')}`);
  }
}
