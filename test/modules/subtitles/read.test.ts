import { describe, expect, it } from 'vitest';
import { plainText } from '../../../src/modules/subtitles/spans.ts';
import { subtitleWords } from '../../words/subtitles.ts';
import { readFile } from './lines.ts';

async function read(...rows: string[]) {
  const { lines, problems } = await readFile(rows.join('\n'));
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

  it.each([' ', '-', ' -'])(
    'takes time in proportion to a row of times with many %j',
    async (text) => {
      // With the square of its length, this would not end in the time that a test has.
      const { lines } = await around(`00:00:03,000${text.repeat(500_000)}x --> 00:00:04,000`);
      expect(lines).toHaveLength(3);
    },
  );

  it.each([
    '00.00.03,000 --> 00.00.04,000',
    '00;00;03,000 --> 00;00;04,000',
    'OO:00:03,000 --> OO:00:04,000',
    '00: 00: 03,000 --> 00: 00: 04,000',
    '--> 00:00:04,000',
    '00:00:03,000 -->',
  ])('wrong times still start an entry: %s', async (row) => {
    const { lines } = await around(row);
    expect(lines.map(({ place, text }) => [place, text])).toEqual([
      [1, 'one'],
      [5, 'two'],
      [9, 'three'],
    ]);
    expect(lines[1]?.problems).not.toEqual([]);
  });

  it.each([
    [' -> ', subtitleWords.wrongArrow],
    [' ---> ', subtitleWords.wrongArrow],
    [' –> ', subtitleWords.wrongArrow],
    ['-->', subtitleWords.crampedArrow],
    ['--> ', subtitleWords.crampedArrow],
    [' -->', subtitleWords.crampedArrow],
  ])('a wrong arrow is reported, and its entry is read: %j', async (arrow, message) => {
    const { lines, problems } = await around(`00:00:03,000${arrow}00:00:04,000`);
    expect(lines[1]).toMatchObject({ number: 2, times: '00:00:03,000 00:00:04,000', text: 'two' });
    expect(problems).toEqual([{ row: 6, message, fixable: true }]);
  });

  it('the attributes of tags are no text', async () => {
    const text = '<b x>a</b> <i >b</i> <font color="red">c</font>';
    const { lines } = await around(`00:00:03,000 --> 00:00:04,000\n${text}`);
    expect(lines[1]).toMatchObject({ text: 'a b c\ntwo', problems: [] });
  });

  it('an arrow in the text does not start an entry', async () => {
    const { lines, problems } = await around('00:00:03,000 --> 00:00:04,000\n42\n1 --> 2, a -> b');
    expect(lines[1]?.text).toBe('42\n1 --> 2, a -> b\ntwo');
    expect(problems).toEqual([]);
  });

  it.each([
    ['digits', `1:${'1'.repeat(200_000)}`],
    ['spaces', `a${' '.repeat(200_000)}b`],
    ['braces', '{\\'.repeat(100_000)],
  ])('a very long row of %s is read quickly', async (_, row) => {
    expect((await around(`00:00:03,000 --> 00:00:04,000\n${row}`)).lines).toHaveLength(3);
  });
});

