import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { misreadInSrt, srt } from '../../src/subtitles/formats/srt.ts';
import { vtt } from '../../src/subtitles/formats/vtt.ts';
import { type Cue, toCues } from '../../src/subtitles/line.ts';
import { plainText, taggedText } from '../../src/subtitles/spans.ts';
import { temporaryFolder } from '../harness/mar.ts';
import { cues as anyCues, line } from '../subtitles/lines.ts';

/** Lines of real translations, with the difficult cases. */
const texts = [
  'Mon père a gardé ce phare<br>pendant quarante ans.',
  '<i>Mayday, mayday.<br>Ici l’Aurelia.</i>',
  '- Éteins-la !<br>- <b>Je</b> ne <u>peux</u> pas !',
  '<b><i>nested</i></b> &amp; <i>more</i>',
  'حرس أبي هذه المنارة<br>أربعين عامًا.',
  'אבא שלי שמר על המגדלור<br>הזה ארבעים שנה, 1951.',
  '父は40年間<br>この灯を守り続けた',
  '<ruby>灯<rt>ともしび</rt></ruby>を守る',
  '👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 e\u0301 zero\u200bwidth',
  'I &lt;3 you, 1 &lt; 2 &gt; 0',
  '42',
  '1<br>2',
  'left --&gt; right',
  'WEBVTT',
  'NOTE to self: 50 % {off}',
];

function scripted(): Cue[] {
  const lines = texts.map((text, index) => {
    const at = (second: number) => `00:${String(index).padStart(2, '0')}:0${second},250`;
    return line(index + 1, at(1), at(3), text);
  });
  const late = [
    line(101, '25:00:00,001', '25:00:01,000', 'after a day'),
    line(102, '99:59:58,000', '99:59:59,999', 'the last of two digits'),
    line(103, '100:00:00,000', '100:00:01,000', 'beyond them'),
  ];
  const subtitles = { name: 'test', lines: [...lines, ...late] };
  const { cues } = toCues(subtitles, { skipsBadTimes: false, warn: () => {} });
  return cues.map((cue, index) => (index === 2 ? { ...cue, placement: { vertical: 'top' } } : cue));
}

const parser = await srt.parser();

/** Converts a file to SRT with ffmpeg; any complaint fails the test. */
function throughFfmpeg(text: string, format: 'srt' | 'vtt') {
  const file = path.join(temporaryFolder(), `test.${format}`);
  writeFileSync(file, text);
  const { status, stdout, stderr } = spawnSync(
    'ffmpeg',
    ['-v', 'warning', '-nostdin', '-i', file, '-f', 'srt', '-'],
    { encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return parser.read(stdout, 'ffmpeg').lines.map(({ start, stop, spans }) => ({
    start: start.milliseconds,
    stop: stop.milliseconds,
    // Inside, ffmpeg writes braces in another way, and in its SRT they stay so.
    text: taggedText(spans, (span) => plainText([span])).replace(/\\([{}])/g, '$1'),
  }));
}

const expected = (cues: readonly Cue[]) =>
  cues.map(({ start, stop, spans }) => ({
    start,
    stop,
    text: taggedText(spans, (span) => plainText([span])),
  }));

describe('ffmpeg reads what is exported, without a warning, and with the same cues:', () => {
  it('SRT', () => {
    const cues = scripted();
    expect(throughFfmpeg(srt.write(cues), 'srt')).toEqual(expected(cues));
  });

  it('WebVTT', () => {
    // ffmpeg does not support ruby.
    const cues = scripted().filter(({ spans }) => spans.every(({ ruby }) => ruby === undefined));
    expect(throughFfmpeg(vtt.write(cues), 'vtt')).toEqual(expected(cues));
  });

  it('SRT with a place on the screen', () => {
    const file = path.join(temporaryFolder(), 'test.srt');
    writeFileSync(file, srt.write(scripted()));
    const { stdout } = spawnSync('ffmpeg', ['-v', 'warning', '-i', file, '-f', 'ass', '-'], {
      encoding: 'utf8',
    });
    expect(stdout.match(/\{\\an8\}/g)).toHaveLength(1);
  });
});

it('ffmpeg has nothing to say about files with any text in them', () => {
  const samples = fc.sample(anyCues, { numRuns: 25, seed: 1 });
  for (const cues of samples) {
    const unclear = new Set(misreadInSrt(cues));
    const some = cues.filter(({ number }) => !unclear.has(number));
    if (some.length === 0) continue;
    const times = some.map(({ start, stop }) => ({ start, stop }));
    for (const [text, format] of [
      [srt.write(some), 'srt'],
      [vtt.write(some), 'vtt'],
    ] as const) {
      const read = throughFfmpeg(text, format).map(({ start, stop }) => ({ start, stop }));
      expect(read).toEqual(times);
    }
  }
});
