import { describe, expect, it } from 'vitest';
import { readHtml } from '../../../src/modules/subtitles/formats/markup.ts';
import { plainText, taggedText } from '../../../src/modules/subtitles/spans.ts';
import { subtitleWords } from '../../words/subtitles.ts';

const parsed = (html: string) => taggedText(readHtml(html).spans, (span) => plainText([span]));

describe('an HTML fragment', () => {
  it.each([
    ['a<br>b', 'a\nb'],
    ['a<BR >\n  b', 'a\nb'],
    ['<br>a<br>', 'a'],
    ['<p>a</p><p>b</p>', 'a\nb'],
    ['<div>a<div>b</div></div>', 'a\nb'],
    ['<p>a<p>b', 'a\nb'],
    ['<em>a</em> <strong>b</strong>', '<i>a</i> <b>b</b>'],
    ['<i>a<br>b</i>', '<i>a\nb</i>'],
    ['<i>a</i><br><i>b</i>', '<i>a\nb</i>'],
    ['<i>a<br></i>b', '<i>a</i>\nb'],
    ['<b><i>a</i></b>', '<b><i>a</i></b>'],
    ['<b>a<i>b</i></b>c', '<b>a<i>b</i></b>c'],
    ['<i></i>a', 'a'],
    ['<span class="x" title="<b>">a</span>', 'a'],
    ['<font color=red>a</font>', 'a'],
    ['a &amp; b &lt;c&gt; &eacute; &#x1F600; &nbsp;', 'a & b <c> é 😀 \u00a0'],
    ['&notit; &bogus; AT&T', '¬it; &bogus; AT&T'],
    ['a  \n\t b', 'a b'],
    ['a <b> b</b>', 'a <b>b</b>'],
    ['1 < 2, <3', '1 < 2, <3'],
    ['if a <b then', 'if a <b then'],
    ['<b>x<i>y</b>z</i>', '<b>x<i>y</i></b><i>z</i>'],
    ['a<!-- never --><script>alert("x")</script><style>b{}</style>b', 'ab'],
    ['<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>', '漢(かん)字(じ)'],
    ['<ruby><b>漢</b><rt>かん</rt></ruby>字', '<b>漢(かん)</b>字'],
    ['<i><ruby>漢<rt>かん</rt></ruby></i>', '<i>漢(かん)</i>'],
    ['<ruby>漢<br>字<rt>じ</rt></ruby>', '漢\n字(じ)'],
    ['<rt>a</rt>', 'a'],
    ['a\u0000b\u001b[31m', 'a\ufffdb\ufffd[31m'],
  ])('%j reads as %j', (html, text) => {
    expect(parsed(html)).toBe(text);
  });

  it.each([
    ['<i>a', [subtitleWords.openTag('i')]],
    ['a</i>', ['</i> has no opening tag']],
    ['<b><i>a</b>b</i>', ['<i> is still open at </b>']],
    ['<i>a</b></i>', ['</b> has no opening tag']],
    ['a <b', ['unfinished tag <b']],
    ['<p>a<p>b<br></br>', []],
    ['<ruby>漢<rt>かん</ruby>', []],
    ['<img src=x><hr>a', []],
  ])('%j has the tag problems %j', (html, problems) => {
    expect(readHtml(html).problems).toEqual(problems);
  });
});
