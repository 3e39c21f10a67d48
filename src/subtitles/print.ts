import { MarError } from '../errors.ts';
import { fieldOf, valueAt } from '../json/fields.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import { pretty, splitArray, splitObject } from '../json/text.ts';
import { type CsvOptions, csvRow } from '../values/separatedValues.ts';
import type { WriteOptions } from './formats/format.ts';
import { formatNames, formats } from './formats/registry.ts';
import { type Line, sortedByNumber, sortedWarning, toCues } from './line.ts';
import { plainText, visibleLines, withoutEmptyLines } from './spans.ts';
import { entriesIn, type Subtitles, type TranslationField } from './subtitles.ts';

/** Besides the formats of subtitles: the words, a table, and the lines as the service has them. */
export const exportFormats: readonly string[] = [...formatNames, 'txt', 'csv', 'json'];

export interface PrintOptions extends Pick<WriteOptions, 'frameRate'> {
  skipsBadTimes: boolean;
  csv?: CsvOptions;
  warn(message: string): void;
}

/** The lines of a work request as text in a format of `exportFormats`, or a profile of one. */
export function printSubtitles(
  subtitles: Subtitles,
  formatName: string,
  { csv = { raw: false, isTerminal: false }, warn, ...options }: PrintOptions,
): string {
  const { name } = subtitles;
  const request = requestOf(subtitles);
  const splitOrMerged = entriesIn(request.record, request.field).filter(isSplitOrMerged).length;
  if (splitOrMerged > 0) {
    const some = splitOrMerged === 1 ? '1 line has' : `${splitOrMerged} lines have`;
    warn(`${name}: ${some} "split" or "merged", which is not documented; exported unchanged`);
  }
  const format = formats.find((one) => [one.name, ...(one.profiles ?? [])].includes(formatName));
  if (format) {
    const { cues, warnings } = toCues(subtitles.lines, { name, ...options });
    const more = format.warnings?.(cues) ?? [];
    for (const warning of [...warnings, ...more.map((one) => `${name}: ${one}`)]) warn(warning);
    return format.write(cues, { ...options, language: subtitles.language, profile: formatName });
  }
  const { lines, wasSorted } = sortedByNumber(subtitles.lines);
  if (wasSorted) warn(sortedWarning(name));
  if (formatName === 'txt') return printPlainText(lines);
  const sources = lineSources(request.record, request.field);
  return formatName === 'csv' ? printCsv(lines, sources, csv) : printJsonArray(lines, sources);
}

const isSplitOrMerged = (entry: unknown) =>
  ['split', 'merged'].some((name) => (fieldOf(entry, name) ?? '') !== '');

/** An export without lines would look like one that worked. */
export function requestOf({ name, lines, request }: Subtitles) {
  if (request && lines.length > 0) return request;
  const printLines = request && valueAt(request.record.value, `${request.field}.printLines`);
  const count = Array.isArray(printLines) ? printLines.length : 0;
  const others = count > 0 ? ` (its ${count} printLines are not subtitles)` : '';
  throw new MarError('refused', `${name} has no lines${others}`);
}

/** The JSON source of each line, which keeps every field and digit. */
export function lineSources(record: ServiceRecord, field: TranslationField): string[] {
  const lines = splitObject(splitObject(record.text).get(field) ?? '').get('lines') ?? '';
  return lines.startsWith('[') ? splitArray(lines).map((line) => line.trim()) : [];
}

function printPlainText(lines: readonly Line[]): string {
  const filled = lines.filter(({ spans }) => visibleLines(spans).length > 0);
  return filled.map(({ spans }) => `${plainText(withoutEmptyLines(spans))}\n`).join('\n');
}

const columnsBeforeText = ['number', 'startTime', 'stopTime'];
const columnsAfterText = 'alignment textAlign split merged range auto custom machine'.split(' ');

/** Every field of the lines: `text` for reading, `html` as the service has it. */
function printCsv(lines: readonly Line[], sources: readonly string[], options: CsvOptions): string {
  const header = csvRow([...columnsBeforeText, 'text', 'html', ...columnsAfterText], options);
  const rows = lines.map(({ place, spans }) => {
    const fields = splitObject(sources[place - 1] ?? '');
    const cells = (names: readonly string[]) => names.map((name) => cell(fields, name));
    const text = [plainText(spans), cell(fields, 'text')];
    return csvRow([...cells(columnsBeforeText), ...text, ...cells(columnsAfterText)], options);
  });
  return header + rows.join('');
}

function cell(fields: ReadonlyMap<string, string>, name: string): string {
  const source = fields.get(name);
  if (source === undefined || source === 'null') return '';
  return source.startsWith('"') ? JSON.parse(source) : source;
}

const printJsonArray = (lines: readonly Line[], sources: readonly string[]): string =>
  `${pretty(`[${lines.map(({ place }) => sources[place - 1] ?? '{}').join(',')}]`)}\n`;
