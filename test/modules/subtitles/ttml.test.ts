import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ttml } from '../../../src/modules/subtitles/formats/ttml/ttml.ts';
import { plainText, taggedText } from '../../../src/modules/subtitles/spans.ts';
import { frameRateNamed } from '../../../src/modules/subtitles/timecode.ts';
import { subtitleWords } from '../../words/subtitles.ts';
import { imscScreens, joined, screensOf } from './imsc.ts';
import { cues as anyCues, readFile, withoutRuby } from './lines.ts';

const namespaces =
  'xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xmlns:ttp="http://www.w3.org/ns/ttml#parameter"';

const documentOf = (body: string, { head = '', root = '' } = {}) =>
  `<tt ${namespaces} xml:lang="fr" ${root}>\n<head>${head}</head>\n${body}\n</tt>`;

/** A document with these paragraphs. */
const paragraphs = (content: string, more = {}) =>
  documentOf(`<body><div>${content}</div></body>`, more);

const parser = await ttml.parser();
const read = (xml: string) => parser.read(xml, 'a.ttml');

function linesOf(xml: string) {
  return read(xml).lines.map(({ start, stop, spans }) => [
    start.milliseconds ?? start.problem,
    stop.milliseconds ?? stop.problem,
    taggedText(spans, (span) => plainText([span])),
  ]);
}

const firstText = (xml: string) => linesOf(xml)[0]?.[2];

describe('times', () => {
  it.each([
    ['00:00:02.5', '', 2500],
    ['00:00:02', '', 2000],
    ['100:00:00.001', '', 360_000_001],
    ['00:00:02:22', 'frameRate="24" ttp:frameRateMultiplier="1000 1001"', 2918],
    ['00:00:02:22', 'frameRate="24" ttp:frameRateMultiplier="1000:1001"', 2918],
    ['00:00:02:22', 'frameRate="25"', 2880],
    ['00:00:02:15', '', 2500],
    ['00:00:01:12.1', 'frameRate="24" ttp:subFrameRate="2"', 1521],
    ['1.5h', '', 5_400_000],
    ['2m', '', 120_000],
    ['1.25s', '', 1250],
    ['40ms', '', 40],
    ['12f', 'frameRate="24"', 500],
    ['30t', '', 30_000],
    ['30t', 'frameRate="25" ttp:subFrameRate="2"', 600],
    ['5000000t', 'tickRate="10000000"', 500],
    // SMPTE timecode counts frames: an hour of it is longer than an hour at 23.976.
    [
      '01:00:00:00',
      'timeBase="smpte" ttp:frameRate="24" ttp:frameRateMultiplier="1000 1001"',
      3_603_600,
    ],
    [
      '01:00:00:00',
      'timeBase="smpte" ttp:dropMode="dropNTSC" ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001"',
      3_599_996,
    ],
  ])('%s with ttp:%s', (written, root, expected) => {
    const more = { root: root === '' ? '' : `ttp:${root}` };
    const [first] = linesOf(paragraphs(`<p begin="${written}" end="999999h">a</p>`, more));
    expect(first?.[0]).toBe(expected);
  });

  it.each([
    ['0:00:01.000', 'needs two digits for the hours'],
    ['00:00:01,000', 'has a comma; TTML needs a dot'],
    ['00:00:01;12', 'has a semicolon; TTML needs a colon before frames'],
    ['00:00:01:24', 'has frame 24, but a second has 24 frames'],
    ['00:60:00', subtitleWords.tooManyMinutes],
    ['00:00:61', 'has more than 60 seconds'],
    ['-1s', subtitleWords.noTtmlTime],
    [`${'9'.repeat(400)}s`, subtitleWords.noTtmlTime],
    ['', subtitleWords.noTtmlTime],
  ])('%s is a problem of its line', (written, problem) => {
    const root = 'ttp:frameRate="24"';
    expect(linesOf(paragraphs(`<p begin="${written}" end="9s">a</p>`, { root }))).toEqual([
      [problem, 9000, 'a'],
    ]);
  });

  it('frames without a frame rate are reported, and 30 a second are assumed', () => {
    const { problems } = read(paragraphs('<p begin="1s" end="00:00:02:15">a</p>'));
    expect(problems).toEqual([{ row: 3, message: expect.stringMatching(/ttp:frameRate.* 30 /) }]);
  });

  const region = '<layout><region xml:id="r" begin="2s" end="4s"/></layout>';
  it.each<[name: string, div: string, lines: string[], head?: string]>([
    ['without an end, a line has no stop time', '<div><p begin="1s">a</p>', ['1000 is missing a']],
    [
      'count from the parent, and end with it',
      '<div begin="10s"><div begin="1s" dur="5s"><p begin="1s" dur="2s">a</p><p begin="2s" end="9s">b</p></div>',
      ['12000 14000 a', '13000 16000 b'],
    ],
    [
      'of an end and a duration, the earlier one counts',
      '<div><p begin="1s" end="5s" dur="2s">a</p><p begin="1s" end="2s" dur="9s">b</p>',
      ['1000 3000 a', '1000 2000 b'],
    ],
    [
      'a paragraph is shown only while its region is',
      '<div><p begin="1s" end="5s" region="r">a</p>',
      ['2000 4000 a'],
      region,
    ],
    [
      'in a sequence, times count from the end of the element before',
      '<div timeContainer="seq"><p dur="2s">a</p><p begin="1s" dur="3s">b</p><p dur="1s">c</p>',
      ['0 2000 a', '3000 6000 b', '6000 7000 c'],
    ],
    [
      'a paragraph whose parts have times of their own is a line for each change',
      '<div><p begin="10s" end="20s"><span end="6s">one</span> <span begin="2s">two</span></p>',
      ['10000 12000 one', '12000 16000 one two', '16000 20000 two'],
    ],
  ])('%s', (_, div, lines, head) => {
    const xml = documentOf(`<body>${div}</div></body>`, { head });
    expect(linesOf(xml).map((line) => line.join(' '))).toEqual(lines);
  });
});

