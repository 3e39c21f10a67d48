import { MarError } from '../../core/errors.ts';
import { ServiceRecord } from '../../core/json/serviceRecord.ts';
import { pretty, splitArray, splitObject } from '../../core/json/text.ts';
import { type CsvOptions, csvRow } from '../../core/values/separatedValues.ts';
import type { WriteOptions } from './formats/format.ts';
import { formats } from './formats/registry.ts';
import { type CueOptions, type Line, sortedByNumber, sortedWarning, toCues } from './line.ts';
import { plainText } from './spans.ts';
import type { Subtitles } from './subtitles.ts';

export interface PrintOptions extends CueOptions, Pick<WriteOptions, 'frameRate'> {
  csv: CsvOptions;
}

/** The lines of a work request as text in a format of `exportFormats`, or a profile of one. */
export function printSubtitles(subtitles: Subtitles, formatName: string, options: PrintOptions) {
  const { name, language } = subtitles;
  const { csv, frameRate, warn } = options;
  requestOf(subtitles);
  const format = formats.find((one) => [one.name, ...(one.profiles ?? [])].includes(formatName));
  if (format) {
    const cues = toCues(subtitles, options);
    for (const warning of format.warnings?.(cues) ?? []) warn(`${name}: ${warning}`);
    return format.write(cues, { language, frameRate, profile: formatName });
  }
  const lines = linesWithSources(subtitles, warn);
  if (formatName === 'csv') return printCsv(lines, csv);
  return `${pretty(`[${lines.map(({ source }) => source).join(',')}]`)}\n`;
}

/** An export without lines would look like one that worked. */
function requestOf({ name, lines, request }: Subtitles) {
  if (request && lines.length > 0) return request;
  throw new MarError('check', `${name} has no lines`);
}

/** The lines as the service has them, with the text that it sent. */
export const lineRecords = (subtitles: Subtitles, warn: PrintOptions['warn']) =>
  linesWithSources(subtitles, warn).map(
    ({ source }) => new ServiceRecord(JSON.parse(source), source),
  );

type SourceLine = Line & { source: string };

/** The lines by number, each with its JSON source, which keeps every field and digit. */
function linesWithSources(subtitles: Subtitles, warn: PrintOptions['warn']): SourceLine[] {
  const { record, field } = requestOf(subtitles);
  const lines = sortedByNumber(subtitles.lines);
  if (lines !== subtitles.lines) warn(`${subtitles.name}: ${sortedWarning}`);
  const sources = splitArray(
    splitObject(splitObject(record.text).get(field) ?? '').get('lines') ?? '',
  );
  return lines.map((line) => ({ ...line, source: (sources[line.place - 1] ?? '{}').trim() }));
}

function printCsv(lines: readonly Line[], options: CsvOptions): string {
  const rows = lines.map(({ number = '', start, stop, spans }) => {
    return [String(number), start.text, stop.text, plainText(spans)];
  });
  const names = ['number', 'startTime', 'stopTime', 'text'];
  return [names, ...rows].map((row) => csvRow(row, options)).join('');
}
