import * as fc from 'fast-check';
import { readHtml } from '../../../src/modules/subtitles/formats/markup.ts';
import type { Cue, Line, Placement } from '../../../src/modules/subtitles/line.ts';
import {
  plainText,
  type Span,
  SpanBuilder,
  withoutEmptyLines,
} from '../../../src/modules/subtitles/spans.ts';
import { fileReader } from '../../../src/modules/subtitles/subtitles.ts';
import { readTimecode } from '../../../src/modules/subtitles/timecode.ts';

/** Reads a file as the commands do. */
export const readFile = async (content: string | Uint8Array, name = 'test') =>
  (await fileReader(name, Buffer.from(content)))();

export function line(number: number, start: string, stop: string, html: string): Line {
  const { spans, problems: tagProblems } = readHtml(html);
  const times = { start: readTimecode(start), stop: readTimecode(stop) };
  return { place: number, number, ...times, spans, tagProblems };
}

/** Strings that break subtitle programs: other scripts, zero-width characters, text like markup. */
const characters = `a \u00a0\u3000\u200f\u200b\u200d1-&<>"'{}\\;#\ufeff`;
const scripts = ['Straße', '父は40年間', 'حرس أبي', 'שלי 1951', '👩‍👩‍👧', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'e\u0301'];
const markup = ['42', '-->', '5 --> 6', '&amp;', '&lt', '< b', '<3', 'NOTE', 'WEBVTT'];
const pieces = [...characters, '  ', ...scripts, ...markup];

const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme' })), {
  minLength: 1,
  maxLength: 6,
});

const escaped = (parts: readonly string[]) =>
  parts.join('').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const tag = fc.constantFrom('b', 'i', 'u', 'em', 'strong', 'span');

const { node } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    text.map(escaped),
    fc.constant('<br>'),
    fc
      .tuple(text, text)
      .map(([base, above]) => `<ruby>${escaped(base)}<rt>${escaped(above)}</rt></ruby>`),
    fc
      .tuple(tag, fc.array(tie('node'), { maxLength: 4 }))
      .map(([name, inside]) => `<${name}>${inside.join('')}</${name}>`),
  ),
}));

/** Well-formed HTML fragments. */
export const fragment = fc
  .array(node, { minLength: 1, maxLength: 5 })
  .map((nodes) => nodes.join(''));

const placement: fc.Arbitrary<Placement> = fc.record(
  {
    vertical: fc.constantFrom('top' as const, 'middle' as const),
    horizontal: fc.constantFrom('left' as const, 'right' as const),
  },
  { requiredKeys: [] },
);

/** Cues that SRT and WebVTT can hold: not empty, in the order of their times. */
export const cues: fc.Arbitrary<Cue[]> = fc
  .array(
    fc.record({
      pause: fc.integer({ min: 0, max: 40_000_000 }),
      duration: fc.integer({ min: 1, max: 10_000_000 }),
      html: fragment,
      placement,
    }),
    { maxLength: 12 },
  )
  .map((drafts) => {
    let time = 0;
    return drafts.flatMap(({ pause, duration, html, placement: place }, index) => {
      const start = time + pause;
      const stop = start + duration;
      time = start;
      const spans = withoutEmptyLines(readHtml(html).spans);
      const isEmpty = spans.every((span) => span.text.trim() === '');
      return isEmpty ? [] : [{ number: index + 1, start, stop, spans, placement: place }];
    });
  });

/** What a file is read as: where a cue stands matters only when it is written. */
export const withoutPlacement = ({ placement: _, ...cue }: Cue) => cue;

/** SRT and TTML1 have no ruby: it becomes text. */
export function withoutRuby(cue: Cue): Cue {
  const builder = new SpanBuilder();
  for (const { text, ruby, ...style } of cue.spans as Span[]) {
    builder.add(ruby === undefined ? text : plainText([{ text, ruby }]), style, false);
  }
  return { ...cue, spans: builder.finish() };
}
