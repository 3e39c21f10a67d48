import { describe, expect, it } from 'vitest';
import { listsService, type StoredList } from '../harness/listsService.ts';
import { mar, startMar } from '../harness/mar.ts';
import { refused } from '../harness/marWith.ts';
import { remembered } from '../harness/storedAccount.ts';

const download = (at: number, name: string) => ({
  _id: `d-${at}`,
  asset: { _id: `a-${at}`, name, type: 'promo' },
  project: { _id: 'p-1', name: 'Harbor' },
  file: { _id: `f-${at}`, name: `film-${at}.mov` },
  created: 1_796_230_800_000,
});

const lists: Record<string, StoredList> = {
  '/downloads': [download(1, 'The Harbor Light'), download(2, 'Unharbored'), download(3, 'Moon')],
  '/files/_slug': [{ _id: 'f-9', name: 'Harbor poster.tif', tags: [] }],
  '/assets/workflowNotify': [{ _id: 'a-7', name: 'Sea', slug: 'harbor-sea' }],
  '/session': [{ _id: 'u-1', name: 'Inês Harbor', emailNormal: 'ines@northlight.example' }],
};

async function prepare(changed: Record<string, StoredList> = {}) {
  const service = await listsService({ ...lists, ...changed });
  const { env } = service;
  await remembered(env, 'WorkRequest', { 'wr-5': 'The Harbor Light, fra' });
  await remembered(env, 'Asset', { harbor: 'Odd' });
  const other = { ...env, MAR_BASE_URL: 'https://other.example/api' };
  await remembered(other, 'Asset', { 'a-6': 'Harbor' });
  const run = (...argv: string[]) => mar(['find', ...argv], { env });
  const found = async (...argv: string[]) =>
    (await run(...argv)).stdout.split('\n').filter(Boolean);
  return { ...service, run, found };
}

