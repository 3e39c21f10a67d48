import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fakeService } from '../../harness/fakeService.ts';
import { temporaryFile } from '../../harness/mar.ts';
import { batchOf } from './harness.ts';

const inAYear = Date.now() + 365 * 86_400_000;

const original = (date: number) => ({
  _id: 'wr-1',
  status: 'incomplete',
  asset: { _id: 'a-1', name: 'Trailer' },
  language: 'eng',
  territory: 'USA',
  due: { date, tz: 'Europe/Paris' },
  uses: { items: ['online', 'broadcast'], details: { online: [{ value: 'x', ship: true }] } },
  history: [{ status: 'incomplete' }],
});

async function serviceWith(record: object) {
  const bodies: Record<string, unknown>[] = [];
  const { env } = await fakeService(({ method, body }) => {
    if (method === 'GET') return JSON.stringify(record);
    bodies.push(JSON.parse(body));
    return `{"_id":"wr-${bodies.length + 1}"}`;
  });
  return { env, bodies };
}

const languages =
  'language,territory,due.tz,uses.items\nfra,FRA,,\ndeu,DEU,Europe/Berlin,broadcast\n';

test('the fields of --like are under those of each row', async () => {
  const service = await serviceWith(original(inAYear));
  const batch = batchOf(service, languages, 'rows.csv');
  const stderr = await batch.fails(0, ['--like', 'wr-1', '--concurrency', '1']);
  expect(stderr).toContain('from wr-1');
  expect(service.bodies).toEqual([
    expect.objectContaining({
      asset: { _id: 'a-1' },
      language: 'fra',
      territory: 'FRA',
      due: { date: inAYear, tz: 'Europe/Paris' },
      uses: { items: ['online', 'broadcast'], details: { online: [{ value: 'x', ship: true }] } },
    }),
    expect.objectContaining({
      language: 'deu',
      due: { date: inAYear, tz: 'Europe/Berlin' },
      uses: { items: ['broadcast'], details: {} },
    }),
  ]);
  for (const body of service.bodies) {
    for (const name of ['status', '_id', 'history']) expect(body).not.toHaveProperty(name);
  }
  await batch.ends(0, '2 rows: 2 done (0 sent now, 2 earlier)', ['--like', 'wr-1']);
  expect(await batch.fails(2)).toMatch(/--like wr-1.* none/);
  expect(service.bodies).toHaveLength(2);
});

test('a batch with an edited file of --like is not the same batch', async () => {
  const service = await serviceWith({});
  const record = { ...original(inAYear), due: { date: '+14d', tz: 'Europe/Paris' } };
  const like = temporaryFile(JSON.stringify(record), 'like.json');
  const batch = batchOf(service, languages, 'rows.csv');
  await batch.fails(0, ['--like', like]);
  await batch.ends(0, '2 rows: 2 done (0 sent now, 2 earlier)', ['--like', like]);
  writeFileSync(like, JSON.stringify({ ...record, asset: { _id: 'a-2' } }));
  writeFileSync(batch.file, `${languages}ita,ITA,,\n`);
  expect(await batch.fails(2, ['--like', like])).toContain(`was --like ${like}`);
  expect(service.bodies).toHaveLength(2);
});

test.each([
  ['a past due date', languages, Date.UTC(2020, 0, 1), /row 1 \(line 2\): .* past: 2020-01-01/],
  ['an exact copy', 'language\nfra\neng\n', inAYear, /row 2 \(line 3\): .* exact copy of .* wr-1/],
])('%s is refused, as for a single copy', async (_, rows, due, problem) => {
  const service = await serviceWith(original(due));
  expect(await batchOf(service, rows, 'rows.csv').fails(2, ['--like', 'wr-1'])).toMatch(problem);
  expect(service.bodies).toEqual([]);
});
