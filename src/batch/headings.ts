import type { EndpointId } from '../api/endpoints.ts';
import { MarError, orUndefined, usageError } from '../errors.ts';
import { type Input, stringOption } from '../input.ts';
import { isColourWanted } from '../output/style.ts';
import type { DateOrder } from '../records/dateText.ts';
import { workRequestOrder } from '../records/template.ts';
import { fieldPaths, headingReader, headingWord } from '../rows/headings.ts';
import type { Row } from '../rows/row.ts';
import type { TableRules } from '../rows/tableRows.ts';
import type { Context } from '../session/context.ts';
import { commandLine } from '../values/commandLine.ts';

/** The user's decisions about a table with these headings, kept for the next one. */
interface Decisions {
  fields: Record<string, string>;
  dates?: DateOrder;
}

const kind = 'Headings';
const leaveOut = '(leave it out)';

export type HeadingMapper = ReturnType<typeof headingMapper>;

/**
 * The fields of headings that mar does not know: from `--map`, or else, on a terminal, those of the last
 * table with the same headings, or the ones that the user picks.
 */
export function headingMapper(
  context: Context,
  { input, endpointId }: { input: Input; endpointId: EndpointId },
  schema: TableRules['bodySchema'],
) {
  const { reporter, session } = context;
  const given = readMap(input, schema);
  let dates = stringOption(input, 'dates') as DateOrder | undefined;
  let mapped: ReadonlyMap<string, string> | undefined;
  let id = '';
  let lastTime = '';
  // `--check` needs no account.
  const memory = orUndefined(() => session.memory);
  const save = async () => {
    const decisions: Decisions = { fields: Object.fromEntries(mapped ?? []), dates };
    if (mapped?.size || dates) await memory?.add([{ kind, id, text: JSON.stringify(decisions) }]);
  };

  const find: NonNullable<TableRules['mapHeadings']> = async ({ all, unknown }) => {
    const byWord = new Map(all.map((heading) => [headingWord(heading), heading]));
    id = [endpointId, ...byWord.keys()].join(' ');
    const found = new Map<string, string>();
    for (const [value, path] of given) {
      const heading = byWord.get(headingWord(value));
      if (heading === undefined) {
        const hint = `Nothing was sent. The headings: ${all.join(', ')}`;
        const facts = { flag: '--map', value, allowed: all };
        throw usageError(`--map ${value}=${path}: the table has no such heading`, hint, facts);
      }
      found.set(heading, path);
    }
    const last = memory?.entries(kind).find((entry) => entry.id === id);
    const decided: Decisions | undefined = orUndefined(() => JSON.parse(last?.text ?? ''));
    lastTime = flagsFor(Object.entries(decided?.fields ?? {}));
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
    return found;
  };

  return {
    get dateOrder() {
      return dates;
    },
    async fieldsFor(headings: Parameters<typeof find>[0]) {
      if (!mapped) {
        mapped = await find(headings);
        await save();
      }
      return mapped;
    },
    /** Asks for the order of day and month before any row is checked: all are read with the same. */
    async chooseDates(rows: AsyncIterable<Row>): Promise<void> {
      if (!reporter.isInteractive) return;
      for await (const row of rows) {
        if ('text' in row.original || dates) return;
        try {
          row.read();
        } catch (error) {
          if (!(error instanceof MarError) || error.details.flag !== '--dates') continue;
          const cell = row.cellOf?.(error.details.field ?? '') ?? `Line ${row.line}`;
          reporter.reportOnce(`${cell}: ${error.message}`, 'essential');
          const orders = { dmy: 'the day is first', mdy: 'the month is first' };
          dates = (await ask(context, 'How are these dates written?', orders)) as DateOrder;
          await save();
        }
      }
    },
    /** How to name the fields of columns that are not known. */
    hintFor: ([heading = '']: readonly string[]) =>
      [
        commandLine`Name their fields, such as --map ${`${heading}=instructions`}, or leave them out: --map ${`${heading}=`}`,
        ...(lastTime ? [`Last time: ${lastTime}`] : []),
      ].join('\n'),
  };
}

const flagsFor = (mapped: readonly (readonly string[])[]) =>
  mapped.map(([heading, path]) => commandLine`--map ${`${heading}=${path}`}`).join(' ');

/** `--map 'Title=asset'`: headings and their fields. */
function readMap({ options }: Input, schema: TableRules['bodySchema']): [string, string][] {
  const readHeading = headingReader(schema);
  return [options.map ?? []].flat().map((given) => {
    const value = String(given);
    const [, heading, field = ''] = /^(.+)=([^=]*)$/s.exec(value) ?? [];
    if (heading === undefined) {
      const hint = "For example: --map 'Notes=instructions', or --map 'Notes=' to leave it out";
      throw usageError(`--map ${value}: expected HEADING=FIELD`, hint, { flag: '--map', value });
    }
    return [heading, readHeading(field.trim())?.path ?? field.trim()];
  });
}

async function askField(context: Context, heading: string, schema: TableRules['bodySchema']) {
  const { first, leaveOut: ofService } = workRequestOrder;
  const paths = fieldPaths(schema).filter((path) => !ofService.includes(topOf(path)));
  const early = first.flatMap((name) => paths.filter((path) => topOf(path) === name));
  const sorted = new Set([...early, ...paths]);
  const choices = Object.fromEntries([leaveOut, ...sorted].map((path) => [path, '']));
  const picked = await ask(context, `Which field is in the column "${heading}"?`, choices);
  return picked === leaveOut ? '' : picked;
}

const topOf = (path: string) => path.replace(/\..*/, '');

async function ask(
  { world, flags, reporter }: Context,
  question: string,
  choices: Readonly<Record<string, string>>,
): Promise<string> {
  const { pick } = await import('../output/pick.ts');
  const listed = Object.entries(choices).map(([id, text]) => ({ id, text }));
  const hasColour = flags.color && isColourWanted(world.env, true);
  return pick(question, listed, { ...world, isAccessible: reporter.isAccessible, hasColour });
}
