import { MarError } from '../errors.ts';
import { splitArray, splitObject } from '../json/text.ts';
import { commandLine } from '../values/commandLine.ts';
import { type Placement, readPlacement } from './placement.ts';
import { plainSpans, type Span } from './spans.ts';
import { readTimecode, type Timecode } from './timecode.ts';

export interface Line {
  /** Its position in the translation, or the line of the file where it starts; counted from 1. */
  place: number;
  number?: number;
  start: Timecode;
  stop: Timecode;
  spans: readonly Span[];
  tagProblems: readonly string[];
  placement: Placement;
  /** For a file of text: the row of its times, and the row after its text; counted from 0. */
  rows?: { timing: number; end: number };
}

/** Dialogue, and titles on the screen. */
export type TranslationField = 'translation' | 'graphicsTranslation';

export interface Translation {
  lines: readonly Line[];
  language?: string;
  /** How many lines have `split` or `merged`, which the service does not document. */
  splitOrMerged: number;
  /** How many entries `printLines` has; these are not subtitles. */
  printLines: number;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasMarkup = /[<&]/;

/** Reads a translation of a work request. Loads the HTML parser only if a line has markup. */
export async function readLines(
  id: string,
  record: unknown,
  field: TranslationField,
): Promise<Translation> {
  const translation = isFields(record) ? record[field] : undefined;
  if (!isFields(translation)) throw noLinesError(id, field, translation);
  const listed = Array.isArray(translation.lines) ? translation.lines : [];
  const entries = listed.map((entry): Fields => (isFields(entry) ? entry : {}));
  const needsParser = entries.some(({ text }) => typeof text === 'string' && hasMarkup.test(text));
  const parser = needsParser ? await import('./markup.ts') : undefined;
  const isFilled = (value: unknown) => value !== undefined && value !== null && value !== '';
  const language = translation.language ?? (record as Fields).language;
  return {
    lines: entries.map((entry, index) => {
      const text = typeof entry.text === 'string' ? entry.text : '';
      const parsed = parser && hasMarkup.test(text) ? parser.readHtml(text) : undefined;
      return {
        place: index + 1,
        number: Number.isSafeInteger(entry.number) ? (entry.number as number) : undefined,
        start: readTimecode(entry.startTime),
        stop: readTimecode(entry.stopTime),
        spans: parsed?.spans ?? plainSpans(text),
        tagProblems: parsed?.problems ?? [],
        placement: readPlacement(entry.alignment, entry.textAlign),
      };
    }),
    language: typeof language === 'string' ? language : undefined,
    splitOrMerged: entries.filter((entry) => [entry.split, entry.merged].some(isFilled)).length,
    printLines: Array.isArray(translation.printLines) ? translation.printLines.length : 0,
  };
}

function noLinesError(id: string, field: TranslationField, found: unknown): MarError {
  const name = field === 'translation' ? 'translation' : 'graphics translation';
  return new MarError(
    'service',
    typeof found === 'string'
      ? `${id}: the service sent only the id of the ${name} (${found}), not its lines`
      : `${id} has no ${name}`,
    { hint: `To see the whole record, run: ${commandLine`mar wr get ${id} --json`}` },
  );
}

/** An export without lines would look like one that worked. */
export function requireLines(id: string, { lines, printLines }: Translation): void {
  if (lines.length > 0) return;
  const others = printLines > 0 ? ` (its ${printLines} printLines are not subtitles)` : '';
  throw new MarError('refused', `${id} has no lines${others}`);
}

/** The JSON source of each line, which keeps every field and digit. */
export function lineSources(record: string, field: TranslationField): string[] {
  const lines = splitObject(splitObject(record).get(field) ?? '').get('lines') ?? '';
  return lines.startsWith('[') ? splitArray(lines).map((line) => line.trim()) : [];
}

/** Sorts lines by number, unless one has none. */
export function sortedByNumber(lines: readonly Line[]) {
  if (lines.some(({ number }) => number === undefined)) return { lines, wasSorted: false };
  const sorted = lines.toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0));
  return { lines: sorted, wasSorted: sorted.some((line, index) => line !== lines[index]) };
}

export const sortedWarning = (name: string) => `${name}: lines were out of order; sorted by number`;