describe('mar find', () => {
  it('ranks an exact id first, then names by how well they match, and shows what it searched', async () => {
    const { run } = await prepare();
    const { stdout, stderr } = await run('harbor');
    expect(stdout.trimEnd().split('\n')).toEqual([
      'asset\tharbor\tOdd\tid',
      'project\tp-1\tHarbor\tname',
      'asset\ta-1\tThe Harbor Light\twords in name',
      'wr\twr-5\tThe Harbor Light, fra\twords in name',
      'file\tf-9\tHarbor poster.tif\tstart of name',
      'user\tu-1\tInês Harbor\twords in name',
      'asset\ta-2\tUnharbored\tpart of name',
      'asset\ta-7\tSea\tslug',
    ]);
    expect(stderr).toBe(
      'Searched 2 recently used records, 3 downloads, 1 file, 1 workflow notification, 1 user\n',
    );
  });

  it('shows a flood of orders for an asset as one line on a screen, and all with --kind wr', async () => {
    const { env } = await prepare();
    const orders = Array.from({ length: 9 }, (_, at) => [`wr-1${at}`, `Harbor, Trailer, x${at}`]);
    await remembered(env, 'WorkRequest', Object.fromEntries(orders));
    const screen = await mar(['find', 'harbor', '--no-color'], { env, columns: 80 });
    expect(screen.stdout).toMatch(/asset[^\n]*The Harbor Light\b[\s\S]*wr +9 orders +Harbor +/);
    expect(screen.stdout).not.toContain('wr-10');
    const all = await mar(['find', 'harbor', '--kind', 'wr', '--no-color'], { env, columns: 80 });
    expect(all.stdout.match(/^wr /gm)).toHaveLength(10);
    expect((await mar(['find', 'harbor'], { env })).stdout.match(/^wr\t/gm)).toHaveLength(10);
  });

  it('keeps the best match of a record that several lists contain', async () => {
    const worse = {
      '/downloads': [{ ...download(1, 'x'), file: { _id: 'f-1', name: 'a sunset' } }],
    };
    const both = await prepare({ ...worse, '/files/_slug': [{ _id: 'f-1', name: 'sunset' }] });
    const best = 'file\tf-1\tsunset\tname';
    expect(await both.found('sunset')).toEqual([best]);
    const used = await listsService({ ...lists, ...worse });
    await remembered(used.env, 'File', { 'f-1': 'sunset' });
    expect((await mar(['find', 'sunset'], used)).stdout).toBe(`${best}\n`);
  });

  it('searches the newest thousand downloads, and everything with --all', async () => {
    const many = Array.from({ length: 1250 }, (_, at) => download(at, `Film number${at}`));
    const { run, requests } = await prepare({ '/downloads': many });
    const first = await run('number1249', '--kind', 'asset');
    expect(first).toMatchObject({ code: 5, stdout: '' });
    expect(first.stderr).toContain('the newest 1,000 of 1,250 downloads');
    expect(first.stderr).toContain('; --all searches everything');
    expect(requests.filter((line) => line.startsWith('/downloads')).at(-1)).toBe(
      '/downloads 900-999',
    );
    const all = await run('number1249', '--kind', 'asset', '--all', '--json');
    expect(JSON.parse(all.stdout)).toEqual([
      { kind: 'asset', id: 'a-1249', name: 'Film number1249', match: 'words in name' },
    ]);
  });

  it.each([
    ['wr', [], ['wr-5']],
    ['user', ['/session'], ['u-1']],
    ['project', ['/downloads'], ['p-1']],
    ['file', ['/downloads', '/files/_slug'], ['f-9']],
    ['asset', ['/assets/workflowNotify', '/downloads'], ['harbor', 'a-1', 'a-2', 'a-7']],
  ])('--kind %s reads only the lists that have such records', async (kind, paths, ids) => {
    const { run, requests } = await prepare();
    const { stdout } = await run('harbor', '--kind', kind, '--jq', '.id');
    expect(stdout.split('\n').filter(Boolean)).toEqual(ids);
    expect(requests.map((line) => line.split(' ')[0]).sort()).toEqual(paths);
  });

  it('needs all words, in any order, with or without accents', async () => {
    const { found } = await prepare();
    expect(await found('HÁRBOR', 'ines')).toEqual(['user\tu-1\tInês Harbor\twords in name']);
    expect(await found('northlight', 'harbor')).toEqual(['user\tu-1\tInês Harbor\tseveral fields']);
  });

  it('takes the address of a record', async () => {
    const { found } = await prepare();
    expect(await found('https://desk.media.example/work-requests/wr-5/manage')).toEqual([
      'wr\twr-5\tThe Harbor Light, fra\tid',
    ]);
  });

  it.each([
    ['--json', '[{"kind":"wr","id":"wr-5","name":"The Harbor Light, fra","match":"id"}]\n'],
    ['--jsonl', '{"kind":"wr","id":"wr-5","name":"The Harbor Light, fra","match":"id"}\n'],
    ['-ocsv', 'kind,id,name,match\r\nwr,wr-5,"The Harbor Light, fra",id\r\n'],
    ['-oyaml', '- kind: wr\n  id: wr-5\n  name: The Harbor Light, fra\n  match: id\n'],
  ])('prints %s', async (flag, stdout) => {
    const { run } = await prepare();
    expect(await run('wr-5', flag)).toMatchObject({ code: 0, stdout });
  });

  it('prints each match once with --jsonl, those of this machine first', async () => {
    const { found } = await prepare();
    const ids = (await found('harbor', '--jsonl')).map((line) => JSON.parse(line).id);
    expect(ids.slice(0, 2).sort()).toEqual(['harbor', 'wr-5']);
    expect([new Set(ids).size, ids.length]).toEqual([8, 8]);
  });

  it('prints matches with --jsonl while another list is still on its way', async () => {
    let release = () => {};
    const isPrinted = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { env } = await listsService(lists, (path) =>
      path === '/downloads' ? isPrinted : undefined,
    );
    const run = startMar(['find', 'harbor', '--jsonl'], { env });
    for (const id of ['f-9', 'a-7', 'u-1']) await run.stdout.until(`"id":"${id}"`);
    expect(run.stdout.text).not.toContain('"p-1"');
    release();
    expect((await run.ended).stdout).toContain('"p-1"');
  });

  it('ends on Ctrl-C with 130', async () => {
    const { env } = await listsService(lists, (path) =>
      path === '/downloads' ? new Promise(() => {}) : undefined,
    );
    const run = startMar(['find', 'harbor', '--jsonl'], { env });
    await run.stdout.until('"f-9"');
    run.signal('SIGINT');
    expect((await run.ended).code).toBe(130);
  });

  it('exits with 5 when nothing matches, and shows where an id could be', async () => {
    const { run } = await prepare();
    const none = await run('zzz');
    expect(none).toMatchObject({ code: 5, stdout: '' });
    expect(none.stderr).toMatch(/^error: nothing matches "zzz"\n {2}Searched 2 recently/);
    const id = await run('wr-77', '--kind', 'wr', '--json');
    // The service cannot list work requests, so nobody knows that there is none.
    expect(id).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(JSON.parse(id.stderr).warning).toMatchObject({
      code: 'incomplete-search',
      message: expect.stringContaining('mar wr get wr-77'),
    });
  });

  it('reports a list that fails, and prints the matches of the others', async () => {
    const { run } = await prepare({ '/files/_slug': 403 });
    const { code, stdout, stderr } = await run('harbor');
    expect(code).toBe(0);
    expect(stdout).toContain('p-1');
    expect(stderr).toMatch(/^warning: the files were not searched: /);
    expect(stderr).not.toContain('1 file,');
  });

  it('fails if every list fails, after it printed what this machine knows', async () => {
    const { run } = await prepare(
      Object.fromEntries(Object.keys(lists).map((path) => [path, 403])),
    );
    const { code, stdout } = await run('harbor');
    expect(code).toBe(4);
    expect(stdout.split('\n')[0]).toBe('asset\tharbor\tOdd\tid');
  });

  it('refuses empty words and unknown kinds, and sends nothing', async () => {
    for (const words of [[' '], ['x', '--kind', 'studio'], []]) await refused(['find', ...words]);
  });
});
