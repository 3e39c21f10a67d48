import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { assetsService } from '../harness/assetsService.ts';
import { mar, type Outcome, temporaryFolder } from '../harness/mar.ts';
import { recordService } from '../harness/recordService.ts';

const count = 100;
const numbers = Array.from({ length: count }, (_, index) => index + 1);
const due = Date.UTC(2026, 11, 1, 17);

const workRequest = (number: number) => ({
  _id: `wr-${number}`,
  status: number % 3 === 0 ? 'complete' : 'awaiting-materials',
  due: { date: due + number * 60_000, tz: 'Europe/Paris' },
  language: number % 2 === 0 ? 'fra' : 'deu',
  territory: number % 2 === 0 ? 'FRA' : 'DEU',
  project: { _id: 'p-1', name: '=Harbor; "Light"' },
  asset: { _id: `a-${number}`, name: `Trailer, ${number}`, workflow: { phase: 'WIP' } },
  from: { _id: 'u-1', name: 'Inês' },
  history: [{ date: due, status: 'incomplete' }],
  ...(number % 5 === 0 ? { reason: 'line one\nline two' } : {}),
});

const asset = (number: number) => ({
  _id: `a-${number}`,
  name: `Trailer, ${number}`,
  type: 'promo',
  usage: { broadcast: true, online: number % 2 === 0 },
  previews: [{ _id: `p-${number}`, label: 'x' }],
  created: due + number,
  ...(number % 4 === 0 ? {} : { workflow: { phase: 'WIP' } }),
});

/** Writes CSV that mar printed to a file, and an edited copy to another. */
function filesOf(csv: string, edit: (csv: string) => string): { before: string; after: string } {
  const folder = temporaryFolder();
  const [before, after] = [path.join(folder, 'before.csv'), path.join(folder, 'after.csv')];
  writeFileSync(before, csv);
  writeFileSync(after, edit(csv));
  return { before, after };
}

const succeeded = ({ code, stdout, stderr }: Outcome): string => {
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

const ids = (prefix: string) => numbers.map((number) => `${prefix}-${number}\n`).join('');

test('CSV of 100 work requests with two edited cells makes the same requests but for the two', async () => {
  const records = numbers.map((number) => [
    `/workrequests/wr-${number}`,
    JSON.stringify(workRequest(number)),
  ]);
  const { env } = await recordService(Object.fromEntries(records));
  const csv = succeeded(await mar(['wr', 'get', '-', '-o', 'csv'], { env, stdin: ids('wr') }));
  const { before, after } = filesOf(csv, (text) =>
    text
      .replace(/^(wr-17,.*?,)deu,/m, '$1ita,')
      .replace(/^(wr-42,[^,]*,)[^,]*/m, '$12026-12-24T18:00Z'),
  );
  const requests = async (file: string) => {
    const argv = ['wr', 'create', '--batch', file, '--dry-run', '--jsonl', '--skip-checks'];
    const lines = succeeded(await mar(argv, { env }))
      .trimEnd()
      .split('\n');
    return lines.map((line) => JSON.parse(line).request.body);
  };
  const [unedited, edited] = [await requests(before), await requests(after)];
  expect(unedited).toHaveLength(count);
  for (const number of [1, 17, 42, 60]) {
    const { _id, status, language, due: when } = workRequest(number);
    expect(unedited[number - 1]).toMatchObject({ _id, status, language, due: { date: when.date } });
  }
  const changed = edited.flatMap((body, index) =>
    JSON.stringify(body) === JSON.stringify(unedited[index]) ? [] : [body._id],
  );
  expect(changed).toEqual(['wr-17', 'wr-42']);
  expect(edited[16]).toEqual({ ...unedited[16], language: 'ita' });
  expect(edited[41]).toEqual({ ...unedited[41], due: { date: Date.UTC(2026, 11, 24, 18) } });
});

test('CSV of 100 assets with two edited cells changes these two fields and nothing else', async () => {
  const assets = await assetsService(numbers.map(asset));
  const { env } = assets;
  const csv = succeeded(await mar(['asset', 'get', '-', '-o', 'csv'], { env, stdin: ids('a') }));
  const { before, after } = filesOf(csv, (text) =>
    text
      .replace('"Trailer, 17"', '"Trailer, seventeen"')
      .replace(/^(a-42,"[^"]*",)promo/m, '$1trailer.intl'),
  );
  const changes = async (file: string) => {
    const argv = ['asset', 'put', '--batch', file, '--dry-run', '-o', 'csv'];
    return parseCsv(succeeded(await mar(argv, { env }))).slice(1);
  };
  expect(await changes(before)).toEqual([]);
  expect(await changes(after)).toEqual([
    ['17', 'a-17', 'name', 'Trailer, 17', 'Trailer, seventeen'],
    ['42', 'a-42', 'type', 'promo', 'trailer.intl'],
  ]);
  const { stdout } = await mar(['asset', 'put', '--batch', after], { env });
  expect(stdout).toBe('100 rows: 2 done, 98 unchanged\n');
  expect(assets.written().sort()).toEqual(['a-17', 'a-42']);
});
