import { expect, test } from 'vitest';
import { assetsService } from '../harness/assetsService.ts';
import { marOk, temporaryFile } from '../harness/mar.ts';
import { recordService } from '../harness/recordService.ts';

const numbers = Array.from({ length: 100 }, (_, index) => index + 1);
const due = Date.UTC(2026, 11, 1, 17);

const workRequest = (number: number) => ({
  _id: `wr-${number}`,
  status: number % 3 === 0 ? 'complete' : 'awaiting-materials',
  due: { date: due + number * 60_000, tz: 'Europe/Paris' },
  language: number % 2 === 0 ? 'fra' : 'deu',
  territory: number % 2 === 0 ? 'FRA' : 'DEU',
  project: { _id: 'p-1', name: '=Harbor; "Light"' },
  asset: { _id: `a-${number}`, name: `Trailer, ${number}` },
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

const ids = (prefix: string) => numbers.map((number) => `${prefix}-${number}\n`).join('');

test('CSV of 100 work requests with two edited cells makes the same requests but for the two', async () => {
  const records = numbers.map(workRequest);
  const { env } = await recordService(
    Object.fromEntries(records.map((one) => [`/workrequests/${one._id}`, JSON.stringify(one)])),
  );
  const csv = await marOk(['wr', 'get', '-', '-o', 'csv'], { env, stdin: ids('wr') });
  const requests = async (text: string) => {
    const batch = ['--batch', temporaryFile(text, 'rows.csv'), '--dry-run', '--jsonl'];
    const { stdout } = await marOk(['wr', 'create', ...batch, '--skip-checks'], { env });
    const lines = stdout.trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line).request.body);
  };
  const unedited = await requests(csv.stdout);
  expect(unedited).toMatchObject(
    records.map(({ _id, status, language, due: { date } }) => ({
      _id,
      status,
      language,
      due: { date },
    })),
  );
  const edited = csv.stdout
    .replace(/^(wr-17,.*?,)deu,/m, '$1ita,')
    .replace(/^(wr-42,[^,]*,)[^,]*/m, '$12026-12-24T18:00Z');
  unedited[16] = { ...unedited[16], language: 'ita' };
  unedited[41] = { ...unedited[41], due: { date: Date.UTC(2026, 11, 24, 18) } };
  expect(await requests(edited)).toEqual(unedited);
});

test('CSV of 100 assets with two edited cells changes these two fields and nothing else', async () => {
  const assets = await assetsService(numbers.map(asset));
  const { env } = assets;
  const csv = await marOk(['asset', 'get', '-', '-o', 'csv'], { env, stdin: ids('a') });
  const put = (text: string, ...flags: string[]) =>
    marOk(['asset', 'put', '--batch', temporaryFile(text, 'rows.csv'), ...flags], { env });
  const edited = csv.stdout
    .replace('"Trailer, 17"', '"Trailer, seventeen"')
    .replace(/^(a-42,"[^"]*",)promo/m, '$1trailer.intl');
  const changes = async (text: string) => {
    const { stdout } = await put(text, '--dry-run', '-o', 'csv');
    return stdout.split('\r\n').slice(1, -1);
  };
  expect(await changes(csv.stdout)).toEqual([]);
  const name = '17,a-17,name,"Trailer, 17","Trailer, seventeen"';
  expect(await changes(edited)).toEqual([name, '42,a-42,type,promo,trailer.intl']);
  expect((await put(edited)).stdout).toBe('100 rows: 2 done, 98 unchanged\n');
  expect(assets.written().sort()).toEqual(['a-17', 'a-42']);
});
