import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fileNameFacts } from '../../../../src/modules/subtitles/languages/languageOfName.ts';

const names = readFileSync(new URL('fixtures/names.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((row) => row.split('\t') as [name: string, language: string]);

it('finds the language in names as vendors write them, and never a wrong one', () => {
  const found = names.map(([name, expected]) => {
    return { name, expected, language: fileNameFacts(name).language ?? 'unknown' };
  });
  const notRight = found.filter(({ language, expected }) => language !== expected);
  // Codes that only some studios use, and Hindi, which is mostly "hearing impaired".
  expect(notRight.map(({ name, language }) => `${name}: ${language}`)).toEqual([
    'HARBOR_BPO_SUB_2398.stl: unknown',
    'HARBOR_PTB.srt: unknown',
    'HARBOR_SCH_v1.srt: unknown',
    'HARBOR_EP101_FRC_v2.stl: unknown',
    'HARBOR_EP101_HI_v2.stl: unknown',
  ]);
});

it.each([
  ['folder.eng/movie.2024.de.forced.srt', 'de'],
  ['c:\\films\\movie.ja.cc.vtt', 'ja'],
  ['Some Title (de).srt', 'de'],
  ['movie.srt', undefined],
  ['movie.eng/a.srt', undefined],
  ['a.qqx.srt', undefined],
  ['No-No Nanette.srt', undefined],
  ['The Good German 2006.srt', undefined],
  ['[site.org.ru] Harbor.srt', undefined],
  ['-', undefined],
])('%s: %s', (file, language) => {
  expect(fileNameFacts(file).language).toBe(language);
});

it('knows what is a translation of the same', () => {
  const titles = ['HARBOR_JA_v3.srt', 'harbor.spa.ttml', 'Harbor (German).vtt'].map((name) =>
    fileNameFacts(name),
  );
  expect(titles.map(({ title }) => title)).toEqual(['harbor', 'harbor', 'harbor']);
  expect(fileNameFacts('02_es-419_forced.srt')).toMatchObject({ title: '02', kind: 'forced' });
});