describe('text', () => {
  it.each([
    ['a<br/>b', 'a\nb'],
    ['  a\n   b  <span> c </span>  d ', 'a b c d'],
    ['<span xml:space="preserve">a  b\nc</span>', 'a  b\nc'],
    ['&lt;b&gt; &amp; &#233;&#x1F600; &quot;&apos;', '<b> & é😀 "\''],
    ['<![CDATA[a < b]]>', 'a < b'],
    ['<metadata>no</metadata>a<x:y xmlns:x="urn:x">no</x:y>b<!-- no -->c', 'abc'],
    ['a<span tts:display="none">no</span><span tts:visibility="hidden">no</span>', 'a'],
    ['<span tts:fontStyle="italic">a<span tts:fontStyle="normal">b</span></span>', '<i>a</i>b'],
    ['<span tts:fontStyle="oblique" tts:fontWeight="bold">a</span>', '<b><i>a</i></b>'],
    ['<span tts:textDecoration="underline">a</span>b', '<u>a</u>b'],
    ['<span tts:shear="16.67%">斜</span><span tts:shear="0%">体</span>', '<i>斜</i>体'],
    [
      '<span tts:ruby="container"><span tts:ruby="base">灯</span><span tts:ruby="delimiter">(</span><span tts:ruby="text">ひ</span></span>が',
      '灯(ひ)が',
    ],
    [
      '<span tts:ruby="container"><span tts:ruby="baseContainer"><span tts:ruby="base">東</span><span tts:ruby="base">京</span></span><span tts:ruby="textContainer"><span tts:ruby="text">とう</span><span tts:ruby="text">きょう</span></span></span>',
      '東(とう)京(きょう)',
    ],
  ])('%s', (content, text) => {
    expect(firstText(paragraphs(`<p begin="1s" end="2s">${content}</p>`))).toBe(text);
  });

  it('italics come through chains of styles, from the region, and from <initial>', () => {
    const head = `<styling><style xml:id="a" style="b"/><style xml:id="b" tts:fontStyle="italic"/></styling>
      <layout><region xml:id="r"><style tts:fontStyle="italic"/></region><region xml:id="q"/></layout>`;
    const styled = ['region="r"', 'region="q" style="a"', 'region="r" tts:fontStyle="normal"'];
    const texts = styled.map((style) => firstText(paragraphs(`<p ${style}>a</p>`, { head })));
    expect(texts).toEqual(['<i>a</i>', '<i>a</i>', 'a']);
    const initial = '<styling><initial tts:fontStyle="italic"/></styling>';
    expect(firstText(paragraphs('<p>a</p>', { head: initial }))).toBe('<i>a</i>');
  });

  it('styles in a circle end', () => {
    const head = `<styling><style xml:id="a" style="b b"/><style xml:id="b" style="a a"/></styling>`;
    expect(firstText(paragraphs('<p begin="1s" end="2s" style="a">a</p>', { head }))).toBe('a');
  });

  it.each([
    ['TTML 1 and 2', 'http://www.w3.org/ns/ttml', '#styling'],
    ['the draft of October 2006', 'http://www.w3.org/2006/10/ttaf1', '#style'],
    ['the draft of April 2006', 'http://www.w3.org/2006/04/ttaf1', '#styling'],
  ])('the namespaces of %s', (_, namespace, styling) => {
    const xml = `<t:tt xmlns:t="${namespace}" xmlns:s="${namespace}${styling}"><t:body><t:div><t:p begin="1s" end="2s" s:fontStyle="italic">a</t:p></t:div></t:body></t:tt>`;
    expect(linesOf(xml)).toEqual([[1000, 2000, '<i>a</i>']]);
  });
});

