import { createHash } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { printJson } from '../../src/core/json/value.ts';
import { demoSeed } from '../../src/modules/sandbox/seed/demoData.ts';
import { marOk } from '../harness/mar.ts';
import { marWith } from '../harness/marWith.ts';
import { recordService } from '../harness/recordService.ts';

/*
 * Every table, with ids of 24 hexadecimal digits as the service has them. The snapshots are screens to
 * look at: snapshots/hex/80/wr-get.txt.
 */

const now = new Date('2026-03-10T09:30:00Z');

beforeAll(() => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  vi.useFakeTimers({ toFake: ['Date'], now });
});

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const hex = (id: string) => createHash('sha1').update(id).digest('hex').slice(0, 24);
const withHexIds = (json: string) =>
  json.replace(/"((?:a|d|e|f|g|n|o|p|pv|s|t|tg|u|wr)-[a-z0-9-]+)"/g, (_, id) => `"${hex(id)}"`);

const records = [...demoSeed(now.getTime(), 12)];
const ofKind = (kind: string) => records.filter((one) => one.kind === kind);
const pagesOf = (jsons: readonly string[]) => [`[${jsons.join(',')}]`, '[]'];
const textsOf = (kind: string) => ofKind(kind).map(({ record }) => withHexIds(printJson(record)));
const byPath = (kind: string, folder: string) => {
  const texts = textsOf(kind);
  return ofKind(kind).map(({ id }, at) => [`/${folder}/${hex(id)}`, texts[at]]);
};

const idsOf = (kind: string, count: number) =>
  ofKind(kind)
    .map(({ id }) => hex(id))
    .slice(0, count);

const tables: Record<string, readonly string[]> = {
  'wr-get': ['wr', 'get', ...idsOf('WorkRequest', 20)],
  'asset-get': ['asset', 'get', ...idsOf('Asset', 12)],
  'asset-workflow-notify': ['asset', 'workflow-notify'],
  'notification-show': ['notification', 'show', ...idsOf('Notification', 3)],
  'user-list': ['user', 'list'],
  'file-list': ['file', 'list'],
  'downloads-list': ['downloads', 'list'],
  find: ['find', 'harbor'],
};

const responses = Object.fromEntries([
  ...byPath('WorkRequest', 'workrequests'),
  ...byPath('Asset', 'assets'),
  ...byPath('Notification', 'notifications'),
  ['/assets/workflowNotify', pagesOf(textsOf('Asset'))],
  ['/session', pagesOf(textsOf('User'))],
  ['/files/_slug', pagesOf(textsOf('File'))],
  ['/downloads', pagesOf(textsOf('Download'))],
]);

async function show(line: readonly string[], columns: number): Promise<string[]> {
  const { env } = await recordService(responses);
  const run = await marOk(line, { env: { ...env, NO_COLOR: '1' }, columns });
  return run.stdout.trimEnd().split('\n');
}

/** What changes most with the width; all others are shown at 80 columns. */
const atEachWidth = ['wr-get', 'downloads-list'];

describe.each([60, 80, 120])('at %i columns', (width) => {
  const shown = Object.entries(tables).filter(
    ([name]) => width === 80 || atEachWidth.includes(name),
  );

  it.each(shown)('%s is a table that fits', async (name, line) => {
    const lines = await show(line, width);
    for (const shown of lines) expect(stringWidth(shown)).toBeLessThanOrEqual(width);
    const [header = '', ...rows] = lines;
    expect(header).toMatch(/^[A-Z]/);
    expect(header).not.toContain('…');
    // Ids are whole.
    for (const row of rows) {
      for (const part of row.match(/[\da-f]{12,}\S*/g) ?? []) expect(part).toMatch(/^[\da-f]{24}$/);
    }
    const shown = `${lines.join('\n')}\n`;
    await expect(shown).toMatchFileSnapshot(`./snapshots/hex/${width}/${name}.txt`);
  });
});

const titles = (lines: readonly string[]) => (lines[0] ?? '').split(/ {2,}/);

it('work requests on a wide screen show since when and why', async () => {
  const lines = await show(tables['wr-get'] ?? [], 200);
  expect(titles(lines)).toEqual(
    expect.arrayContaining(['SINCE', 'PROJECT', 'ASSET', 'REASON', 'FROM']),
  );
  // The project is not repeated in the asset's name.
  expect(lines[1]).toMatch(/The Harbor Light {2,}Trailer A/);
  expect(lines.join('\n')).toContain('Textless master has a dropout');
});

describe('a column that is empty in every row', () => {
  const downloads = JSON.stringify([
    { _id: 'd-1', file: { name: 'a.mov' }, created: 1_764_612_000_000 },
    { _id: 'd-2', file: { name: 'b.mov' }, created: 1_764_612_000_000 },
  ]);
  const list = async (flags: string[], columns?: number) => {
    const run = await marWith([downloads, '[]'], ['downloads', 'list', ...flags], { columns });
    return stripVTControlCharacters(run.stdout);
  };

  it('is not in a table', async () => {
    expect(titles((await list([], 200)).split('\n'))).toEqual(['WHEN', 'FILE', 'ID']);
  });

  it('is in a table if the user picked it, and in CSV and TSV', async () => {
    const picked = await list(['--columns', 'file.name,user'], 200);
    expect(titles(picked.split('\n'))).toEqual(['FILE', 'WHO']);
    const header = 'created,user,file.name,asset._id,asset.name,project.name,_id\r\n';
    expect((await list(['-o', 'csv'])).startsWith(header)).toBe(true);
    expect((await list([])).split('\n')[0]?.split('\t')).toHaveLength(7);
  });

  it('is in a table of records that are all empty', async () => {
    const run = await marWith(['[{},{}]', '[]'], ['downloads', 'list'], { columns: 200 });
    expect(stripVTControlCharacters(run.stdout)).toMatch(/^WHEN +WHO +FILE/);
  });
});

it('columns that the user picked are never left out', async () => {
  const picked = ['--columns', '_id,project.name,asset.name,from.name'];
  const lines = await show([...(tables['wr-get'] ?? []), ...picked], 80);
  expect(titles(lines)).toEqual(['ID', 'PROJECT', 'ASSET', 'FROM']);
});
