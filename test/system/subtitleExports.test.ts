import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebVTTParser } from 'webvtt-parser';
import { ServiceRecord } from '../../src/core/json/serviceRecord.ts';
import { misreadInSrt, srt as srtFormat } from '../../src/modules/subtitles/formats/srt.ts';
import { vtt } from '../../src/modules/subtitles/formats/vtt.ts';
import { type Cue, type Line, toCues } from '../../src/modules/subtitles/line.ts';
import { plainText, type Span, taggedText } from '../../src/modules/subtitles/spans.ts';
import { readTranslation } from '../../src/modules/subtitles/subtitles.ts';
import { formatTimecode } from '../../src/modules/subtitles/timecode.ts';
import { mar, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { recordService } from '../harness/recordService.ts';
import { imscScreens, joined, screensOf } from '../modules/subtitles/imsc.ts';
import { fragment, line, readFile } from '../modules/subtitles/lines.ts';
import { workRequest } from '../modules/subtitles/request.ts';

/*
 * 500 work requests, exported in each format, must be without a mistake for independent readers. With
 * MAR_TEST_SUBTITLES=/folder, there is also one work request for each subtitle file in that folder.
 */

interface Entry {
  number: number;
  startTime: string;
  stopTime: string;
  text: string;
  alignment: string;
  textAlign: string;
}

const requestCount = 500;
const languages = ['fra', 'jpn', 'ara', 'heb', 'tha', 'kor', 'zho', 'hin', 'eng', 'xyz'];

/** Lines of real translations, with the difficult cases. */
const samples = [
  'Mon père a gardé ce phare<br>pendant quarante ans.',
  '<i>Mayday, mayday.<br>Ici l’Aurelia.</i>',
  '- Éteins-la !<br>- <b>Je</b> ne <u>peux</u> pas !',
  'حرس أبي هذه المنارة<br>أربعين عامًا.',
  'אבא שלי שמר על המגדלור<br>הזה ארבעים שנה, 1951.',
  '父は40年間<br>この灯を守り続けた',
  '<ruby>灯<rt>ともしび</rt></ruby>を守る',
  'พ่อของฉันเฝ้าประภาคารนี้<br>มาสี่สิบปี',
  'मेरे पिता ने इस प्रकाशस्तंभ की',
  '👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 e\u0301 zero\u200bwidth',
  'I &lt;3 you, 1 &lt; 2 &gt; 0 &amp;amp; ]]&gt;',
  'left --&gt; right',
  'NOTE to self: 50 % {off}',
];

const entry = fc.record({
  pause: fc.integer({ min: 0, max: 5000 }),
  duration: fc.integer({ min: 1, max: 9000 }),
  text: fc.oneof(fc.constantFrom(...samples), fragment),
  alignment: fc.constantFrom('bottom', 'top', 'middle'),
  textAlign: fc.constantFrom('center', 'left', 'right'),
});

function generatedRequests(): Entry[][] {
  const request = fc.array(entry, { minLength: 1, maxLength: 12 });
  const drafts = fc.sample(request, { numRuns: requestCount, seed: 21 });
  return drafts.map((lines) => {
    let time = 0;
    return lines.map(({ pause, duration, ...line }, index) => {
      const start = time + pause;
      time = start + duration;
      const [startTime, stopTime] = [start, time].map((at) => formatTimecode(at, ','));
      return { number: index + 1, startTime: startTime ?? '', stopTime: stopTime ?? '', ...line };
    });
  });
}

/** The lines of the files in a folder that have times, as a service would have them. */
async function outsideRequests(folder: string | undefined): Promise<Entry[][]> {
  if (folder === undefined) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => /\.(?:srt|vtt|ttml|dfxp|xml)$/i.test(name));
  const requests = await Promise.all(
    files.map(async (name) => {
      const read = readFile(readFileSync(path.join(folder, name)), name);
      const { lines } = await read.catch(() => ({ lines: [] }));
      // ffmpeg warns of a cue that is there twice, and leaves it out.
      const distinct = new Map(
        lines.flatMap(entryOf).map((one) => [`${one.startTime}${one.stopTime}${one.text}`, one]),
      );
      return [...distinct.values()];
    }),
  );
  return requests.filter((entries) => entries.length > 0);
}