describe('WebVTT', () => {
  it('a cue starts at its times, even without an empty line before it', async () => {
    const { lines, problems } = await read(
      ...['WEBVTT', '00:01.000 --> 00:02.000', 'one', ''],
      ...['2', '00:03.000 --> 00:04.000', 'two', '00:05.000 --> 00:06.000', 'three'],
    );
    expect(lines.map(({ place, number, text }) => [place, number, text])).toEqual([
      [2, undefined, 'one'],
      [5, 2, 'two'],
      [8, undefined, 'three'],
    ]);
    expect(problems).toEqual([
      { row: 2, message: subtitleWords.noEmptyLine },
      { row: 8, message: subtitleWords.noEmptyLine },
    ]);
  });

  it('the name of a tag ends before its classes', async () => {
    const text = '<c.yellow.bg>a</c> <v.loud Ana>b</v> <i.x>c</i>';
    const { lines } = await read('WEBVTT', '', '00:01.000 --> 00:02.000', text);
    expect(lines[0]).toMatchObject({ text: 'a b c', problems: [] });
  });

  it('messages about times name the WebVTT format', async () => {
    const { lines } = await read('WEBVTT', '', '0:01.000 --> 00:02.5', 'a');
    expect(lines[0]?.problems).toEqual([
      expect.stringContaining('HH:MM:SS.mmm'),
      subtitleWords.threeDigits('dot'),
    ]);
  });

  const oneCue = (timing: string, text = 'a') => read('WEBVTT', '', timing, ...text.split('\n'));

  it.each([
    ['', []],
    [' align:start line:-1 position:10%,line-left size:50% vertical:rl region:top', []],
    [' line:50.5%,center align:right', []],
    [
      ' align:middle line:150%',
      ['invalid cue setting "align:middle"', 'invalid cue setting "line:150%"'],
    ],
    [' position:zz', ['invalid cue setting "position:zz"']],
    [' align:', ['invalid cue setting "align:"']],
    [' size:50%,start', ['invalid cue setting "size:50%,start"']],
    [' colour:red', ['invalid cue setting "colour:red"']],
    [' constructor:1', ['invalid cue setting "constructor:1"']],
    [' top', ['invalid cue setting "top"']],
  ])('the settings of a cue are checked: %j', async (settings, messages) => {
    const { lines, problems } = await oneCue(`00:01.000 --> 00:02.000${settings}`);
    expect(lines[0]?.times).toBe('00:00:01.000 00:00:02.000');
    expect(problems).toEqual(messages.map((message) => ({ row: 3, message })));
  });

  it.each([
    ['a <00:00:01.500>b <00:01.900>c', []],
    ['Q & A', [subtitleWords.unescaped('&', '&amp;')]],
    ['Q&A', [subtitleWords.unescaped('&', '&amp;')]],
    ['1 < 2', [subtitleWords.unescaped('<', '&lt;')]],
    ['I <3 you', [subtitleWords.unescaped('<', '&lt;')]],
    ['a </ b', [subtitleWords.unescaped('<', '&lt;')]],
    ['<00:00:01.500 >a', [subtitleWords.unescaped('<', '&lt;')]],
    ['&amp; &lt; &gt; &nbsp; &lrm; &#233; &#xe9;', []],
    ['<font color="red">a</font>', ['unknown tag <font>']],
    ['<I>a</I>', ['unknown tag <I>']],
    ['<lang fr>a</lang> <ruby>b<rt>c</rt></ruby> <v Ana>d', []],
    ['<i>a', [subtitleWords.openTag('i')]],
    ['<c.red >a</c> <v Ana>b', []],
  ])('the text of a cue is checked: %s', async (text, problems) => {
    expect((await oneCue('00:01.000 --> 00:02.000', text)).lines[0]?.problems).toEqual(problems);
  });

  it.each(['-->', ' -->', '--> '])('an arrow needs spaces around it: %j', async (arrow) => {
    const { lines, problems } = await oneCue(`00:01.000${arrow}00:02.000`);
    expect(lines[0]?.times).toBe('00:00:01.000 00:00:02.000');
    expect(problems).toEqual([{ row: 3, message: subtitleWords.crampedArrow, fixable: true }]);
  });

  it.each([
    ['nothing before its first cue', '00:01.000 --> 00:02.000\na', 1],
    ['a number before its first cue', '1\n00:01.000 --> 00:02.000\na', 1],
    ['another first line', 'WEBVTTX\n\n00:01.000 --> 00:02.000\na', 1],
    ['NUL after WEBVTT', 'WEBVTT\0\n\n00:01.000 --> 00:02.000\na', 1],
    ['no content', '', 0],
  ])('a .vtt file without WEBVTT is an error: %s', async (_, content, count) => {
    const file = await readFile(content, 'a.vtt');
    expect(file).toMatchObject({ format: { name: 'vtt' }, lines: { length: count } });
    expect(file.problems[0]).toEqual({ row: 1, message: expect.stringContaining('WEBVTT') });
  });

  it('NUL is a replacement character, and cuts no setting off', async () => {
    const settings = '00:01.000 --> 00:02.000\0align:end';
    expect((await oneCue('00:01.000 --> 00:02.000', '\0a\0b')).lines[0]?.text).toBe(
      '\ufffda\ufffdb',
    );
    expect(await oneCue(settings)).toMatchObject({
      lines: [{ times: '00:00:01.000 00:00:02.000' }],
      problems: [{ row: 3, message: 'invalid cue setting "\ufffdalign:end"' }],
    });
    expect((await oneCue('00:01.000\0 --> 00:02.000')).lines[0]?.problems).toHaveLength(1);
  });

  it('spaces, tabs and form feeds may stand around times, vertical tabs may not', async () => {
    for (const blank of [' ', '\t', '\f']) {
      const timing = `${blank}00:01.000${blank}${blank}-->${blank}00:02.000${blank}`;
      expect(await oneCue(timing)).toMatchObject({ lines: [{ problems: [] }], problems: [] });
    }
    for (const timing of ['\v00:01.000 --> 00:02.000', '00:01.000 -->\v00:02.000']) {
      expect((await oneCue(timing)).lines[0]?.problems).toHaveLength(1);
    }
  });

  it.each([
    ['settings', `00:01.000 --> 00:02.000 ${'a:b '.repeat(250_000)}`, 'a'],
    ['spaces', `00:01.000${' '.repeat(1_000_000)}x --> 00:02.000`, 'a'],
    ['times', '00:01.000 --> 00:02.000', '<00:00:01.500>'.repeat(70_000)],
    ['tags without a name', '00:01.000 --> 00:02.000', '<v.'.repeat(300_000)],
    ['tags with spaces', '00:01.000 --> 00:02.000', `<b${' '.repeat(300_000)}`.repeat(3)],
    ['ampersands', '00:01.000 --> 00:02.000', '&amp'.repeat(250_000)],
  ])('a very long row of %s is read quickly', async (_, timing, text) => {
    expect((await oneCue(timing, text)).lines).toHaveLength(1);
  });

  it('comments, styles and regions are not cues', async () => {
    const { lines, problems } = await read(
      ...['WEBVTT', '', 'NOTE', 'a', '', 'STYLE', '::cue {}', '', 'REGION', 'id:a', ''],
      ...['00:01.000 --> 00:02.000', 'one'],
    );
    expect(lines).toHaveLength(1);
    expect(problems).toEqual([]);
  });
});
