import { toCues } from '../cues.ts';
import type { Line } from '../lines.ts';
import { plainText } from '../spans.ts';
import type { TtmlFile } from '../ttml/read.ts';
import { printTtml, type TtmlOptions } from '../ttml/write.ts';
import { type FixOptions, fixLines } from './fix.ts';
import type { FixedFile } from './fixFile.ts';

interface TtmlFixOptions extends FixOptions, TtmlOptions {
  skipsBadTimes: boolean;
  warn(message: string): void;
}

/** Fixes TTML, which is rewritten as IMSC 1.1 Text: other styles, regions and metadata are lost. */
export function fixTtml(before: TtmlFile, name: string, options: TtmlFixOptions): FixedFile {
  const lines = fixLines(before.lines, { ...options, mayLackNumbers: true });
  const changes = before.lines.flatMap((line, index) => {
    const [old, now] = [rowsOf(line), rowsOf(lines[index] ?? line)];
    const { place: row } = line;
    return old.join('\n') === now.join('\n')
      ? []
      : { index, before: { row, rows: old }, after: { row, rows: now } };
  });
  const { cues, warnings } = toCues(lines, { name, ...options });
  for (const warning of warnings) options.warn(warning);
  const { language = before.language, frameRate = before.frameRate } = options;
  const text = printTtml(cues, { language, frameRate });
  const after = changes.length === 0 ? before : { ...before, lines };
  return { text, before, after, changes, addsSignature: false };
}

/** A cue as in SRT: a diff of XML would be hard to read. */
const rowsOf = ({ start, stop, spans }: Line) => [
  `${start.text} --> ${stop.text}`,
  ...plainText(spans).split('\n'),
];
