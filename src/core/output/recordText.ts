import { flatten } from '../json/fields.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import type { Json } from '../json/value.ts';
import { cellText, machineCell } from '../values/cell.ts';
import type { Format } from '../values/formats.ts';
import { tsvRow } from '../values/separatedValues.ts';
import { formatDate, formatRelative } from '../values/time.ts';
import { type Card, type CardText, renderCard, unbroken } from './card.ts';
import { columnReader, listColumns, pickColumns, pickedTime } from './columns.ts';
import { machineCells, machineText } from './lists.ts';
import type { Style } from './style.ts';
import type { CardTools, ListOptions, View } from './viewType.ts';

type RecordOptions = Omit<ListOptions, 'columns'> & { columns?: readonly string[] };

/** One record: whole for programs, as a card for people, as rows of path and value for a pipe. */
export async function recordText(
  shown: ServiceRecord,
  view: View,
  format: Exclude<Format, 'csv' | 'xlsx'>,
  options: RecordOptions,
): Promise<string> {
  const { stdout, style } = options;
  switch (format) {
    case 'json':
    case 'jsonl':
      return `${machineText(shown.text, format, stdout)}\n`;
    case 'yaml': {
      const { printYaml } = await import('../values/yaml.ts');
      return printYaml(shown.value as Json);
    }
    case 'table': {
      const card = await cardOf(shown, view, options);
      const lines = renderCard(card, stdout.columns, style);
      return lines.map((line) => `${line}\n`).join('');
    }
    case 'tsv': {
      const facts = await rowsOf(shown, view, options);
      return facts.map((row) => `${tsvRow(row, stdout.isTerminal)}\n`).join('');
    }
  }
}

async function cardOf(shown: ServiceRecord, view: View, options: RecordOptions): Promise<Card> {
  const { columns: picked, paintStatus } = options;
  const { value } = shown;
  const tools = cardTools(options);
  if (!picked && view.card) return view.card(value, tools);
  if (!picked) {
    const rows = await fieldsOf(shown, view, options, (field) => tools.time(field));
    return { title: '', sections: [{ rows }] };
  }
  const columns = await pickColumns(view, picked);
  const rows = columns.map((column): [string, CardText] => {
    const { path, kind, paint } = column;
    const time = pickedTime(column)(value, tools);
    const paintTime = paint && ((one: string, style: Style) => paint(one, style, value, tools));
    if (time !== '') return [path, { text: time, paint: paintTime }];
    const text = cellText(columnReader(column)(value));
    if (kind === 'user') return [path, tools.user(text)];
    return [path, { text, paint: kind === 'status' ? paintStatus : undefined }];
  });
  return { title: '', sections: [{ rows }] };
}

async function rowsOf(
  shown: ServiceRecord,
  view: View,
  options: RecordOptions,
): Promise<(readonly [string, string])[]> {
  const { columns: picked, date } = options;
  if (!picked) return fieldsOf(shown, view, options, (_, time) => time.toISOString());
  const columns = await listColumns(view, [shown], options);
  const cells = machineCells({ columns, date })(shown.value);
  return columns.map(({ path }, index) => [path, cells[index] ?? '']);
}

/** All fields, by their paths. */
async function fieldsOf(
  shown: ServiceRecord,
  { knownFields }: View,
  options: RecordOptions,
  time: (value: unknown, date: Date) => string,
) {
  const isTime = (await knownFields?.())?.isTime;
  const cell = (value: unknown, path: string) => {
    const found = isTime && options.date(value);
    return found && isTime(path) ? time(value, found) : machineCell(value);
  };
  return flatten(shown.value, cell);
}

type ToolOptions = Pick<ListOptions, 'now' | 'date' | 'service' | 'paintStatus' | 'userName'>;

export function cardTools({ userName, ...options }: ToolOptions): CardTools {
  const { now, date } = options;
  return {
    ...options,
    cell: cellText,
    user(id) {
      const name = userName?.(id);
      return name === undefined ? id : `${name} (${id})`;
    },
    time(value, zone) {
      const time = date(value);
      if (!time) return cellText(value);
      return `${formatDate(time, zone)} (${unbroken(formatRelative(time, now))})`;
    },
  };
}
