import { describe, expect, it } from 'vitest';
import { readSubtitles } from '../../src/subtitles/read.ts';
import { plainText } from '../../src/subtitles/spans.ts';

function read(...rows: string[]) {
  const { lines, problems } = readSubtitles(new TextEncoder().encode(rows.join('\n')), 'test');
  return {
    lines: lines.map(({ place, number, start, stop, spans, tagProblems }) => ({
      place,
      number,
      times: `${start.text} ${stop.text}`,
      text: plainText(spans),
      problems: [start.problem, stop.problem, ...tagProblems].filter(Boolean),
    })),
    problems,
  };
}

describe('SRT', () => {
  const around = (row: string) =>
    read(
      ...['1', '00:00:01,000 --> 00:00:02,000', 'one', ''],
      ...['2', row, 'two', ''],
      ...['3', '00:00:05,000 --> 00:00:06,000', 'three'],
    );

  it.each([
    '00.00.03,000 --> 00.00.04,000',
    '00;00;03,000 --> 00;00;04,000',
    'OO:00:03,000 --> OO:00:04,000',
    '00: 00: 03,000 --> 00: 00: 04,000',
    '--> 00:00:04,000',
    '00:00:03,000 -->',
  ])('wrong times still start an entry: %s', (row) => {
    const { lines } = around(row);
    expect(lines.map(({ place, text }) => [place, text])).toEqual([
      [1, 'one'],
      [5, 'two'],
      [9, 'three'],
    ]);
    expect(lines[1]?.problems).not.toEqual([]);
  });

  it.each([
    '00:00:03,000 -> 00:00:04,000',
    '00:00:03,000 ---> 00:00:04,000',
    '00:00:03,000 –> 00:00:04,000',
  ])('a wrong arrow is reported, and its entry is read: %s', (row) => {
    const { lines, problems } = around(row);
    expect(lines[1]).toMatchObject({ number: 2, times: '00:00:03,000 00:00:04,000', text: 'two' });
    expect(problems).toEqual([
      { row: 6, message: 'the arrow must be -->; players show this row as text' },
    ]);
  });

  it('an arrow in the text does not start an entry', () => {
    const { lines, problems } = around('00:00:03,000 --> 00:00:04,000\n42\n1 --> 2, a -> b');
    expect(lines[1]?.text).toBe('42\n1 --> 2, a -> b\ntwo');
    expect(problems).toEqual([]);
  });

  it.each([
    ['digits', `1:${'1'.repeat(200_000)}`],
    ['spaces', `a${' '.repeat(200_000)}b`],
    ['braces', '{\\'.repeat(100_000)],
  ])('a very long row of %s is read quickly', (_, row) => {
    expect(around(`00:00:03,000 --> 00:00:04,000\n${row}`).lines).toHaveLength(3);
  });
});

describe('WebVTT', () => {
  it('a cue starts at its times, even without an empty line before it', () => {
    const { lines, problems } = read(
      ...['WEBVTT', '00:01.000 --> 00:02.000', 'one', ''],
      ...['2', '00:03.000 --> 00:04.000', 'two', '00:05.000 --> 00:06.000', 'three'],
    );
    expect(lines.map(({ place, number, text }) => [place, number, text])).toEqual([
      [2, undefined, 'one'],
      [5, 2, 'two'],
      [8, undefined, 'three'],
    ]);
    expect(problems).toEqual([
      { row: 2, message: 'no empty line before this cue' },
      { row: 8, message: 'no empty line before this cue' },
    ]);
  });

  it('the name of a tag ends before its classes', () => {
    const text = '<c.yellow.bg>a</c> <v.loud Ana>b</v> <i.x>c</i>';
    const { lines } = read('WEBVTT', '', '00:01.000 --> 00:02.000', text);
    expect(lines[0]).toMatchObject({ text: 'a b c', problems: [] });
  });

  it('messages about times name the WebVTT format', () => {
    const { lines } = read('WEBVTT', '', '0:01.000 --> 00:02.5', 'a');
    expect(lines[0]?.problems).toEqual([
      'is not in the form HH:MM:SS.mmm',
      'needs three digits after a dot',
    ]);
  });

  it('comments, styles and regions are not cues', () => {
    const { lines, problems } = read(
      ...['WEBVTT', '', 'NOTE', 'a', '', 'STYLE', '::cue {}', '', 'REGION', 'id:a', ''],
      ...['00:01.000 --> 00:02.000', 'one'],
    );
    expect(lines).toHaveLength(1);
    expect(problems).toEqual([]);
  });
});