describe('regions', () => {
  it('are not needed', () => {
    expect(read(paragraphs('<p begin="1s" end="2s">a</p>')).problems).toEqual([]);
  });

  it('undefined regions and styles are reported, each once', () => {
    const head = '<layout><region xml:id="r"/></layout>';
    const two = '<p begin="1s" end="2s" region="q" style="s">a</p>'.repeat(2);
    const none = '\n<p begin="1s" end="2s">b</p>';
    expect(read(paragraphs(two + none, { head })).problems).toEqual([
      { row: 3, message: expect.stringContaining('style "s"') },
      { row: 3, message: expect.stringContaining('region "q"') },
      { row: 4, message: expect.stringMatching(/without .*region/) },
    ]);
  });
});

describe('the document', () => {
  it('has a language, a frame rate, and rows', () => {
    const root = 'ttp:frameRate="24" ttp:frameRateMultiplier="1000 1001"';
    const xml = paragraphs('\n<p\nbegin="1s" end="2s">a</p>', { root });
    const frameRate = frameRateNamed('23.976');
    for (const text of [xml, xml.replaceAll('\n', '\r')]) {
      expect(read(text)).toMatchObject({ language: 'fr', lines: [{ place: 4 }], frameRate });
    }
  });

  const doctype =
    '<!DOCTYPE tt SYSTEM "http://127.0.0.1:9/x.dtd" [<!ENTITY a "a"><!ENTITY x SYSTEM "file:///etc/passwd">]>';

  it.each([
    ['<tt', /^a\.ttml line 1: unclosed root tag|unexpected end/],
    ['<tt xmlns="http://www.w3.org/ns/ttml">\n<p></tt>', /^a\.ttml line 2: unexpected close tag/],
    [paragraphs('<p>&nbsp;</p>'), /^a\.ttml line 3: invalid character entity/],
    [paragraphs('<p x:a="b">a</p>'), /^a\.ttml line 3: unbound namespace prefix: "x"/],
    ['<svg xmlns="urn:x"/>', /^a\.ttml is not TTML: its root element is <svg>/],
    ['<tt xmlns="urn:x"/>', /^a\.ttml is not TTML: its root element is <tt>/],
    ['1\n00:00', /^a\.ttml line 1: no XML: it does not start with </],
    ['', /^a\.ttml is empty/],
    [doctype + paragraphs('<p>&a;</p>'), /^a\.ttml line 3: invalid character entity/],
    [doctype + paragraphs('<p>&x;</p>'), /^a\.ttml line 3: invalid character entity/],
    [Buffer.from('fffe00003c000000', 'hex'), `a.ttml ${subtitleWords.notRead('in UTF-32')}`],
  ])('is refused with its name and line: %s', async (content, message) => {
    await expect(readFile(content, 'a.ttml')).rejects.toThrow(message);
  });

  it('may have a document type, which is not read', () => {
    expect(firstText(doctype + paragraphs('<p>b</p>'))).toBe('b');
  });

  it('is read in time that grows with its size', () => {
    const many = '<p begin="1s" end="2s" style="s">a<br/><span>b</span></p>\n'.repeat(5000);
    expect(read(paragraphs(many)).lines).toHaveLength(5000);
    const long = `<p begin="1s" end="2s">${'a &amp; '.repeat(30_000)}<!-- ${'-a'.repeat(100_000)} --></p>`;
    expect(read(paragraphs(long)).lines).toHaveLength(1);
  });

  it.each([
    ['<p end="9s" tts:display="none"><set begin="2s" tts:display="auto"/>a</p>', undefined, true],
    ['<p end="9s"><set begin="2s" end="4s" tts:visibility="hidden"/>a</p>', 'a', true],
    ['<p end="9s">a <span><set begin="2s" tts:fontWeight="bold"/>b</span></p>', 'a b', true],
    // Colours are not read anyway.
    ['<p end="9s"><set begin="2s" tts:color="red"/>a</p>', 'a', false],
  ])('is read without its animations, which are a problem: %s', (content, text, isProblem) => {
    const xml = paragraphs(`\n${content}`);
    const message = subtitleWords.animation;
    expect(firstText(xml)).toBe(text);
    expect(read(xml).problems).toEqual(isProblem ? [{ row: 4, message }] : []);
  });
});

