import type { Line } from '../lines.ts';
import type { Limits } from '../lint/limits.ts';
import { formatTimecode } from '../timecode.ts';
import { fixPieces } from './fixText.ts';
import { fixedStops } from './fixTimes.ts';

export interface FixOptions {
  limits: Limits;
  /** The format has optional numbers. */
  mayLackNumbers?: boolean;
}

/**
 * Fixes what can be fixed automatically: style, line breaks, stop times and numbers. The words stay the same. This
 * is for formats that are rewritten from their lines; SRT and WebVTT files are fixed in their text.
 */
export function fixLines(lines: readonly Line[], options: FixOptions): Line[] {
  const restyled = lines.map((line): Line => {
    const texts = fixPieces(
      line.spans.map(({ text }) => text),
      options.limits,
    );
    const spans = line.spans.map((span, index) => ({ ...span, text: texts[index] ?? span.text }));
    return { ...line, spans: spans.filter(({ text }) => text !== ''), tagProblems: [] };
  });
  return fixTimesAndNumbers(restyled, options);
}

/** Lines that need no change are the same objects as before. */
export function fixTimesAndNumbers(lines: readonly Line[], options: FixOptions): Line[] {
  const stops = fixedStops(lines, options.limits);
  const numbers = fixedNumbers(lines, options);
  return lines.map((line, index) => {
    const milliseconds = stops.get(line);
    const number = numbers ? numbers[index] : line.number;
    if (milliseconds === undefined && number === line.number) return line;
    if (milliseconds === undefined) return { ...line, number };
    const mark = line.stop.text.includes('.') ? '.' : ',';
    return { ...line, number, stop: { text: formatTimecode(milliseconds, mark), milliseconds } };
  });
}

/** Undefined if the numbers are right: without gaps, in order, and none missing where one is needed. */
function fixedNumbers(lines: readonly Line[], { mayLackNumbers }: FixOptions) {
  const present = lines.flatMap(({ number }) => number ?? []);
  const isComplete = mayLackNumbers || present.length === lines.length;
  const first = present[0] ?? 1;
  if (isComplete && present.every((number, index) => number === first + index)) return undefined;
  let last = 0;
  return lines.map(({ number }) => {
    if (mayLackNumbers && number === undefined) return undefined;
    last += 1;
    return last;
  });
}
