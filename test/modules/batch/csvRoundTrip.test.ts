import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/core/json/parse.ts';
import { isObject, type Json, printJson } from '../../../src/core/json/value.ts';
import { mar, temporaryFile } from '../../harness/mar.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { jsonLines } from './harness.ts';

async function roundTrip(records: readonly string[], columns: string, flags: string[] = []) {
  const { env } = await recordingServer(`[${records.join(',')}]`);
  const csv = ['-o', 'csv', '--columns', columns, ...flags];
  const printed = await mar(['api', 'GET', '/workrequests', ...csv], { env });
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  // Some due dates are in the past.
  const argv = ['wr', 'create', '--batch', temporaryFile(printed.stdout, 'rows.csv')];
  const sent = await mar([...argv, '--dry-run', '--jsonl', '--skip-checks'], { env });
  expect(sent.code).toBe(0);
  // No record showed in which unit the service has its times, and some rows order the same.
  expect(sent.stderr).toMatch(
    /^(?:\{"warning":\{"code":"(?:time-unit|repeated-order)",.*\}\}\n)*$/,
  );
  const lines = sent.stdout.trimEnd().split('\n');
  return lines.map((line) => fieldAt(fieldAt(parseJson(line), 'request'), 'body'));
}

const fieldAt = (json: Json | undefined, name: string) =>
  isObject(json) ? json.get(name) : undefined;

/** The JSON of a record with sorted keys, without fields that are null or empty. */
function comparable(json: Json | undefined): string {
  const withoutEmpty = (value: Json): Json | undefined => {
    if (value === null || value === '') return undefined;
    if (Array.isArray(value)) return value.length === 0 ? undefined : value;
    if (!isObject(value)) return value;
    const fields = [...value]
      .map(([key, field]) => [key, withoutEmpty(field)] as const)
      .filter((field): field is readonly [string, Json] => field[1] !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return fields.length === 0 ? undefined : new Map(fields);
  };
  return printJson((json && withoutEmpty(json)) ?? null);
}

const hardTexts = [
  ...['@a', "'@a", "''=x", '=1+1', '-5', '-x', '+33 1 23', "'", "'a", '\t=x', '＝1', "'\n"],
  ...['007', '12345678901234567890', '1e5', '2026-11-14', '+14d', 'true', 'null', '1.0'],
  ...['a;b', ';', '[x', '{', '[]', '{}', ' a ', 'a,b', '"', 'one\ntwo', 'one\r\ntwo', '\ufeffa'],
  ...[' ', ' \u00a0 ', '\t', '\n', '\r\n', 'a\0b', '\0', '\'"a"', '\'\'"\\u0000"', "' ", '\ufeff'],
];
const text = fc.oneof(
  fc.constantFrom(...hardTexts),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...`'=@-;,"[]{} \r\n\ta0`), maxLength: 6 }),
);
const id = fc.oneof(
  fc.constantFrom('007', '12345678901234567890', '@a', '-1', '=1', '65a1b2c3d4e5f60718293a4b'),
  fc.stringMatching(/^[a-z]{1,2}-[0-9]{1,4}$/),
);
const time = fc.oneof(
  fc.integer({ min: 631_152_000_000, max: 4_102_444_799_999 }).map(String),
  fc.constantFrom('0', '-5', '17', '99999999999999999999'),
);
const list = fc.array(text, { maxLength: 3 }).map((elements) => JSON.stringify(elements));
const string = text.map((value) => JSON.stringify(value));
const reference = fc.tuple(id, text).map(([_id, name]) => ({ _id, name }));

/** Each field as JSON, because a big integer is not a number of JavaScript. */
const fields = {
  instructions: fc.oneof(string, fc.constant('null')),
  audioFile: fc.oneof(string, fc.constant('null')),
  auto: fc.boolean().map(String),
  created: time,
  tags: list,
  studio: id.map((value) => JSON.stringify(value)),
  due: fc.tuple(time, fc.constantFrom('Europe/Paris', 'Asia/Tokyo')).map(([date, tz]) => {
    return `{"date":${date},"tz":"${tz}"}`;
  }),
  uses: list.map((items) => `{"items":${items}}`),
  asset: reference.map((value) => JSON.stringify(value)),
  estimate: fc.record({ base: text }).map((value) => JSON.stringify(value)),
  graphicsTranslation: fc
    .tuple(fc.bigInt(0n, 10n ** 30n), fc.array(fc.integer(), { maxLength: 2 }))
    .map(([number, range]) => `{"lines":[{"number":${number},"range":${JSON.stringify(range)}}]}`),
};
const paths =
  'instructions,audioFile,auto,created,tags,studio,due.date,due.tz,uses.items,asset,estimate,language,graphicsTranslation.lines[0].number,graphicsTranslation.lines[0].range';

const record = fc.record(fields, { requiredKeys: [] }).map((parts) => {
  const members = Object.entries(parts).map(([key, json]) => `"${key}":${json}`);
  return `{${['"language":"fra"', ...members].join(',')}}`;
});

/** An embedded record is sent as its id alone. */
function withIds(source: string): Json {
  const json = parseJson(source);
  const asset = fieldAt(json, 'asset');
  if (isObject(json) && isObject(asset))
    json.set('asset', new Map([['_id', asset.get('_id') ?? null]]));
  const lines = fieldAt(fieldAt(json, 'graphicsTranslation'), 'lines');
  // An empty list inside a list is an empty cell too.
  for (const line of Array.isArray(lines) ? lines : []) {
    const range = fieldAt(line, 'range');
    if (isObject(line) && Array.isArray(range) && range.length === 0) line.delete('range');
  }
  return json;
}

describe('CSV that mar wrote', () => {
  it('is read by --batch to the same records', async () => {
    const records = fc.array(record, { minLength: 1, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(records, fc.boolean(), async (sources, hasBom) => {
        const bodies = await roundTrip(sources, paths, hasBom ? ['--csv-bom'] : []);
        expect(bodies.map(comparable)).toEqual(sources.map((one) => comparable(withIds(one))));
      }),
      { seed: 20_261_114, numRuns: 25 },
    );
  });

  it('has lists of embedded records as ids, which user put reads as records', async () => {
    const own = { _id: 'u-1', twofactorVerified: true };
    const territory = { _id: 't-1', name: 'France' };
    const groups = [{ _id: 'g-1', name: 'A, B' }, { _id: 'g-2' }];
    const { env } = await recordingServer(JSON.stringify([{ ...own, territory, groups }]));
    const columns = '_id,territory,groups,twofactorVerified';
    const printed = await mar(['user', 'list', '-o', 'csv', '--columns', columns], { env });
    expect(printed.stdout).toBe(`${columns}\r\nu-1,t-1,g-1;g-2,true\r\n`);
    const file = temporaryFile(printed.stdout, 'users.csv');
    const other = await recordingServer(JSON.stringify([own]));
    const argv = ['user', 'put', '--batch', file, '--dry-run', '--jsonl'];
    const sent = await mar(argv, other);
    expect(jsonLines(sent.stdout)).toMatchObject([
      { field: 'territory', after: { _id: 't-1' } },
      { field: 'groups', after: [{ _id: 'g-1' }, { _id: 'g-2' }] },
    ]);
  });
});