describe('an export as TTML', () => {
  const cue = { number: 1, start: 1000, stop: 2500, placement: {} };
  const italic = true as const;

  it.each([
    ['jpn', 'ttml', true],
    ['jpn', 'imsc', true],
    ['jpn', 'ttml1', false],
    ['fra', 'ttml', false],
    ['fra', 'imsc', true],
    [undefined, 'ttml', false],
  ])('in %s as %s: IMSC 1.1 is %s', (language, profile, isImsc) => {
    const xml = ttml.write([{ ...cue, spans: [{ text: '灯', ruby: 'ひ' }] }], {
      language,
      profile,
    });
    expect(xml.includes('ttp:contentProfiles=')).toBe(isImsc);
    expect(xml.includes('tts:ruby=')).toBe(isImsc);
    expect(read(xml).problems).toEqual([]);
    expect(plainText(read(xml).lines[0]?.spans ?? [])).toBe('灯(ひ)');
  });

  it('in Japanese shears a cue in italics, and aligns its lines at their start', () => {
    const sheared = [
      { text: '灯\n', italic },
      { text: 'が', italic, bold: italic },
    ];
    const cues = [
      { ...cue, spans: sheared },
      { ...cue, number: 2, spans: [{ text: '灯' }, { text: 'が', italic }] },
    ];
    const xml = ttml.write(cues, { language: 'jpn' });
    expect(xml).toContain('xmlns:ebutts="urn:ebu:tt:style"');
    expect(xml).toContain('tts:textAlign="center" ebutts:multiRowAlign="start"/>');
    expect(xml).toContain('<style xml:id="sheared" tts:shear="16.67%"/>');
    expect(xml).toContain(' style="sheared">灯<br/><span style="bold">が</span></p>');
    expect(xml).toContain('>灯<span style="italic">が</span></p>');
    expect(read(xml).lines.map(({ spans }) => spans)).toEqual(cues.map(({ spans }) => spans));
    expect(imscScreens(xml).complaints).toEqual([]);
    expect(ttml.write(cues, { language: 'fra', profile: 'imsc' })).not.toMatch(/shear|ebutts/);
  });

  it('as imsc is an IMSC 1.1 Text document', () => {
    const cues = [
      { ...cue, spans: [{ text: 'a < b', italic }, { text: '\n& c' }] },
      { ...cue, number: 2, spans: [{ text: 'שלום!' }], placement: { vertical: 'top' as const } },
      { ...cue, number: 7, spans: [{ text: '灯', ruby: 'ひ' }, { text: 'が  灯る' }] },
    ];
    const frameRate = frameRateNamed('23.976');
    expect(
      ttml.write(cues, { language: 'fra', frameRate, profile: 'imsc' }),
    ).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <tt xmlns="http://www.w3.org/ns/ttml"
          xmlns:ttp="http://www.w3.org/ns/ttml#parameter"
          xmlns:tts="http://www.w3.org/ns/ttml#styling"
          ttp:contentProfiles="http://www.w3.org/ns/ttml/profile/imsc1.1/text"
          ttp:timeBase="media"
          ttp:frameRate="24"
          ttp:frameRateMultiplier="1000 1001"
          ttp:cellResolution="32 15"
          xml:lang="fr">
        <head>
          <styling>
            <style xml:id="default" tts:color="white" tts:fontFamily="proportionalSansSerif" tts:fontSize="100%" tts:textAlign="center"/>
            <style xml:id="italic" tts:fontStyle="italic"/>
          </styling>
          <layout>
            <region xml:id="top" tts:origin="10% 10%" tts:extent="80% 25%" tts:displayAlign="before" tts:overflow="visible"/>
            <region xml:id="bottom" tts:origin="10% 65%" tts:extent="80% 25%" tts:displayAlign="after" tts:overflow="visible"/>
          </layout>
        </head>
        <body style="default">
          <div>
            <p xml:id="c1" begin="00:00:01.000" end="00:00:02.500" region="bottom"><span style="italic">a &lt; b</span><br/>&amp; c</p>
            <p xml:id="c2" begin="00:00:01.000" end="00:00:02.500" region="top" tts:direction="rtl">שלום!</p>
            <p xml:id="c7" begin="00:00:01.000" end="00:00:02.500" region="bottom" xml:space="preserve"><span tts:ruby="container"><span tts:ruby="base">灯</span><span tts:ruby="text">ひ</span></span>が  灯る</p>
          </div>
        </body>
      </tt>
      "
    `);
  });

  it.each([
    ['imsc', 'jpn'],
    ['imsc', 'fra'],
    ['ttml1', 'fra'],
  ])(
    'as %s in %s reads back the same, except for ruby in TTML1',
    (profile, language) => {
      void fc.assert(
        fc.property(anyCues, (some) => {
          const cues = profile === 'ttml1' ? some.map(withoutRuby) : some;
          const { lines, problems } = read(ttml.write(some, { language, profile }));
          expect(problems).toEqual([]);
          const found = lines.map(({ start, stop, spans }) => {
            const [from, to] = [start.milliseconds, stop.milliseconds];
            return { start: from, stop: to, spans };
          });
          expect(found).toEqual(cues.map(({ start, stop, spans }) => ({ start, stop, spans })));
        }),
        { numRuns: 200 },
      );
    },
    60_000,
  );

  it("shows the same in the W3C's reference reader, which finds no mistake", () => {
    void fc.assert(
      fc.property(anyCues, (cues) => {
        const xml = ttml.write(cues, { language: 'jpn', frameRate: frameRateNamed('25') });
        const { screens, complaints } = imscScreens(xml);
        expect(complaints).toEqual([]);
        expect(joined(screens)).toEqual(joined(screensOf(read(xml).lines)));
      }),
      { numRuns: 50 },
    );
  });
});
