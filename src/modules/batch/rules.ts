import { bodyOf, type Endpoint, type EndpointId, endpoints } from '../../core/api/endpoints.ts';
import { hasShape, type Shape, schemaMismatches } from '../../core/api/schemaMismatch.ts';
import shapes from '../../core/api/shapes.json' with { type: 'json' };
import { checkSecrets, describeMismatch, pathSegment } from '../../core/client/request.ts';
import type { RowFiles } from '../../core/commands/command.ts';
import { fieldError, MarError, type RowProblem } from '../../core/errors.ts';
import { type Input, stringOption } from '../../core/input.ts';
import { type JsonObject, toPlain } from '../../core/json/value.ts';
import { type DateOrder, plainDate } from '../../core/records/dateText.ts';
import { type EditRules, editRecord, pathOf } from '../../core/records/setFields.ts';
import type { Problem, Row, RowReading, RowTemplate } from '../../core/rows/row.ts';
import type { Source } from '../../core/rows/source.ts';
import { setZone, type TableRules } from '../../core/rows/tableRows.ts';
import type { Context } from '../../core/session/context.ts';
import { editRules, readEdits } from '../../core/writes/body.ts';
import { skips } from '../../core/writes/checks.ts';
import { findPeople, type People } from '../../core/writes/people.ts';
import {
  namesReviewer,
  refuseUnknownRemovals,
  valuesReviewer,
  type WriteRequest,
} from '../../core/writes/refuseMistakes.ts';
import { valueTranslator } from '../../core/writes/translate.ts';
import { firstDateNote, recordChanges } from './changes.ts';
import { undoJournalPath } from './journal/journalPaths.ts';
import { headingMapper, refuseUnknown } from './mappedColumns.ts';
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
  files?: RowFiles;
}

export type BatchRequest = Awaited<ReturnType<typeof readRequest>>;

/** All that a batch needs besides its rows. */
export async function readRequest(context: Context, command: BatchCommand) {
  const { undo, rowTemplate, files } = command;
  const { options } = command.input;
  // mar undo has no --again.
  const repeats = undo !== undefined && options.force && !options.again;
  const input = repeats
    ? { ...command.input, options: { ...options, again: 'failed' } }
    : command.input;
  const undone = undo === undefined ? undefined : await readUndone(context, undo);
  const made = undone
    ? { name: undone.journal, journal: undoJournalPath(undone.journal) }
    : files?.listed && { ...files.listed, journal: `${files.listed.name}.mar-journal` };
  const settings = readSettings(context, input, made);
  const madeRows = undone?.rows ?? (await files?.listed?.rows());
  const edits = await readEdits(context, input);
  const template = await rowTemplate?.(context, input);
  const endpointId = undone?.endpointId ?? command.endpointId;
  return { ...command, input, endpointId, settings, edits, template, undone, madeRows };
}

export interface BatchInput extends BatchRequest {
  rules: RowRules;
  source: Source;
}

type RowRules = Awaited<ReturnType<typeof rowRules>>;

/** How the rows of a batch become requests. */
export async function rowRules(context: Context, command: BatchRequest) {
  const { input, endpointId, edits, settings, template, undone } = command;
  const endpoint: Endpoint = endpoints[endpointId];
  const write = { endpoint: endpointId, input };
  const rules = await editRules(context, endpointId);
  const names = await namesReviewer(context, write);
  const values = await valuesReviewer(context, write);
  /** Rows change records, which are read first. */
  const changes =
    endpoint.readBy &&
    (await recordChanges(context, command, rules, async (after, before) =>
      names(after, before).concat(await values(after, before)),
    ));
  const removed = edits.filter(({ kind }) => kind === 'unset').map(pathOf);
  const silentRules = { ...rules, note: () => {} };
  if (changes) checkEdits(context, { ...write, edits }, silentRules);
  else await refuseUnknownRemovals(write, removed);
  const headings = headingMapper(context, write, rules.schema);
  const table: TableRules = {
    bodySchema: rules.schema,
    sheet: settings.sheet,
    mapHeadings: headings.mapHeadings,
    warn: (code, text) => context.reporter.warn(code, text),
  };
  const dateOrder = stringOption(input, 'dates') as DateOrder | undefined;
  const people = findPeople(context);
  // A row that changes a record has only the fields to change. Edits apply to the record itself.
  const request: MakeRequest = changes
    ? async (row, reading) => {
        const body = row.read(reading);
        editRecord(body, [], silentRules, {});
        return withId(body);
      }
    : requestMaker(context, command, { rules, people, dateOrder });
  const hasPeople = endpoint.resource === 'Event' && !skips(input, 'user');
  const repeatedChange = repeatedIdFinder();
  const check: CheckRecord = async (record) => [
    ...names(record, undefined, ({ path, meant }) =>
      changes ? meant === undefined : headings.columns.has(path),
    ),
    ...(changes ? repeatedChange(record) : []),
    ...(template?.check(record) ?? []),
    ...(await values(record)),
    ...(hasPeople ? await people.problemsWith(record) : []),
  ];
  /** The fields that any row has. */
  const sentFields = new Set<string>();
  // An undo writes what the service had before.
  const checks = undone ? async () => [] : check;
  const review = rowReviewer(command, rules.schema, { request, sentFields, check: checks });
  return { ...table, dateOrder, endpoint, changes, request, review, sentFields };
}

