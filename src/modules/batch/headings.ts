import type { EndpointId } from '../../core/api/endpoints.ts';
import { fieldAssumption, fieldItem } from '../../core/api/service.ts';
import { unknownInPath } from '../../core/api/unknownFields.ts';
import { type Hint, MarError, onCommandLine, orUndefined, usageError } from '../../core/errors.ts';
import { type Input, stringOption } from '../../core/input.ts';
import { parsePath } from '../../core/json/path.ts';
import type { DateOrder } from '../../core/records/dateText.ts';
import { firstFields } from '../../core/records/template.ts';
import { fieldPaths, headingReader, headingWord } from '../../core/rows/headings.ts';
import type { Row } from '../../core/rows/row.ts';
import type { TableHeadings, TableRules } from '../../core/rows/tableRows.ts';
import type { Context } from '../../core/session/context.ts';
import { commandLine } from '../../core/values/commandLine.ts';
import { describeUnknown, type UnknownField } from '../../core/values/nearest.ts';
import { truncate } from '../../core/values/width.ts';
import { refuse, skipHint, skips, strictHint } from '../../core/writes/index.ts';

/** The user's decisions about a table with these headings, kept for the next one. */
interface Decisions {
  fields: Record<string, string>;
  dates?: DateOrder;
}

const kind = 'Headings';
const leaveOut = '(leave it out)';
const dateOrders = [
  { id: 'dmy', text: 'the day is first' },
  { id: 'mdy', text: 'the month is first' },
];

/**
 * The fields of headings that mar does not know: from `--map`, or else, on a terminal, those of the last
 * table with the same headings, or the ones that the user picks. Refuses the others.
 */
