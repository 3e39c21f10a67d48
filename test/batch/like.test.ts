import { expect, test } from 'vitest';
import { fakeService } from '../harness/fakeService.ts';
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
  const { code, stderr } = await batch.run(['--like', 'wr-1', '--concurrency', '1']);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('Copied from wr-1, unless a row has its own: ');
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
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['status']));
    expect(body).not.toHaveProperty('_id');
    expect(body).not.toHaveProperty('history');
  }
  const resumed = await batch.run(['--like', 'wr-1']);
  expect(resumed.stdout).toBe('2 rows: 2 done (0 sent now, 2 earlier)\n');
  const other = await batch.run([]);
  expect(other.stderr).toContain('was --like wr-1, now none');
  expect(service.bodies).toHaveLength(2);
});

test('a past due date and an exact copy are refused, as for a single copy', async () => {
  const past = await serviceWith(original(Date.UTC(2020, 0, 1)));
  const late = await batchOf(past, languages, 'rows.csv').run(['--like', 'wr-1']);
  expect(late.code).toBe(2);
  expect(late.stderr).toContain('row 1 (line 2): due.date is in the past: 2020-01-01');
  expect(past.bodies).toEqual([]);
  const service = await serviceWith(original(inAYear));
  const same = await batchOf(service, 'language\nfra\neng\n', 'rows.csv').run(['--like', 'wr-1']);
  expect(same.code).toBe(2);
  expect(same.stderr).toContain('row 2 (line 3): this would be an exact copy of work request wr-1');
  expect(service.bodies).toEqual([]);
});
