import { type Endpoint, endpoints } from '../../core/api/endpoints.ts';
import { fieldAssumption, fieldItem } from '../../core/api/service.ts';
import { unknownInPath } from '../../core/api/unknownFields.ts';
import { type Hint, onCommandLine, orUndefined, usageError } from '../../core/errors.ts';
import type { Input } from '../../core/input.ts';
import { parsePath } from '../../core/json/path.ts';
import { headingReader, headingWord } from '../../core/rows/headings.ts';
import type { TableHeadings, TableRules } from '../../core/rows/tableRows.ts';
import type { Context } from '../../core/session/context.ts';
import { commandLine } from '../../core/values/commandLine.ts';
import { describeUnknown, type UnknownField } from '../../core/values/nearest.ts';
import { truncate } from '../../core/values/width.ts';
import { skipHint, skips } from '../../core/writes/checks.ts';
import { refuse, strictHint, type WriteRequest } from '../../core/writes/refuseMistakes.ts';

/** The fields of headings that mar does not know: those of `--map`. Refuses the others. */
export function headingMapper(
  context: Context,
  request: WriteRequest,
  schema: TableRules['bodySchema'],
) {
  let mapped: ReadonlyMap<string, string> | undefined;
  /** The fields of the columns, like the paths of unknown fields. */
  const columns = new Set<string>();

  const find = ({ all, unknown, cellOf }: TableHeadings) => {
    const byWord = new Map(all.map((heading) => [headingWord(heading), heading]));
    const found = readMap(request.input, schema, byWord);
    for (const heading of unknown.filter((one) => !found.has(one))) {
      // Nobody writes `workflow.phase` by chance: mar prints such paths, though some are not documented.
      if (/^[a-z_$]\w*[.[]\S+$/i.test(heading)) found.set(heading, heading);
    }
    const left = unknown.filter((heading) => !found.has(heading));
    const [name = ''] = left;
    const field = /^tit/i.test(name) ? 'asset' : 'FIELD';
    const hint = onCommandLine(
      commandLine`Name their fields, such as --map ${`${name}=${field}`}, or leave them out: --map ${`${name}=`}`,
    );
    if (left.length === all.length) throw noFieldError(left, hint);
    refuseUnknown(context, request, schema, left, { hint, cellOf });
    refuseUnknown(context, request, schema, [...found.values()].filter(Boolean));
    for (const [name, path] of found) {
      if (path === '') context.reporter.reportOnce(`The column ${name} is left out`);
    }
    for (const heading of left) found.set(heading, heading);
    for (const path of found.values()) columns.add(path.replaceAll(/\[\d+\]/g, '[]'));
    return found;
  };

  return {
    columns,
    async mapHeadings(headings: TableHeadings) {
      mapped ??= find(headings);
      return mapped;
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
  { endpoint, input }: WriteRequest,
  schema: TableRules['bodySchema'],
  paths: readonly string[],
  columns?: { hint: Hint } & Pick<TableHeadings, 'cellOf'>,
): void {
  const what = columns ? 'column' : 'field';
  const { readBy }: Endpoint = endpoints[endpoint];
  const unknown = paths.flatMap((path) => {
    const found = orUndefined(() => unknownInPath(schema, parsePath(path)));
    if (session.service().has('field', fieldItem(path))) return [];
    // A column may be somebody's private notes: only the user decides that it is for the people who do the work.
    const meant = columns && found?.meant === 'instructions' ? undefined : found?.meant;
    // A record that is read first may have other fields that are not documented.
    return columns || (readBy ? meant : found) ? [{ path, meant }] : [];
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
      const form = "HEADING=FIELD, such as --map 'Title=asset', or --map 'Notes=' to leave it out";
      const problem = named === undefined ? `expected ${form}` : 'the table has no such heading';
      const hint = `Nothing was sent. The headings: ${allowed.join(', ')}`;
      throw usageError(`--map ${value}: ${problem}`, hint, { flag: '--map', value, allowed });
    }
    found.set(heading, readHeading(field.trim())?.path ?? field.trim());
  }
  return found;
}
