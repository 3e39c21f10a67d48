import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../src/core/api/endpoints.ts';
import { Service } from '../../../src/core/api/service.ts';
import { fromPlain, type JsonObject } from '../../../src/core/json/value.ts';
import { codeChecker } from '../../../src/core/records/codes.ts';

const check = (record: object, resource: Resource = 'File') =>
  codeChecker(new Service())(resource, fromPlain(record) as JsonObject);

/** The suggestion for a field's value: the words for people, whose code programs get too. */
async function suggested(record: object): Promise<string | undefined> {
  const { problems } = await check(record);
  expect(problems).toHaveLength(1);
  const words = /; [a-z ]+ ((\S+) \(.*\))\?$/.exec(problems[0]?.message ?? '');
  expect(problems[0]?.suggestion).toBe(words?.[2]);
  return words?.[1];
}

test.each([
  ['language', ['fr', 'FRA', 'French', 'frnech', 'fr_CA'], 'fra (French)'],
  ['language', ['pt-BR'], 'por (Portuguese)'],
  ['language', ['jp', 'jap', '日本語'], 'jpn (Japanese)'],
  ['language', ['esp'], 'spa (Spanish)'],
  ['language', ['iw'], 'heb (Hebrew)'],
  ['language', ['gr'], 'ell (Greek)'],
  ['language', [' deu '], 'deu (German)'],
  ['country', ['fr', 'Frnace'], 'FR (France)'],
  ['country', ['fra'], 'FRA (France)'],
  ['country', ['UK'], 'GB (United Kingdom)'],
  ['country', ['south korea', 'Korea, Republic of'], 'KR (South Korea)'],
])('a %s is refused, and suggested: %j', async (field, values, meant) => {
  for (const value of values) {
    expect([value, await suggested({ [field]: value })]).toEqual([value, meant]);
  }
});

test.each([
  ['language', ['', 'zzz', 'x'.repeat(100_000), '__proto__', '\u001b[31m']],
  ['country', ['XX', '', 'EU', '250']],
])('nothing is suggested for a %s that is like nothing', async (field, values) => {
  for (const value of values) expect(await suggested({ [field]: value })).toBeUndefined();
});

test.each([
  ['language', ['fra', 'deu', 'jpn', 'mul', 'zxx', 'qaa', 'qtz', 'nah']],
  ['country', ['FR', 'FRA', 'US', 'USA']],
])('a %s passes without a word: %j', async (field, values) => {
  for (const value of values) {
    expect(await check({ [field]: value })).toEqual({ problems: [], warnings: [] });
  }
});

describe('codes of languages', () => {
  test('the bibliographic code passes, and the usual one is named', async () => {
    const { problems, warnings } = await check({ language: 'fre' });
    expect(problems).toEqual([]);
    const message = expect.stringMatching(/French.* fra\b/);
    expect(warnings).toEqual([{ field: 'language', value: 'fre', check: 'language', message }]);
  });

  test.each([
    ['cmn', 'Mandarin Chinese'],
    ['yue', 'Yue Chinese'],
    ['apc', 'North Levantine Arabic'],
  ])('%s, which only ISO 639-3 has, passes with a warning', async (code, name) => {
    const { problems, warnings } = await check({ language: code });
    expect(problems).toEqual([]);
    expect(warnings).toMatchObject([{ value: code, message: expect.stringContaining(name) }]);
  });

  test('one that is close to a common language and hardly ever meant is refused', async () => {
    const [problem] = (await check({ language: 'spn' })).problems;
    expect(problem?.message).toContain('Sanapaná');
  });
});

describe('which fields are looked at', () => {
  test('every problem of a record is reported, with its field', async () => {
    const { problems } = await check({ language: 'fr', country: 'uk' });
    expect(problems).toMatchObject([
      { field: 'language', value: 'fr' },
      { field: 'country', value: 'uk' },
    ]);
  });

  test('only a file has a country; a territory is not one', async () => {
    const record = { language: 'fra', country: 'nowhere', territory: 'LATAM' };
    expect((await check(record, 'WorkRequest')).problems).toEqual([]);
    expect((await check(record, 'Translation')).problems).toEqual([]);
    expect((await check(record, 'File')).problems).toHaveLength(1);
  });

  test('a language is looked at in files, translations and work requests', async () => {
    for (const resource of ['File', 'Translation', 'WorkRequest', 'Preview'] as const) {
      const { problems } = await check({ language: 'fr' }, resource);
      expect(problems).toHaveLength(resource === 'Preview' ? 0 : 1);
    }
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
  expect(await suggested({ language: 'fr' })).toBe('fra (French)');
});
