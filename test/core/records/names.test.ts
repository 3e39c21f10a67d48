import { iso6392 } from 'iso-639-2';
import { iso31661 } from 'iso-3166';
import { describe, expect, it } from 'vitest';
import { plainDate } from '../../../src/core/records/dateText.ts';
import { countryOf, languageCode } from '../../../src/core/records/names.ts';
import { recordWords } from '../../words/records.ts';

const words = (text: string) => text.trim().split(/\s*,\s*/);

describe('a language is known by any ISO code, and by its name', () => {
  it.each([
    ['fra', 'fr, FR, fra, FRA, fre, French, french, français, Francais, Französisch, francés'],
    ['deu', 'de, DE, deu, ger, German, Deutsch, allemand, alemán'],
    ['spa', 'es, spa, Spanish, Castilian, español, Spanisch, espagnol'],
    ['ita', 'it, ita, Italian, italiano, Italienisch, italien'],
    ['jpn', 'ja, JA, jpn, Japanese, 日本語, Japanisch, japonais, japonés'],
    ['nld', 'nl, dut, Dutch, Nederlands, Niederländisch, néerlandais, neerlandés'],
    ['ell', 'el, gre, Greek, ελληνικά, Griechisch, grec, griego'],
    ['ces', 'cs, cze, Czech, čeština, Tschechisch, tchèque, checo'],
    ['swe', 'sv, Swedish, svenska, Schwedisch, suédois, sueco'],
    ['nor', 'no, Norwegian, norsk'],
    ['hun', 'Hungarian, magyar, Ungarisch, hongrois, húngaro'],
    ['zho', 'zh, chi, Chinese, 中文, Chinesisch, chinois, chino'],
    ['por', 'Portuguese, português, Portugiesisch'],
    ['yid', 'yi, Yiddish'],
    ['nds', 'Low German'],
  ])('%s: %s', (code, names) => {
    for (const name of words(names)) expect([name, languageCode(name)]).toEqual([name, code]);
  });

  it.each(
    words(
      'SE, BE, CH, BR, JP, Yi, YI, Ga, isiNdebele, xyz, Frnch, Mandarin, pt-BR, Filipino, Kling, Fren',
    ),
  )('%s is none, or has two meanings', (text) => expect(languageCode(text)).toBeUndefined());
});

describe('a country is known by any ISO code, and by its name', () => {
  it.each([
    ['FRA', 'FR, fr, FRA, fra, France, Frankreich, Francia'],
    ['DEU', 'DE, Germany, Deutschland, Allemagne, Alemania'],
    ['ESP', 'es, Spain, España, Spanien, Espagne'],
    ['TUR', 'TR, Turkey, Türkiye, Türkei, Turquie'],
    ['NLD', 'NL, Netherlands, Holland, Nederland'],
    ['CZE', 'Czechia, Czech Republic'],
    ['GBR', 'GB, United Kingdom, Great Britain, Royaume-Uni, Reino Unido'],
    ['USA', 'US, USA, United States, Vereinigte Staaten, États-Unis, Estados Unidos'],
    ['JPN', 'JP, Japan, 日本, Japon, Japón'],
    ['KOR', 'KR, South Korea, Südkorea, Corée du Sud, Corea del Sur'],
    ['SWE', 'SE, Sweden, Sverige, Schweden, Suède, Suecia'],
    ['CHE', 'CH, Switzerland, Schweiz, Suisse, Suiza'],
    ['NOR', 'Norway, Norge, Norwegen'],
    ['AUT', 'Austria, Österreich, Autriche'],
    ['COG', 'Congo-Brazzaville, Republic of the Congo'],
  ])('%s: %s', (code, names) => {
    for (const name of words(names))
      expect([name, countryOf(name)?.threeLetters]).toEqual([name, code]);
  });

  it.each(
    words('UK, sv, be, ar, Korea, Virgin Islands, Congo, Kongo, Europe, LATAM, Frnce, Nowhere'),
  )('%s is none, or has two meanings', (text) => expect(countryOf(text)).toBeUndefined());
});

it('every country is known by its names in ISO 3166, also with its article behind it', () => {
  const wrong = iso31661.filter(({ name, alpha3 }) => countryOf(name)?.threeLetters !== alpha3);
  // The other Congo is meant as often.
  expect(wrong.map(({ name }) => name)).toEqual(['Congo']);
  const names = {
    KOR: 'Korea (the Republic of)',
    BHS: 'Bahamas (the)',
    COD: 'Congo (the Democratic Republic of the)',
  };
  for (const [code, name] of Object.entries(names))
    expect(countryOf(name)?.threeLetters).toBe(code);
});

it('every bibliographic code of ISO 639-2 is read as its language', () => {
  const two = iso6392.filter(({ iso6392T }) => iso6392T !== undefined);
  expect(two.map(({ iso6392B }) => languageCode(iso6392B))).toEqual(two.map((one) => one.iso6392T));
});

describe('a date of a table', () => {
  it.each([
    ['2026-12-12', '2026-12-12'],
    ['12.12.2026', '2026-12-12'],
    ['12/12/2026', '2026-12-12'],
    ['12-12-2026 18:00', '2026-12-12 18:00'],
    ['25/12/2026', '2026-12-25'],
    ['12/25/26', '2026-12-25'],
    ['Dec 12, 2026', '12 Dec 2026'],
    ['December 12th 2026 18:00', '12 Dec 2026 18:00'],
    ['24. Dezember 2026', '24 Dec 2026'],
    ['3. März 2026 18:00', '3 Mar 2026 18:00'],
    ['24 décembre 2026', '24 Dec 2026'],
    ['1er août 2026', '1 Aug 2026'],
    ['24 de diciembre de 2026', '24 Dec 2026'],
    ['12/24/2026 6:30 PM', '2026-12-24 18:30'],
    ['Dec 12, 2026 12 a.m.', '12 Dec 2026 0:00'],
    ['12 Foo 2026', '12 Foo 2026'],
    ['12. Dec 2026', '12 Dec 2026'],
    ['12-Dec-2026', '12 Dec 2026'],
    ['+14d', '+14d'],
    ['soon', 'soon'],
    ['31.31.2026', '31.31.2026'],
  ])('%s is %s', (text, date) => {
    expect(plainDate(text, 'due.date')).toBe(date);
  });

  it.each([
    ['1/12/2026', 'dmy', '2026-12-01'],
    ['1/12/2026', 'mdy', '2026-01-12'],
    ['1.12.26 9:00', 'dmy', '2026-12-01 9:00'],
    ['25/12/2026', 'mdy', '25/12/2026'],
  ] as const)('%s with --dates %s is %s', (text, order, date) => {
    expect(plainDate(text, 'due.date', order)).toBe(date);
  });

  it.each(['1.12.2026', '01/12/26'])('%s is refused, with both readings', (text) => {
    const readings = '1 Dec 2026 (dmy) and 12 Jan 2026 (mdy)';
    expect(() => plainDate(text, 'due.date')).toThrow(recordWords.twoReadings(text, readings));
  });
});
