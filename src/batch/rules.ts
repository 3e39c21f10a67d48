import { bodyOf, type Endpoint, type EndpointId, endpoints } from '../api/endpoints.ts';
import { hasShape, type Shape, schemaMismatches } from '../api/schemaMismatch.ts';
import shapes from '../api/shapes.json' with { type: 'json' };
import { checkSecrets, describeMismatch, pathSegment } from '../client/request.ts';
import { type FieldFacts, fieldError, MarError, type RowProblem } from '../errors.ts';
import type { Input } from '../input.ts';
import { type JsonObject, toPlain } from '../json/value.ts';
import { type DateOrder, plainDate } from '../records/dateText.ts';
import { type EditRules, editRecord, pathOf } from '../records/edit.ts';
import type { Problem, Row, RowReading } from '../rows/row.ts';
import { readRows } from '../rows/rows.ts';
import type { Source } from '../rows/source.ts';
import { setZone, type TableRules } from '../rows/tableRows.ts';
import type { Context } from '../session/context.ts';
import {
  editRules,
  findPeople,
  namesReviewer,
  readEdits,
  refuseUnknownRemovals,
  skips,
  valuesReviewer,
  valueTranslator,
} from '../writes/index.ts';
import { assetChanges, firstDateNote } from './changes.ts';
import { headingMapper, refuseUnknown } from './headings.ts';
import type { RowRequest } from './runner/sendRow.ts';
import { readSettings } from './settings.ts';
import { readUndone } from './undo.ts';

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

export type BatchRequest = Awaited<ReturnType<typeof readRequest>>;

/** All that a batch needs besides its rows. */
export async function readRequest(context: Context, command: BatchCommand) {
  const { input, undo, rowTemplate } = command;
  /** The batch to undo. */
  const undone = undo === undefined ? undefined : await readUndone(context, undo);
  const settings = readSettings(context, input, undone?.journal);
  const edits = await readEdits(context, input);
  const template = await rowTemplate?.(context, input);
  return { ...command, settings, edits, template, undone };
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

type RowRules = Awaited<ReturnType<typeof rowRules>>;

/** How the rows of a batch become requests. */
export async function rowRules(context: Context, command: BatchRequest, source: Source) {
  const { input, endpointId, edits, template, undone, settings } = command;
  const endpoint: Endpoint = endpoints[endpointId];
  const bodyShape: Shape = JSON.parse(shapes[bodyOf(endpointId)]);
  const rules = await editRules(context, endpointId);
  const { schema: bodySchema } = rules;
  const names = await namesReviewer(context, { endpoint: endpointId, input });
  const values = await valuesReviewer(context, { endpoint: endpointId, input });
  /** Rows change records, which are read first. */
  const changes =
    endpoint.readBy &&
    (await assetChanges(context, command, rules, async (after, before) =>
      names(after, before).concat(await values(after, before)),
    ));
  const people = findPeople(context);
  const hasPeople = endpoint.resource === 'Event' && !skips(input, 'user');
  const changedIds = new Set<string>();
  const headings = headingMapper(context, command, bodySchema);
  const dateRules = { ...rules, note: changes ? () => {} : firstDateNote(context) };
  const removed = edits.filter(({ kind }) => kind === 'unset').map(pathOf);
  if (changes) checkEdits(context, command, dateRules);
  else await refuseUnknownRemovals({ endpoint: endpointId, input }, removed);
  const isTranslated = !changes && input.options.skipChecks !== true;
  let dateOrder: DateOrder | undefined;
  const translate = valueTranslator(context, {
    endpoint: endpointId,
    schema: bodySchema,
    people,
    readDate: (text, path) => plainDate(text, path, dateOrder),
  });
  const addZone = (record: JsonObject) => {
    if (record.has('due') && settings.zone) setZone(record, 'due', settings.zone);
  };

  const request = async (row: Row, reading?: RowReading): Promise<RowRequest> => {
    const body = row.read(reading);
    if (isTranslated) await translate(body, 'names' in row.original, reading);
    addZone(body);
    template?.apply(body);
    addZone(body);
    // A row that changes a record has only the fields to change. Edits apply to the record itself.
    editRecord(body, changes ? [] : edits, dateRules, {});
    if (!changes && !endpoint.path.includes('{id}')) return { body };
    const id = body.get('_id');
    if (typeof id !== 'string') throw fieldError('_id', 'missing; it names the record to write');
    pathSegment(id);
    return { id, body };
  };

  /** Doubtful names and values. A check may ask the service. If that fails, it is not a problem of the row. */
  const check = async (record: JsonObject): Promise<Problem[]> => {
    if (undone) return [];
    const problems: Problem[] = names(record, undefined, changes ? undefined : headings.columns);
    const id = String(record.get('_id'));
    if (changes && changedIds.has(id)) {
      const message = `_id: another row changes ${id} too; put all changes of a record into one row`;
      return [...problems, { field: '_id', message }];
    }
    if (changes) changedIds.add(id);
    problems.push(...(template?.check(record) ?? []), ...(await values(record)));
    return problems.concat(hasPeople ? await people.problemsWith(record) : []);
  };

  const tableRules: TableRules = {
    bodySchema,
    sheet: settings.sheet,
    mapHeadings: headings.mapHeadings,
    note: (text) => context.reporter.reportOnce(text),
  };
  dateOrder = await headings.chooseDates(readRows(source, tableRules, context.world.signal));
  return {
    ...tableRules,
    dateOrder,
    endpoint,
    changes,
    request,
    /** Checks a row on its own. */
    async review(row: Row) {
      const reading: RowReading = { translated: [], problems: [] };
      let body: JsonObject | undefined;
      try {
        const read = await request(row, reading);
        checkSecrets(read.body);
        ({ body } = read);
      } catch (error) {
        if (!(error instanceof MarError) || error.kind !== 'usage') throw error;
        // Advice about flags helps with all rows.
        const hint = error.hints.find((one) => one.for === 'command-line');
        reading.problems.push({ field: error.details.field, message: error.message, hint });
      }
      const plain = body && toPlain(body);
      // The shape tells faster than the schema that a body is valid.
      const isValid = plain === undefined || hasShape(bodyShape, plain);
      const mismatches = isValid ? [] : schemaMismatches(bodySchema, plain);
      const problems: Problem[] = [
        ...reading.problems,
        ...mismatches.map((one) => ({ field: one.path, message: describeMismatch(one) })),
        ...(body && mismatches.length === 0 ? await check(body) : []),
      ];
      const located = problems.map((problem): RowProblem => {
        const cell = row.cellOf?.(problem.field ?? '');
        return { row: row.number, line: row.line, ...problem, ...(cell && { cell }) };
      });
      return { translated: reading.translated, problems: located, body };
    },
  };
}

/** Finds wrong names and values before the first row; an element of a list, only in a record. */
function checkEdits(context: Context, { input, edits }: BatchRequest, rules: EditRules): void {
  const paths = edits.map((edit) => pathOf(edit).replaceAll('[+]', '[0]'));
  refuseUnknown(context, input, rules.schema, paths);
  const apart = edits.filter(({ text }) => !/\[\d/.test(text));
  editRecord(new Map(), apart, rules);
}