function entryOf({ start, stop, spans }: Line, index: number): Entry[] {
  if (start.problem ?? stop.problem) return [];
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const html = taggedText(spans, ({ text, ruby }) => {
    const base = escaped(text).replaceAll('\n', '<br>');
    return ruby === undefined ? base : `<ruby>${base}<rt>${escaped(ruby)}</rt></ruby>`;
  });
  const [from, to] = [start.milliseconds ?? 0, stop.milliseconds ?? 0];
  if (to <= from) return [];
  return [
    {
      number: index + 1,
      startTime: formatTimecode(from, ','),
      stopTime: formatTimecode(to, ','),
      text: html,
      alignment: 'bottom',
      textAlign: 'center',
    },
  ];
}

async function exported(records: readonly string[], format: 'srt' | 'vtt' | 'ttml') {
  const { env } = await recordService(
    Object.fromEntries(records.map((record, index) => [`/workrequests/wr-${index}`, record])),
  );
  const folder = temporaryFolder();
  const stdin = records.map((_, index) => `wr-${index}\n`).join('');
  const argv = ['translation', 'export', '-', '-O', path.join(folder, `{id}.${format}`)];
  const { code, stderr } = await mar(argv, { env, stdin });
  expect(stderr.split('\n').filter((row) => row.startsWith('error'))).toEqual([]);
  expect(code).toBe(0);
  return records.map((_, index) => path.join(folder, `wr-${index}.${format}`));
}

async function cuesOf(record: string) {
  const parsed = new ServiceRecord(JSON.parse(record), record);
  const subtitles = await readTranslation('wr', parsed, 'translation');
  return toCues(subtitles, { skipsBadTimes: true, warn: () => {} });
}