type MakeRequest = (row: Row, reading?: RowReading) => Promise<RowRequest>;
/** Finds doubtful names and values. It may ask the service. If that fails, it is not a problem of the row. */
type CheckRecord = (record: JsonObject) => Promise<Problem[]>;

function withId(body: JsonObject): RowRequest {
  const id = body.get('_id');
  if (typeof id !== 'string') throw fieldError('_id', 'missing; it names the record to write');
  pathSegment(id);
  return { id, body };
}

/** The requests of rows that are whole records: what a row has, over the template, and the edits. */
function requestMaker(
  context: Context,
  { input, endpointId, edits, template, files, settings: { zone } }: BatchRequest,
  { rules, people, dateOrder }: { rules: EditRules; people: People; dateOrder?: DateOrder },
): MakeRequest {
  const hasId = endpoints[endpointId].path.includes('{id}');
  const dateRules = { ...rules, note: firstDateNote(rules) };
  const translate = valueTranslator(context, {
    endpoint: endpointId,
    schema: rules.schema,
    people,
    readDate: (text, path) => plainDate(text, path, dateOrder),
  });
  const hasDueFlag = edits.some((edit) => pathOf(edit).startsWith('due'));
  return async (row, reading) => {
    const body = row.read(reading);
    if (input.options.skipChecks !== true) {
      await translate(body, 'names' in row.original, reading);
    }
    if (zone && (hasDueFlag || body.has('due'))) setZone(body, 'due', zone);
    template?.apply(body);
    editRecord(body, edits, dateRules, {});
    template?.finish(body);
    await files?.complete(body);
    return hasId ? withId(body) : { body };
  };
}

/** Finds rows that change a record which a row before them changes. */
function repeatedIdFinder() {
  const ids = new Set<string>();
  return (record: JsonObject): Problem[] => {
    const id = String(record.get('_id'));
    if (!ids.has(id)) {
      ids.add(id);
      return [];
    }
    const message = `_id: another row changes ${id} too; put all changes of a record into one row`;
    return [{ field: '_id', message }];
  };
}

/** Checks a row on its own. */
function rowReviewer(
  { endpointId }: BatchRequest,
  schema: TableRules['bodySchema'],
  rows: { request: MakeRequest; sentFields: Set<string>; check: CheckRecord },
) {
  const { request, sentFields, check } = rows;
  const shape: Shape = JSON.parse(shapes[bodyOf(endpointId)]);
  const mismatchesIn = (body: JsonObject) => {
    // The shape tells faster than the schema that a body is valid.
    const mismatches = hasShape(shape, toPlain(body)) ? [] : schemaMismatches(schema, body);
    return mismatches.map((one) => ({ field: one.path, message: describeMismatch(one) }));
  };
  return async (row: Row) => {
    const { translated, problems }: RowReading = { translated: [], problems: [] };
    let body: JsonObject | undefined;
    try {
      const read = await request(row, { translated, problems });
      // Values that a change leaves hidden are filled in from the record.
      if (!(endpoints[endpointId] as Endpoint).readBy) checkSecrets(read.body);
      ({ body } = read);
      for (const name of body.keys()) sentFields.add(name);
    } catch (error) {
      if (!(error instanceof MarError) || error.kind !== 'usage') throw error;
      // Advice about flags helps with all rows.
      const hint = error.hints.find((one) => one.for === 'command-line');
      problems.push({ field: error.details.field, message: error.message, hint });
    }
    if (body) {
      const mismatches = mismatchesIn(body);
      problems.push(...(mismatches.length > 0 ? mismatches : await check(body)));
    }
    const located = problems.map((problem): RowProblem => {
      const cell = row.cellOf?.(problem.field ?? '');
      return { row: row.number, line: row.line, ...problem, ...(cell && { cell }) };
    });
    return { translated, problems: located, body };
  };
}

/** Finds wrong names and values before the first row; an element of a list, only in a record. */
function checkEdits(
  context: Context,
  { edits, ...write }: WriteRequest & Pick<BatchRequest, 'edits'>,
  rules: EditRules,
): void {
  const paths = edits.map((edit) => pathOf(edit).replaceAll('[+]', '[0]'));
  refuseUnknown(context, write, rules.schema, paths);
  const apart = edits.filter(({ text }) => !/\[\d/.test(text));
  editRecord(new Map(), apart, rules);
}
