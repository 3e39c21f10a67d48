import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { sanitise } from '../../../src/core/values/sanitise.ts';
import {
  displayWidth,
  graphemes,
  isSimple,
  truncate,
  wrap,
  wrapCommand,
  wrapMessage,
  wrapWords,
} from '../../../src/core/values/width.ts';
import { randomNumbers } from '../../harness/random.ts';
import { differentWidths, family, randomTexts, texts } from '../output/samples.ts';

const segmenter = new Intl.Segmenter('en');
const graphemesOf = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);
const shownTexts = [...Object.values(texts), ...randomTexts(300, 60).map(sanitise)];

describe('displayWidth', () => {
  it.each([
    ['', 0],
    ['plain', 5],
    ['été…', 4],
    ['e\u0301', 1],
    ['日本', 4],
    ['한국', 4],
    ['\u1112\u1161\u11ab', 2],
    ['ｶﾞ', 2],
    ['👍', 2],
    ['👍🏽', 2],
    ['☝🏿', 2],
    ['❤️', 2],
    ['1️⃣', 2],
    ['🇫🇷', 2],
    [family, 2],
    ['🏳️‍🌈', 2],
    [texts.england, 8],
    ['می\u200cخواهم', 7],
    ['\u200e', 0],
  ])('gives %j %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  // Every character is compared in the hardening suite.
  it('agrees with string-width on characters of all kinds', () => {
    const next = randomNumbers(7);
    const codes = Array.from({ length: 10_000 }, () => 0x20 + next(0x3ffe0));
    expect(differentWidths(codes)).toEqual([]);
  });

  it('agrees with string-width on every emoji with a selector, a skin tone or a keycap', () => {
    const different: string[] = [];
    for (let code = 0x20; code <= 0x1ffff; code += 1) {
      const base = String.fromCodePoint(code);
      if (!/\p{Emoji}/u.test(base)) continue;
      const tone = /\p{Emoji_Modifier_Base}/u.test(base) ? '🏽' : '';
      for (const text of [`${base}\ufe0f`, base + tone, `${base}${tone}\u200d♂️`]) {
        if (displayWidth(text) !== stringWidth(text)) different.push(text);
      }
    }
    expect(different).toEqual([]);
  });

  it('agrees with string-width on mixtures', () => {
    // Two letters that are no country's: string-width draws them narrow, terminals as a flag.
    const flags = /[\u{1f1e6}-\u{1f1ff}]{2}/gu;
    const different = shownTexts
      .map((text) => text.replace(flags, '🇫🇷'))
      .filter((text) => displayWidth(text) !== stringWidth(text));
    expect(different).toEqual([]);
  });

  it('takes the short way only for characters that stand alone', () => {
    const simple: string[] = [];
    const different: string[] = [];
    for (let code = 0x20; code <= 0xffff; code += 1) {
      const text = String.fromCharCode(code);
      if (!isSimple(text)) continue;
      simple.push(text);
      const isSame = displayWidth(text) === stringWidth(text);
      if (!/\p{Cn}/u.test(text) && !isSame) different.push(code.toString(16));
    }
    expect(different).toEqual([]);
    // Beside letters of each kind: no pair of simple characters joins.
    const neighbours = simple.filter((_, index) => index % 97 === 0 || index < 700);
    const joined = simple.filter((text) => {
      const around = neighbours[text.charCodeAt(0) % neighbours.length] ?? '';
      return graphemesOf(around + text + around).length !== 3;
    });
    expect(joined).toEqual([]);
  });
});

describe('graphemes', () => {
  it('are the same in a long text as in a short one', () => {
    const unit = `${texts.emoji}${texts.hindi}${texts.england}`;
    const long = unit.repeat(100);
    expect(graphemes(long).map(({ text }) => text)).toEqual(
      Array.from({ length: 100 }, () => graphemesOf(unit)).flat(),
    );
  });

  it('take time in proportion to the text', () => {
    // With its square, this would not end in the time that a test has.
    expect(displayWidth('字😀'.repeat(50_000))).toBe(200_000);
    expect(displayWidth('e\u0301'.repeat(50_000))).toBe(50_000);
    expect(displayWidth(`e${'\u0301'.repeat(100_000)}`)).toBe(1);
  });
});

describe('truncate', () => {
  it('leaves text that fits', () => {
    expect(truncate('日本', 4)).toBe('日本');
  });

  it('ends what it cut with an ellipsis, inside the width', () => {
    expect(truncate('awaiting-materials', 9)).toBe('awaiting…');
    expect(truncate('日本語', 4)).toBe('日…');
    expect(truncate('a long name', 3)).toBe('a…');
    expect(truncate('abc', 1)).toBe('…');
    expect(truncate('abc', 0)).toBe('');
  });

  it('never takes a character apart', () => {
    expect(truncate(`${family}${family}`, 3)).toBe(`${family}…`);
    expect(truncate('🇫🇷🇯🇵', 3)).toBe('🇫🇷…');
    expect(truncate('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
    for (const text of shownTexts) {
      const all = graphemesOf(text);
      for (const width of [1, 2, 5, 10]) {
        const cut = truncate(text, width);
        expect(stringWidth(cut)).toBeLessThanOrEqual(width);
        if (cut === text) continue;
        const kept = graphemesOf(cut.slice(0, -1));
        expect(kept).toEqual(all.slice(0, kept.length));
      }
    }
  });
});

describe('wrap', () => {
  it('breaks at spaces and drops those at the break', () => {
    expect(wrap('one two  three four', 9)).toEqual(['one two', 'three', 'four']);
    expect(wrap('fits', 4)).toEqual(['fits']);
    expect(wrap('', 4)).toEqual(['']);
  });

  it('keeps the spaces that open a text', () => {
    expect(wrap('  - one two', 7)).toEqual(['  - one', 'two']);
  });

  it('breaks between ideographs, with punctuation at the end of a line', () => {
    expect(wrap('日本語の字幕、翻訳', 8)).toEqual(['日本語の', '字幕、翻', '訳']);
    expect(wrap('字幕翻訳、終', 8)).toEqual(['字幕翻', '訳、終']);
    expect(wrap('字幕翻「終」', 8)).toEqual(['字幕翻', '「終」']);
  });

  it('breaks a word only where it is longer than a line', () => {
    expect(wrap('a extraordinarily', 6)).toEqual(['a', 'extrao', 'rdinar', 'ily']);
  });

  it('breaks an address after its slashes', () => {
    expect(wrap('https://studio.example/guides/style.pdf', 24)).toEqual([
      'https://studio.example/',
      'guides/style.pdf',
    ]);
  });

  it('keeps a no-break space', () => {
    expect(wrap('aa 10\u00a0km', 7)).toEqual(['aa', '10\u00a0km']);
  });

  it('loses nothing, takes no character apart and stays inside the width', () => {
    const solid = (text: string) => text.replace(/\s/gu, '');
    const bad: string[] = [];
    for (const text of shownTexts) {
      for (const width of [2, 7, 20, 40]) {
        const lines = wrap(text, width);
        const isWhole = solid(lines.join('')) === solid(text);
        const fits = (line: string) => stringWidth(line) <= width || graphemesOf(line).length === 1;
        const isGood = (line: string) => fits(line) && line === line.trimEnd();
        if (!isWhole || !lines.every(isGood)) bad.push(text);
        const joined = lines.flatMap(graphemesOf).filter((one) => one.trim() !== '');
        const all = graphemesOf(text).filter((one) => one.trim() !== '');
        if (joined.length !== all.length) bad.push(text);
      }
    }
    expect(bad).toEqual([]);
  });

  it('takes time in proportion to the text', () => {
    // With its square, this would not end in the time that a test has.
    expect(wrap('/'.repeat(100_000), 40)).toHaveLength(2500);
    expect(wrap('字'.repeat(100_000), 40)).toHaveLength(5000);
    expect(wrap(`${'-a'.repeat(50_000)} x`, 40).at(-1)).toMatch(/ x$/);
  });
});

const terminal = (columns: number) => ({ isTerminal: true, columns });
const options = { indent: '  ', platform: 'linux' } as const;

describe('wrapWords', () => {
  it('breaks at spaces, never in a word', () => {
    expect(wrapWords('see https://media.example/api/assets now', 12, '  ')).toEqual([
      'see',
      '  https://media.example/api/assets',
      '  now',
    ]);
  });

  it('keeps spaces that are not at a break', () => {
    expect(wrapWords('  a  b', 80)).toEqual(['  a  b']);
    expect(wrapWords('', 80)).toEqual(['']);
  });
});

describe('wrapCommand', () => {
  const line = `  mar api PUT /x --set 'a=b c' --set d=e`;

  it('breaks between arguments, with a backslash', () => {
    const lines = wrapCommand(line, terminal(24), 'linux');
    expect(lines).toEqual(['  mar api PUT /x \\', `    --set 'a=b c' \\`, '    --set d=e']);
    for (const part of lines) expect(displayWidth(part)).toBeLessThanOrEqual(24);
    expect(lines.join('\n').replace(/ \\\n +/g, ' ')).toBe(line);
  });

  it('leaves it whole if it fits, is not for a terminal, or is for a shell of Windows', () => {
    expect(wrapCommand(line, terminal(80), 'linux')).toEqual([line]);
    expect(wrapCommand(line, terminal(20), 'win32')).toEqual([line]);
    expect(wrapCommand(line, { isTerminal: false, columns: 20 }, 'linux')).toEqual([line]);
  });
});

describe('wrapMessage', () => {
  const text = '  To log in, run:';
  const command = 'mar login --base-url https://media.example/api --email a@b';

  it('gives a command lines of its own', () => {
    expect(wrapMessage(text, terminal(54), options, command)).toEqual([
      '  To log in, run:',
      '    mar login --base-url https://media.example/api \\',
      '      --email a@b',
    ]);
  });

  it('changes nothing that fits or is not for a terminal', () => {
    const file = { isTerminal: false, columns: 40 };
    for (const screen of [terminal(100), file]) {
      expect(wrapMessage(text, screen, options, command)).toEqual([`${text} ${command}`]);
    }
  });

  it('indents the further lines', () => {
    expect(wrapMessage('warning: one two three', terminal(12), options)).toEqual([
      'warning: one',
      '  two three',
    ]);
  });
});