/** Converts files to SRT with ffmpeg, many in one run; any complaint fails the test. */
function throughFfmpeg(files: readonly string[]): string[] {
  const folder = path.join(temporaryFolder(), 'converted');
  mkdirSync(folder);
  const converted = files.map((_, index) => path.join(folder, `${index}.srt`));
  for (let from = 0; from < files.length; from += 40) {
    const some = files.slice(from, from + 40);
    const inputs = some.flatMap((file) => ['-i', file]);
    const outputs = some.flatMap((_, at) => ['-map', `${at}`, converted[from + at] ?? '']);
    const argv = ['-v', 'warning', '-nostdin', ...inputs, ...outputs];
    const { status, stderr } = spawnSync('ffmpeg', argv, { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  }
  return converted.map((file) => readFileSync(file, 'utf8'));
}

/** TTML1, the form for every language but Japanese, has the reading in brackets. */
const withoutRuby = ({ ruby, ...span }: Span): Span =>
  ruby === undefined ? span : { ...span, text: `${span.text}(${ruby})` };

const parser = await srtFormat.parser();

const timesIn = (srt: string) =>
  parser
    .read(srt, 'ffmpeg')
    .lines.map(({ start, stop }) => [start.milliseconds, stop.milliseconds]);

const tagged = (spans: readonly Span[]) => taggedText(spans, (span) => plainText([span]));

it('ffmpeg reads the text of every sample, its place, and times after a day', () => {
  const at = (minute: number) => [`00:${minute}:01,250`, `00:${minute}:03,250`] as const;
  // ffmpeg does not support ruby.
  const texts = ['42', '1<br>2', 'WEBVTT', ...samples].filter((text) => !text.includes('<ruby>'));
  const lines = texts.map((text, index) => line(index + 1, ...at(10 + index), text));
  lines.push(line(99, '99:59:58,000', '100:00:01,000', 'beyond two digits'));
  const cues = toCues({ name: 'test', lines }, { skipsBadTimes: false, warn: () => {} });
  const placed = cues.map((cue, index) =>
    index === 2 ? { ...cue, placement: { vertical: 'top' as const } } : cue,
  );
  const files = [
    temporaryFile(srtFormat.write(placed), 'a.srt'),
    temporaryFile(vtt.write(cues), 'a.vtt'),
  ];
  const expected = cues.map(({ start, stop, spans }) => [start, stop, tagged(spans)]);
  for (const srt of throughFfmpeg(files)) {
    const read = parser.read(srt, 'ffmpeg').lines.map(({ start, stop, spans }) => [
      start.milliseconds,
      stop.milliseconds,
      // Inside, ffmpeg writes braces in another way, and in its SRT they stay so.
      tagged(spans).replace(/\\([{}])/g, '$1'),
    ]);
    expect(read).toEqual(expected);
  }
  const argv = ['-v', 'warning', '-i', files[0] ?? '', '-f', 'ass', '-'];
  const { stdout } = spawnSync('ffmpeg', argv, { encoding: 'utf8' });
  expect(stdout.match(/\{\\an8\}/g)).toHaveLength(1);
});

describe('exports of 500 work requests have no mistake', () => {
  const records: string[] = [];
  const cues = new Map<string, Cue[]>();

  beforeAll(async () => {
    const outside = await outsideRequests(process.env.MAR_TEST_SUBTITLES);
    const requests = [...generatedRequests(), ...outside];
    for (const [index, lines] of requests.entries()) {
      const language = languages[index % languages.length];
      const record = workRequest(lines, { translation: { _id: 't', language, lines } });
      cues.set(record, await cuesOf(record));
      // ffmpeg finds no subtitles in a file without cues.
      if (cues.get(record)?.length) records.push(record);
    }
    expect(records.length).toBeGreaterThan(requestCount * 0.95);
  });

  const timesOf = (record = '') => (cues.get(record) ?? []).map(({ start, stop }) => [start, stop]);

  it("for the W3C's WebVTT parser", async () => {
    for (const [index, file] of (await exported(records, 'vtt')).entries()) {
      const { errors, cues } = new WebVTTParser().parse(readFileSync(file, 'utf8'), 'subtitles');
      expect(errors).toEqual([]);
      const times = cues.map(({ startTime, endTime }) => [startTime, endTime].map(inMilliseconds));
      const expected = timesOf(records[index]);
      expect(times.toSorted(byTime)).toEqual(expected.toSorted(byTime));
    }
  });

  it("for the W3C's TTML reader, which shows the same", async () => {
    for (const [index, file] of (await exported(records, 'ttml')).entries()) {
      const { screens, complaints } = imscScreens(readFileSync(file, 'utf8'));
      expect(complaints).toEqual([]);
      const record = records[index] ?? '';
      const hasRuby = JSON.parse(record).translation.language === 'jpn';
      const lines = cues.get(record)?.map(({ start, stop, spans }) => {
        const shown = hasRuby ? spans : spans.map(withoutRuby);
        const [from, to] = [{ milliseconds: start }, { milliseconds: stop }];
        return { start: from, stop: to, spans: shown } as Line;
      });
      expect(joined(screens)).toEqual(joined(screensOf(lines ?? [])));
    }
  });

  it('for ffmpeg', async () => {
    // SRT cannot escape text that looks like tags or times, of which the export warns.
    const clear = records.filter((record) => misreadInSrt(cues.get(record) ?? []).length === 0);
    expect(clear.length).toBeGreaterThan(records.length / 2);
    for (const [format, some] of [
      ['srt', clear],
      ['vtt', records],
    ] as const) {
      const converted = throughFfmpeg(await exported(some, format));
      for (const [index, srt] of converted.entries()) {
        expect(timesIn(srt).toSorted(byTime)).toEqual(timesOf(some[index]).toSorted(byTime));
      }
    }
  });
});

const inMilliseconds = (seconds: number) => Math.round(seconds * 1000);
const byTime = (a: readonly (number | undefined)[], b: readonly (number | undefined)[]) =>
  (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0);
