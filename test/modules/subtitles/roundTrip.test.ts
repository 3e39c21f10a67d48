import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WebVTTParser } from 'webvtt-parser';
import { misreadInSrt, srt } from '../../../src/modules/subtitles/formats/srt.ts';
import { vtt } from '../../../src/modules/subtitles/formats/vtt.ts';
import { cues, withoutPlacement, withoutRuby } from './lines.ts';

const milliseconds = (seconds: number) => Math.round(seconds * 1000);

const parsers = { srt: await srt.parser(), vtt: await vtt.parser() };

function readBack(text: string, format: 'srt' | 'vtt' = 'vtt') {
  const { lines, problems } = parsers[format].read(text, 'test');
  expect(problems).toEqual([]);
  return lines.map(({ number, start, stop, spans, tagProblems }) => {
    expect(tagProblems).toEqual([]);
    return { number, start: start.milliseconds, stop: stop.milliseconds, spans };
  });
}

describe('an export reads back the same', () => {
  it('as WebVTT, with any line end', () => {
    void fc.assert(
      fc.property(cues, fc.constantFrom('\n', '\r\n', '\r'), (some, lineEnd) => {
        expect(readBack(vtt.write(some).replaceAll('\n', lineEnd))).toEqual(
          some.map(withoutPlacement),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('as SRT, except for ruby and text that looks like tags', () => {
    void fc.assert(
      fc.property(cues, (all) => {
        const misread = new Set(misreadInSrt(all));
        const some = all.filter(({ number }) => !misread.has(number));
        expect(readBack(srt.write(some), 'srt')).toEqual(
          some.map(withoutRuby).map(withoutPlacement),
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe('WebVTT', () => {
  it('has the same cues in the strict parser of the W3C, without errors', () => {
    void fc.assert(
      fc.property(cues, (some) => {
        const { errors, cues: read } = new WebVTTParser().parse(vtt.write(some), 'subtitles');
        expect(errors).toEqual([]);
        // The parser has an order of its own for cues that start together.
        const byName = read.toSorted((a, b) => Number(a.id) - Number(b.id));
        expect(
          byName.map((cue) => [cue.id, milliseconds(cue.startTime), milliseconds(cue.endTime)]),
        ).toEqual(some.map(({ number, start, stop }) => [String(number), start, stop]));
      }),
      { numRuns: 200 },
    );
  });
});
