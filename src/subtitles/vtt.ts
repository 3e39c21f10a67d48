import type { Cue } from './cues.ts';
import { vttSettings } from './placement.ts';
import type { Span } from './spans.ts';
import { tagged } from './tagged.ts';
import { formatTimecode } from './timecode.ts';

/** WebVTT. Its cues are in the order of their times, as it demands; their numbers are their names. */
export function printVtt(cues: readonly Cue[]): string {
  const ordered = cues.toSorted((a, b) => a.start - b.start);
  return ['WEBVTT\n', ...ordered.map(block)].join('\n');
}

/** Whether WebVTT puts them into another order. */
export const reordersInVtt = (cues: readonly Cue[]): boolean =>
  cues.some(({ start }, index) => start < (cues[index - 1]?.start ?? 0));

function block({ number, start, stop, spans, placement }: Cue): string {
  const times = `${formatTimecode(start, '.')} --> ${formatTimecode(stop, '.')}`;
  return `${number}\n${times}${vttSettings(placement)}\n${tagged(spans, written)}\n`;
}

function written({ text, ruby }: Span): string {
  if (ruby === undefined) return escaped(text);
  return `<ruby>${escaped(text)}<rt>${escaped(ruby)}</rt></ruby>`;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string) => text.replace(/[&<>]/g, (character) => escapes[character] ?? '');
