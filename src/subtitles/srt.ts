import type { Cue } from './cues.ts';
import { numberPadKey } from './placement.ts';
import { type Span, textOf } from './spans.ts';
import { tagged } from './tagged.ts';
import { formatTimecode, isTimingRow } from './timecode.ts';

const usualKey = 2;

/** SubRip: numbered entries, each ended by an empty line. */
export function printSrt(cues: readonly Cue[]): string {
  return cues.map((cue) => `${cue.number}\n${times(cue)}\n${srtText(cue)}\n`).join('\n');
}

const times = ({ start, stop }: Cue) =>
  `${formatTimecode(start, ',')} --> ${formatTimecode(stop, ',')}`;

function srtText({ spans, placement }: Cue): string {
  const key = numberPadKey(placement);
  const place = key === usualKey ? '' : `{\\an${key}}`;
  return place + tagged(spans, writtenText);
}

const writtenText = (span: Span) => textOf([span]);

/**
 * SRT escapes nothing, so that players take these characters for something else than text: tags, and
 * what SubStation Alpha and MicroDVD put into braces or behind a backslash.
 */
const tagLike = /<[a-z!/?]|\{[^{}\n]*\\|\{[cfopsy]:|\\[nh]/i;

/** The numbers of cues whose text a player of SRT takes for tags or for times. */
export const misreadInSrt = (cues: readonly Cue[]): number[] =>
  cues.filter(({ spans }) => isMisread(textOf(spans))).map(({ number }) => number);

const isMisread = (text: string) =>
  tagLike.test(text) || (text.includes('>') && text.split('\n').some(isTimingRow));
