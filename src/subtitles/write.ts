import { pretty, splitObject } from '../json/text.ts';
import { type CsvOptions, csvRow } from '../values/separatedValues.ts';
import { type Cue, toCues } from './cues.ts';
import type { FrameRate } from './frameRate.ts';
import {
  type Line,
  lineSources,
  readLines,
  requireLines,
  sortedByNumber,
  sortedWarning,
  type Translation,
  type TranslationField,
} from './lines.ts';
import { padKey, vttSettings } from './placement.ts';
import { plainText, type Span, taggedText, visibleLines, withoutEmptyLines } from './spans.ts';
import { formatTimecode, isTimingRow } from './timecode.ts';
import { printTtml } from './ttml/write.ts';

export const exportFormats = ['srt', 'vtt', 'ttml', 'txt', 'csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportOptions {
  field: TranslationField;
  skipsBadTimes: boolean;
  csv: CsvOptions;
  /** Declared in a TTML file. */
  frameRate?: FrameRate;
  warn(message: string): void;
}

export async function exportText(
  id: string,
  record: { value: unknown; text: string },
  format: ExportFormat,
  { field, skipsBadTimes, csv, frameRate, warn }: ExportOptions,
): Promise<string> {
  const translation = await readLines(id, record.value, field);
  requireLines(id, translation);
  for (const warning of contentWarnings(id, translation)) warn(warning);
  if (format === 'srt' || format === 'vtt' || format === 'ttml') {
    const { cues, warnings } = toCues(translation.lines, { name: id, skipsBadTimes });
    for (const warning of [...warnings, ...formatWarnings(id, cues, format)]) warn(warning);
    if (format === 'ttml') return printTtml(cues, { language: translation.language, frameRate });
    return format === 'srt' ? printSrt(cues) : printVtt(cues);
  }
  const { lines, wasSorted } = sortedByNumber(translation.lines);
  if (wasSorted) warn(sortedWarning(id));
  if (format === 'txt') return printPlainText(lines);
  const sources = lineSources(record.text, field);
  return format === 'csv' ? printCsv(lines, sources, csv) : printJsonArray(lines, sources);
}

function* contentWarnings(id: string, { splitOrMerged }: Translation) {
  if (splitOrMerged > 0) {
    const some = splitOrMerged === 1 ? '1 line has' : `${splitOrMerged} lines have`;
    yield `${id}: ${some} "split" or "merged", which is not documented; exported unchanged`;
  }
}

function* formatWarnings(id: string, cues: readonly Cue[], format: ExportFormat) {
  const isOutOfOrder = cues.some(({ start }, index) => start < (cues[index - 1]?.start ?? 0));
  if (format === 'vtt' && isOutOfOrder) {
    yield `${id}: cues are sorted by time, as WebVTT requires`;
  }
  const misread = format === 'srt' ? misreadInSrt(cues).slice(0, 5).join(', ') : '';
  if (misread !== '') {
    const places = `${misread.includes(',') ? 'lines' : 'line'} ${misread}`;
    yield `${id}: SRT cannot escape < or {, so players may read them as tags: ${places}`;
  }
}

export const printSrt = (cues: readonly Cue[]): string =>
  cues.map((cue) => `${cue.number}\n${times(cue, ',')}\n${srtText(cue)}\n`).join('\n');

const times = ({ start, stop }: Cue, mark: ',' | '.') =>
  `${formatTimecode(start, mark)} --> ${formatTimecode(stop, mark)}`;

/** The bottom of the picture, in the middle. */
const defaultPadKey = 2;

function srtText({ spans, placement }: Cue): string {
  const key = padKey(placement);
  const place = key === defaultPadKey ? '' : `{\\an${key}}`;
  return place + taggedText(spans, (span) => plainText([span]));
}

/** Tags, also `<1>` and `< b>` for ffmpeg; codes of SubStation Alpha and MicroDVD. SRT has no escapes. */
const tagLike = /<[a-z!/?]|<\w*(?:\s[^<>]*)?>|\{[^{}\n]*\\|\{[cfopsy]:|\\[nh]/i;

export const misreadInSrt = (cues: readonly Cue[]): number[] =>
  cues.filter(({ spans }) => isMisread(plainText(spans))).map(({ number }) => number);

const isMisread = (text: string) =>
  tagLike.test(text) || (text.includes('>') && text.split('\n').some(isTimingRow));

/** WebVTT requires cues in the order of their times. */
export function printVtt(cues: readonly Cue[]): string {
  const ordered = cues.toSorted((a, b) => a.start - b.start);
  return ['WEBVTT\n', ...ordered.map(vttCue)].join('\n');
}

const vttCue = (cue: Cue) =>
  `${cue.number}\n${times(cue, '.')}${vttSettings(cue.placement)}\n${taggedText(cue.spans, vttSpan)}\n`;

function vttSpan({ text, ruby }: Span): string {
  if (ruby === undefined) return escaped(text);
  return `<ruby>${escaped(text)}<rt>${escaped(ruby)}</rt></ruby>`;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string) => text.replace(/[&<>]/g, (character) => escapes[character] ?? '');

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
