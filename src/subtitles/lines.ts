import { MarError } from '../errors.ts';
import { splitArray, splitObject } from '../json/text.ts';
import { commandLine } from '../values/commandLine.ts';
import { type Placement, readPlacement } from './placement.ts';
import { plainSpans, type Span } from './spans.ts';
import { readTimecode, type Timecode } from './timecode.ts';

/** A line of a translation, or an entry of a subtitle file. */
export interface Line {
  /** Counted from 1: its place in the translation, or the line of the file where it begins. */
  place: number;
  number?: number;
  start: Timecode;
  stop: Timecode;
  spans: readonly Span[];
  /** Tags that do not match. */
  tagProblems: readonly string[];
  placement: Placement;
}

/** Something wrong with a subtitle file itself. */
export interface FileProblem {
  /** The line of the file, from 1. */
  row: number;
  message: string;
}

/** Which of the two translations of a work request. */
export type Which = 'translation' | 'graphicsTranslation';

interface Fields {
  readonly [name: string]: unknown;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A work request's translation, as far as subtitles need it. */
export interface Subtitles {
  lines: readonly Line[];
  language?: string;
  /** Lines with `split` or `merged`, which are kept and not acted upon. */
  unclear: number;
  /** What stands in `printLines`, which are not subtitles. */
  printLines: number;
}

const needsParser = /[<&]/;

/** The lines of a translation inside a work request; a fragment without tags needs no parser. */
export async function readLines(id: string, record: unknown, which: Which): Promise<Subtitles> {
  const translation = isFields(record) ? record[which] : undefined;
  if (!isFields(translation)) throw noLines(id, which, translation);
  const listed = Array.isArray(translation.lines) ? translation.lines : [];
  const entries = listed.map((entry): Fields => (isFields(entry) ? entry : {}));
  const isMarked = entries.some(({ text }) => typeof text === 'string' && needsParser.test(text));
  const markup = isMarked ? await import('./markup.ts') : undefined;
  const isFilled = (value: unknown) => value !== undefined && value !== null && value !== '';
  const language = translation.language ?? (record as Fields).language;
  return {
    lines: entries.map((entry, index) => {
      const text = typeof entry.text === 'string' ? entry.text : '';
      const marked = markup && needsParser.test(text) ? markup.readHtml(text) : undefined;
      return {
        place: index + 1,
        ...(Number.isSafeInteger(entry.number) ? { number: entry.number as number } : {}),
        start: readTimecode(entry.startTime),
        stop: readTimecode(entry.stopTime),
        spans: marked?.spans ?? plainSpans(text),
        tagProblems: marked?.problems ?? [],
        placement: readPlacement(entry.alignment, entry.textAlign),
      };
    }),
    ...(typeof language === 'string' ? { language } : {}),
    unclear: entries.filter(({ split, merged }) => isFilled(split) || isFilled(merged)).length,
    printLines: Array.isArray(translation.printLines) ? translation.printLines.length : 0,
  };
}

function noLines(id: string, which: Which, found: unknown): MarError {
  const name = which === 'translation' ? 'translation' : 'graphics translation';
  return new MarError(
    'service',
    typeof found === 'string'
      ? `${id}: the service sent only the id of its ${name} (${found}), not its lines`
      : `${id} carries no ${name}`,
    { hint: `look at what it carries: ${commandLine`mar wr get ${id} --json`}` },
  );
}

/** The texts of the same entries: no digit and no field is lost. */
export function exactLines(text: string, which: Which): string[] {
  const lines = splitObject(splitObject(text).get(which) ?? '').get('lines') ?? '';
  return lines.startsWith('[') ? splitArray(lines).map((line) => line.trim()) : [];
}

/** By number; lines that were in order stay as they are. Without all numbers nothing is moved. */
export function inOrder(lines: readonly Line[]): { lines: readonly Line[]; moved: boolean } {
  const numbers = lines.map(({ number }) => number);
  if (numbers.includes(undefined)) return { lines, moved: false };
  const at = (index: number) => numbers[index] ?? 0;
  const moved = numbers.some((_, index) => index > 0 && at(index) < at(index - 1));
  if (!moved) return { lines, moved };
  return { lines: lines.toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0)), moved };
}

export const movedWarning = (name: string) =>
  `${name}: lines were out of order, and are sorted by number`;
