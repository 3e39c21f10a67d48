import { describe, expect, test } from 'vitest';
import type { Resource } from '../../src/api/endpoints.ts';
import { fromPlain, type JsonObject } from '../../src/json/value.ts';
import { codeChecker } from '../../src/records/codes.ts';

const check = (record: object, resource: Resource = 'File') =>
  codeChecker({ languages: [], territories: [] })(resource, fromPlain(record) as JsonObject);

/** The suggestion for a field's value: the words for people, whose code programs get too. */
async function suggested(record: object): Promise<string | undefined> {
  const { problems } = await check(record);
  expect(problems).toHaveLength(1);
  const words = /; (did you mean (\S+) .*)$/.exec(problems[0]?.message ?? '');
  expect(problems[0]?.suggestion).toBe(words?.[2]);
  return words?.[1];
}

describe('codes of languages', () => {
  test.each([
    ['fr', 'fra (French)'],
    ['FRA', 'fra (French)'],
    ['French', 'fra (French)'],
    ['frnech', 'fra (French)'],
    ['fr_CA', 'fra (French)'],
    ['pt-BR', 'por (Portuguese)'],
    ['jp', 'jpn (Japanese)'],
    ['esp', 'spa (Spanish)'],
    ['jap', 'jpn (Japanese)'],
    ['iw', 'heb (Hebrew)'],
    ['egn', 'eng (English)'],
    ['gr', 'ell (Greek)'],
    [' deu ', 'deu (German)'],
  ])('%s is refused, and %s suggested', async (language, meant) => {
    expect(await suggested({ language })).toBe(`did you mean ${meant}?`);
  });

  test.each(['', 'zzz', 'x'.repeat(100_000), '__proto__', '日本語', '\u001b[31m'])(
    'nothing is suggested for what is like nothing (%#)',
    async (language) => {
      expect(await suggested({ language })).toBeUndefined();
    },
  );

  test.each(['fra', 'deu', 'jpn', 'mul', 'zxx', 'qaa', 'qtz', 'nah'])(
    'a code of ISO 639-2 passes without a word: %s',
    async (language) => {
      expect(await check({ language })).toEqual({ problems: [], warnings: [] });
    },
  );

  test('the bibliographic code passes, and the usual one is named', async () => {
    expect(await check({ language: 'fre' })).toEqual({
      problems: [],
      warnings: [
        {
          field: 'language',
          value: 'fre',
          check: 'language',
          message: 'language fre is sent as you wrote it; the more common code for French is fra',
        },
      ],
    });
  });

  test('a code that only ISO 639-3 has is refused, and named, unless it was seen', async () => {
    const [problem] = (await check({ language: 'cmn' })).problems;
    expect(problem?.message).toContain('language cmn is Mandarin Chinese, which is new to mar');
    const seen = codeChecker({ languages: ['cmn'], territories: [] });
    const record = fromPlain({ language: 'cmn' }) as JsonObject;
    expect(await seen('File', record)).toEqual({ problems: [], warnings: [] });
  });
});

describe('codes of countries', () => {
  test.each([
    ['fr', 'FR (France)'],
    ['fra', 'FRA (France)'],
    ['UK', 'GB (United Kingdom)'],
    ['south korea', 'KR (South Korea)'],
    ['Korea, Republic of', 'KR (South Korea)'],
    ['Frnace', 'FR (France)'],
    ['ja', 'JP (Japan)'],
  ])('%s is refused, and %s suggested', async (country, meant) => {
    expect(await suggested({ country })).toBe(`did you mean ${meant}?`);
  });

  test.each(['XX', '', 'EU', '250'])('nothing is suggested for %j', async (country) => {
    expect(await suggested({ country })).toBeUndefined();
  });

  test.each(['FR', 'FRA', 'US', 'USA'])('two letters pass as three do: %s', async (country) => {
    expect(await check({ country })).toEqual({ problems: [], warnings: [] });
  });
});

describe('which fields are looked at', () => {
  test('every problem of a record is reported, with its field', async () => {
    const { problems } = await check({ language: 'fr', country: 'uk' });
    expect(problems.map(({ field, value, message }) => [field, value, message])).toEqual([
      [
        'language',
        'fr',
        'language fr: not a language code of ISO 639 (three letters); did you mean fra (French)?',
      ],
      [
        'country',
        'uk',
        'country uk: not a country code (ISO 3166-1); did you mean GB (United Kingdom)?',
      ],
    ]);
  });

  test('only a file has a country; a territory is not one', async () => {
    const record = { language: 'fra', country: 'nowhere', territory: 'LATAM' };
    expect((await check(record, 'WorkRequest')).problems).toEqual([]);
    expect((await check(record, 'Translation')).problems).toEqual([]);
    expect((await check(record, 'File')).problems).toHaveLength(1);
  });

  test('a language is looked at in files, translations and work requests', async () => {
    for (const resource of ['File', 'Translation', 'WorkRequest'] as const) {
      expect((await check({ language: 'fr' }, resource)).problems).toHaveLength(1);
    }
    expect((await check({ language: 'fr' }, 'Preview')).problems).toEqual([]);
  });

  test('what is absent, null or no text is let be', async () => {
    expect((await check({})).problems).toEqual([]);
    expect((await check({ language: null, country: 33 })).problems).toEqual([]);
  });
});

test('a column of a batch that holds no codes at all is refused without guessing for ever', async () => {
  for (let row = 0; row < 2_000; row += 1) {
    expect((await check({ language: `row number ${row}` })).problems).toHaveLength(1);
  }
  // The codes that were asked for before keep their suggestion.
  expect(await suggested({ language: 'fr' })).toBe('did you mean fra (French)?');
});
