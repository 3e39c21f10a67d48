import { colToLetter, type WriteSheet } from 'hucre/xlsx';
import { orUndefined } from '../../errors.ts';
import { bold, workbookOf } from '../../output/sheet.ts';
import type { ValueName } from '../../records/knownValues.ts';
import { commonLanguages, countryChoices, languageCode } from '../../records/names.ts';
import type { Context } from '../../session/context.ts';
import { seenValues } from '../../session/remember.ts';

/** Rows that have lists to choose from, below the headings. */
const rowsToFill = 500;

const explanation =
  'One order in each row below the headings. Rows above the headings are examples: they are not read.';

interface FormColumn {
  title: string;
  examples: readonly [string | Date, string | Date];
  width: number;
  /** The values to choose from. Others may be typed, because a cell may hold several. */
  choices?: readonly string[];
  numFmt?: string;
}

/** A workbook for orders: headings, examples, and lists to choose from. `--batch` reads it as it is. */
export function orderForm({ session, world }: Context): Promise<Uint8Array> {
  const due = new Date(`${world.now().getUTCFullYear() + 1}-03-31T00:00:00Z`);
  const seen = (name: ValueName) => orUndefined(() => seenValues(session, name)) ?? [];
  const known = (name: ValueName) => [...new Set(session.service().items(name).concat(seen(name)))];
  const languages = commonLanguages().flatMap(({ name }) => (languageCode(name) ? [name] : []));
  const zones = Intl.supportedValuesOf('timeZone');
  const treatments = known('dialogue');
  const columns: readonly FormColumn[] = [
    { title: 'Asset', width: 34, examples: ['a-1001', 'The Harbor Light – Trailer A'] },
    { title: 'Language', width: 16, examples: ['French', 'German'], choices: languages },
    { title: 'Territory', width: 18, examples: ['France', 'Germany'], choices: countryChoices() },
    { title: 'Due', width: 12, examples: [due, due], numFmt: 'yyyy-mm-dd' },
    { title: 'TZ', width: 18, examples: ['Europe/Paris', 'Europe/Berlin'], choices: zones },
    { title: 'Uses', width: 18, examples: ['online', 'online, broadcast'], choices: known('use') },
    { title: 'Dialogue', width: 14, examples: ['subtitled', 'subtitled'], choices: treatments },
    { title: 'Instructions', width: 40, examples: ['Two lines at most', ''] },
  ];
  const rows = [
    [explanation],
    ...([0, 1] as const).map((at) => columns.map(({ examples }) => examples[at])),
    columns.map(({ title }) => title),
  ];
  const lists = columns.map(({ choices = [] }) => choices);
  const validations = lists.map((list, at) => {
    const letter = colToLetter(at);
    return {
      type: 'list' as const,
      formula1: `Lists!$${letter}$1:$${letter}$${list.length}`,
      range: `${letter}${rows.length + 1}:${letter}${rows.length + rowsToFill}`,
      allowBlank: true,
      showErrorMessage: false,
    };
  });
  const orders: WriteSheet = {
    name: 'Orders',
    columns: columns.map(({ width, numFmt }) => ({ width, numFmt })),
    rows,
    cells: new Map(
      columns.map(({ title }, at) => [`${rows.length - 1},${at}`, { value: title, style: bold }]),
    ),
    freezePane: { rows: rows.length },
    dataValidations: validations.filter((_, at) => lists[at]?.length),
  };
  const longest = Math.max(...lists.map(({ length }) => length));
  const choices = Array.from({ length: longest }, (_, row) => lists.map((one) => one[row] ?? null));
  return workbookOf([orders, { name: 'Lists', rows: choices, hidden: true }]);
}