export function headingMapper(
  context: Context,
  { input, endpointId }: { input: Input; endpointId: EndpointId },
  schema: TableRules['bodySchema'],
) {
  const { reporter, session } = context;
  let dates = stringOption(input, 'dates') as DateOrder | undefined;
  let mapped: ReadonlyMap<string, string> | undefined;
  let fields: Decisions['fields'] = {};
  let id = '';
  /** The fields of the columns, like the paths of unknown fields. */
  const columns = new Set<string>();
  // `--check` needs no account.
  const memory = orUndefined(() => session.memory);
  const save = async () => {
    if (Object.keys(fields).length === 0 && !dates) return;
    const decisions: Decisions = { fields, dates };
    await memory?.add([{ kind, id, text: JSON.stringify(decisions) }]);
  };

  const find = async ({ all, unknown, cellOf }: TableHeadings) => {
    const byWord = new Map(all.map((heading) => [headingWord(heading), heading]));
    id = [endpointId, ...byWord.keys()].join(' ');
    const found = readMap(input, schema, byWord);
    const last = memory?.entries(kind).find((entry) => entry.id === id);
    const decided: Decisions | undefined = orUndefined(() => JSON.parse(last?.text ?? ''));
    const chosen: [string, string][] = [];
    for (const heading of unknown.filter((one) => !found.has(one))) {
      // Nobody writes `workflow.phase` by chance: mar prints such paths, though some are not documented.
      if (/^[a-z_$]\w*[.[]\S+$/i.test(heading)) found.set(heading, heading);
      else if (reporter.isInteractive) {
        const path = decided?.fields[heading] ?? (await askField(context, heading, schema));
        chosen.push([heading, path]);
        found.set(heading, path);
      }
    }
    const order = reporter.isInteractive && !dates ? decided?.dates : undefined;
    dates ??= order;
    const flags = [flagsFor(chosen), order && `--dates ${order}`].filter(Boolean).join(' ');
    if (flags) reporter.reportOnce(`Read with ${flags}`, 'essential');
    const left = unknown.filter((heading) => !found.has(heading));
    const lastTime = flagsFor(Object.entries(decided?.fields ?? {}));
    const map = commandLine`Name their fields, such as --map ${`${left[0]}=FIELD`}, or leave them out: --map ${`${left[0]}=`}`;
    const hint = onCommandLine(lastTime ? `${map}\nLast time: ${lastTime}` : map);
    if (left.length === all.length) throw noFieldError(left, hint);
    refuseUnknown(context, input, schema, left, { hint, cellOf });
    refuseUnknown(context, input, schema, [...found.values()].filter(Boolean));
    for (const [name, path] of found) {
      if (path === '') reporter.reportOnce(`The column ${name} is left out`);
    }
    fields = Object.fromEntries(found);
    await save();
    for (const heading of left) found.set(heading, heading);
    for (const path of found.values()) columns.add(path.replaceAll(/\[\d+\]/g, '[]'));
    return found;
  };

  return {
    columns,
    async mapHeadings(headings: TableHeadings) {
      mapped ??= await find(headings);
      return mapped;
    },
    /** Asks for the order of day and month before any row is checked: all are read with the same. */
    async chooseDates(rows: AsyncIterable<Row>): Promise<DateOrder | undefined> {
      if (!reporter.isInteractive) return dates;
      for await (const row of rows) {
        if ('text' in row.original || dates) break;
        try {
          row.read();
        } catch (error) {
          if (!(error instanceof MarError) || error.details.flag !== '--dates') continue;
          const cell = row.cellOf?.(error.details.field ?? '') ?? `Line ${row.line}`;
          reporter.reportOnce(`${cell}: ${error.message}`, 'essential');
          dates = (await reporter.pick('How are these dates written?', dateOrders)) as DateOrder;
          await save();
        }
      }
      return dates;
    },
  };
}

/** Any text has a first line. Without a known field in it, it is no header. */
function noFieldError(names: readonly string[], hint: Hint) {
  const list = names.map((name) => JSON.stringify(truncate(name, 60))).join(', ');
  return usageError(`no known field in the first line: ${truncate(list, 500)}`, [
    'Expected JSON lines, a JSON array, a workbook, or CSV or TSV with field names in the first line: asset,language,due.date',
    hint,
  ]);
}

/**
 * Refuses fields that are probably a typo; with `--strict`, all that are unknown. Warns of others. The
 * columns of a table are all refused: somebody wrote their headings for people.
 */
export function refuseUnknown(
  { flags: { strict }, reporter, session }: Context,
  input: Input,
  schema: TableRules['bodySchema'],
  paths: readonly string[],
  columns?: { hint: Hint } & Pick<TableHeadings, 'cellOf'>,
): void {
  const what = columns ? 'column' : 'field';
  const unknown = paths.flatMap((path) => {
    const found = orUndefined(() => unknownInPath(schema, parsePath(path)));
    if (session.service().has('field', fieldItem(path))) return [];
    return columns || found ? [{ path, meant: found?.meant }] : [];
  });
  const isRefused = ({ meant }: UnknownField) =>
    strict || (!skips(input, 'field') && (columns || meant !== undefined));
  const problems = unknown.filter(isRefused).map(({ path, meant }) => {
    const cell = columns?.cellOf(path);
    const place = cell === undefined ? '' : `${cell}: `;
    const message = place + describeUnknown(what, { path, meant });
    const rests = columns ? ('mistake' as const) : fieldAssumption(path);
    return { field: path, suggestion: meant, check: 'field', message, rests };
  });
  refuse(problems, strict ? strictHint : (columns?.hint ?? skipHint('field')));
  for (const one of unknown) {
    const message = `${describeUnknown(what, one)} will be sent as a string`;
    reporter.warn(`unknown-${what}`, message, [{ path: one.path, suggestion: one.meant }]);
  }
}

const flagsFor = (mapped: readonly (readonly string[])[]) =>
  mapped.map(([heading, path]) => commandLine`--map ${`${heading}=${path}`}`).join(' ');

/** `--map 'Title=asset'`: headings of the table, and their fields. */
function readMap(
  { options }: Input,
  schema: TableRules['bodySchema'],
  byWord: ReadonlyMap<string, string>,
): Map<string, string> {
  const readHeading = headingReader(schema);
  const found = new Map<string, string>();
  for (const value of [options.map ?? []].flat().map(String)) {
    const [, named, field = ''] = /^(.+)=([^=]*)$/s.exec(value) ?? [];
    const heading = byWord.get(headingWord(named ?? ''));
    if (heading === undefined) {
      const allowed = [...byWord.values()];
      const form =
        "HEADING=FIELD, such as --map 'Notes=instructions', or --map 'Notes=' to leave it out";
      const problem = named === undefined ? `expected ${form}` : 'the table has no such heading';
      const hint = `Nothing was sent. The headings: ${allowed.join(', ')}`;
      throw usageError(`--map ${value}: ${problem}`, hint, { flag: '--map', value, allowed });
    }
    found.set(heading, readHeading(field.trim())?.path ?? field.trim());
  }
  return found;
}

async function askField(
  { reporter, session }: Context,
  heading: string,
  schema: TableRules['bodySchema'],
) {
  const ofService = session.service().parts('order', 'made');
  const paths = fieldPaths(schema).filter((path) => !ofService.includes(topOf(path)));
  const early = firstFields.flatMap((name) => paths.filter((path) => topOf(path) === name));
  const sorted = new Set([...early, ...paths]);
  // Last, because Enter takes the first one.
  const choices = [...sorted, leaveOut].map((path) => ({ id: path, text: '' }));
  const picked = await reporter.pick(`Which field is in the column "${heading}"?`, choices);
  return picked === leaveOut ? '' : picked;
}

const topOf = (path: string) => path.replace(/\..*/, '');
