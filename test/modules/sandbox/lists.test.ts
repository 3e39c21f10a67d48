import { expect, test } from 'vitest';
import { type Caller, demoSandbox, expectErrors, loggedIn, testDownloads } from './harness.ts';

interface DownloadRow {
  _id: string;
  created: number;
  user: string;
  asset: Record<'name' | 'type', string>;
  project: Record<'_id' | 'name', string>;
  file: Record<'name' | 'studio', string>;
}

async function downloads(call: Caller, query = '', range = '0-999'): Promise<DownloadRow[]> {
  const headers = { 'X-Range': `resources=${range}` };
  const { status, json } = await call('GET', `/downloads${query}`, { headers });
  expect(status).toBe(200);
  return json;
}

test.each<[name: string, headers: Record<string, string>, length: number, content: string]>([
  ['no range is its first ten records', {}, 10, '0-9/1200'],
  ['a range past the end is empty', { 'X-Range': 'resources=5000-5009' }, 0, '*/1200'],
  [
    'a long range is cut at a thousand records',
    { 'X-Range': 'resources=100-5000' },
    1000,
    '100-1099/1200',
  ],
])('of a list, %s', async (_name, headers, length, content) => {
  const call = await loggedIn(await demoSandbox({ reset: true, downloads: 1200 }));
  const reply = await call('GET', '/downloads', { headers });
  expect([reply.status, reply.json.length]).toEqual([200, length]);
  expect(reply.headers['content-range']).toBe(`resources ${content}`);
  expect(reply.headers['x-total-count']).toBe('1200');
});

test('consecutive ranges add up to the whole list', async () => {
  const call = await loggedIn(await demoSandbox());
  const all = await downloads(call);
  expect(all).toHaveLength(testDownloads);
  const ranges = ['0-99', '100-249', '250-400'];
  const pages = await Promise.all(ranges.map((range) => downloads(call, '', range)));
  expect(pages.flat()).toEqual(all);
});

test('a range of another form gets 400', () => {
  const units = ['items=0-9', ''];
  const spans = ['9-0', 'a-b', '0', '-1-5', '0-9,20-29', '0-99999999999999999999', '0.5-9'];
  return expectErrors(
    400,
    [...units, ...spans.map((span) => `resources=${span}`)].map((range) => {
      const error = { code: 'bad-range', field: 'X-Range' };
      return ['GET /downloads', { headers: { 'X-Range': range } }, error];
    }),
  );
});

const isIn =
  (...values: string[]) =>
  ({ project, asset }: DownloadRow) =>
    values.includes(project._id) || values.includes(asset.type);

test.each<[name: string, query: string, fits: (download: DownloadRow) => boolean]>([
  ['q is found in file names, in any case', '?q=PRORES', ({ file }) => /prores/i.test(file.name)],
  ['q is found in asset names', '?q=storm', ({ asset }) => asset.name.includes('Storm')],
  ['q is found in project names', '?q=嫁入り', ({ project }) => project._id === 'p-fox'],
  ['q finds accents in either spelling', '?q=CAFÉ', ({ project }) => project._id === 'p-cafe'],
  ['studios takes one id', '?studios=s-kitsune', ({ file }) => file.studio === 's-kitsune'],
  ['projects takes several', '?projects=p-fox,p-cafe', isIn('p-fox', 'p-cafe')],
  ['types takes several', '?types=promo,tvspot', isIn('promo', 'tvspot')],
  ['type takes one asset type', '?type=teaser.intl', ({ asset }) => asset.type === 'teaser.intl'],
  ['user takes a user id', '?user=u-marc', ({ user }) => user === 'u-marc'],
  [
    'filters narrow each other',
    '?user=u-ines&q=trailer+a&studios=s-northlight',
    ({ user, asset }) => user === 'u-ines' && asset.name.includes('Trailer A'),
  ],
])('%s', async (_name, query, fits) => {
  const call = await loggedIn(await demoSandbox());
  const all = await downloads(call);
  const found = await downloads(call, encodeURI(query));
  expect(found.length).toBeGreaterThan(0);
  expect(found.length).toBeLessThan(all.length);
  expect(found).toEqual(all.filter(fits));
});

test('created takes one time or a range of times', async () => {
  const call = await loggedIn(await demoSandbox());
  const all = await downloads(call);
  const [newest, older] = [all[10]?.created, all[20]?.created];
  expect(await downloads(call, `?created=${newest}`)).toEqual([all[10]]);
  expect(await downloads(call, `?created=${older}-${newest}`)).toEqual(all.slice(10, 21));
});

test('a filter without matches gives an empty list, and its text is never SQL', async () => {
  const call = await loggedIn(await demoSandbox());
  const values = ['q=no-such-thing', "user='%20OR%201=1--", 'studios=%22)%20OR%20(%221', 'q=%25'];
  for (const value of values) expect(await downloads(call, `?${value}`)).toEqual([]);
});

test('an empty parameter and an unknown one are ignored', async () => {
  const call = await loggedIn(await demoSandbox());
  expect(await downloads(call, '?q=&studios=&color=blue&')).toHaveLength(testDownloads);
});

test.each<[order: string, key: (download: DownloadRow) => string]>([
  ['file.name', ({ file }) => file.name.toLowerCase()],
  ['project.name', ({ project }) => project.name.toLowerCase()],
  ['asset.type', ({ asset }) => asset.type],
  ['_id', ({ _id }) => _id],
])('order=%s sorts by it, and a minus turns it round', async (order, key) => {
  const call = await loggedIn(await demoSandbox());
  const keys = (await downloads(call, `?order=${order}`)).map(key);
  expect(new Set(keys).size).toBeGreaterThan(1);
  const bytes = (text: string) => Buffer.from(text);
  expect(keys).toEqual(keys.toSorted((a, b) => Buffer.compare(bytes(a), bytes(b))));
  const down = (await downloads(call, `?order=-${order}`)).map(key);
  expect(down).toEqual(keys.toReversed());
});

test('an invalid value of a parameter gets 400, and the error names it', () => {
  const queries = ['order=colour', 'order=toString', 'order=-', 'created=yesterday', 'created=9-1'];
  return expectErrors(400, [
    ...[...queries, 'q=a&q=b', 'q=%00'].map(
      (query) => [`GET /downloads?${query}`, {}, { field: query.split('=')[0] }] as const,
    ),
    ['GET /downloads?q=%zz'],
  ]);
});

test.each(['/downloads', '/files/_slug'])('the records of %s come newest first', async (path) => {
  const call = await loggedIn(await demoSandbox());
  const { json } = await call('GET', path, { headers: { 'X-Range': 'resources=0-999' } });
  const times: number[] = json.map(({ created }: DownloadRow) => created);
  expect(times.length).toBeGreaterThan(50);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

test('workflowNotify lists assets until they reach their last phase', async () => {
  const call = await loggedIn(await demoSandbox());
  const listed = async () => {
    const range = { headers: { 'X-Range': 'resources=0-99' } };
    const { json } = await call('GET', '/assets/workflowNotify', range);
    return json.map(({ _id }: { _id: string }) => _id);
  };
  const before = await listed();
  expect(before).toContain('a-1002');
  expect(before).not.toContain('a-1001');
  expect(before).not.toContain('a-1012');
  const asset = (await call('GET', '/assets/a-1002')).json;
  asset.workflow.phase = 'FINAL';
  await call('PUT', '/assets', { body: asset });
  expect(await listed()).toEqual(before.filter((id: string) => id !== 'a-1002'));
});
