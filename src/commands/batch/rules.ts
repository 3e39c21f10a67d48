import { type Endpoint, type EndpointId, endpoints, type SchemaName } from '../../api/endpoints.ts';
import { describeUnknown, unknownInPath } from '../../api/unknownFields.ts';
import type { Problem, RowRules } from '../../batch/input/rows.ts';
import type { TableOptions } from '../../batch/input/tableRows.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { parsePath } from '../../json/path.ts';
import type { JsonObject } from '../../json/value.ts';
import { type Edit, editRecord } from '../../records/edit.ts';
import type { Input } from '../command.ts';
import { codeProblems, editRules, namesReviewer } from '../write/body.ts';
import type { BatchSettings } from './settings.ts';

export interface BatchRequest {
  input: Input;
  endpointId: EndpointId;
  settings: BatchSettings;
  edits: readonly Edit[];
  template: RowTemplate | undefined;
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

export async function rowRules(
  context: Context,
  { input, endpointId, edits, template }: BatchRequest,
): Promise<BatchRules> {
  const endpoint: Endpoint = endpoints[endpointId];
  const rules = await editRules(context, endpoint.body as SchemaName);
  const problemsWithNames = await namesReviewer(context, endpointId);
  const unknownColumns = new Set<string>();
  let hasNoted = false;
  const note = (text: string) => {
    if (!hasNoted)
      context.reportOnce(`${text}. The other dates of the batch are sent the same way`);
    hasNoted = true;
  };
  const dateRules = { ...rules, note };
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
      warnOfUnknownColumns(context, paths, rules.schema);
      // Without their indexes, like the paths of unknown fields.
      for (const path of paths) unknownColumns.add(path.replaceAll(/\[\d+\]/g, '[]'));
    },
    checkNames: (record) => problemsWithNames(record, unknownColumns),
    // Codes are checked in new records only, like those of single records.
    check:
      endpoint.method === 'POST'
        ? async (record) => [
            ...(template?.check(record) ?? []),
            ...(await codeProblems(context, { endpoint: endpointId, input }, record)),
          ]
        : undefined,
  };
}

function warnOfUnknownColumns(
  context: Context,
  paths: readonly string[],
  schema: RowRules['bodySchema'],
): void {
  const unknown = paths.map((path) => {
    const { meant } = unknownInPath(schema, parsePath(path)) ?? {};
    return { path, meant };
  });
  const [first, ...others] = unknown.map((one) => describeUnknown('column', one));
  if (first !== undefined && context.flags.strict) {
    throw usageError(
      [first, ...others].join('\n'),
      'Nothing was sent. Without --strict, they are sent.',
    );
  }
  for (const one of unknown) {
    context.reportOnce(`warning: ${describeUnknown('column', one, ', sent as a string')}`);
  }
}
