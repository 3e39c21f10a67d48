import { describe, expect, it } from 'vitest';
import { listsService, type StoredList } from '../../harness/listsService.ts';
import { mar, startMar } from '../../harness/mar.ts';
import { failure, refused } from '../../harness/marWith.ts';
import { remembered } from '../../harness/storedAccount.ts';

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

const linesOf = (stdout: string) => stdout.split('\n').filter(Boolean);

async function prepare(changed: Record<string, StoredList> = {}) {
  const service = await listsService({ ...lists, ...changed });
  const { env } = service;
  await remembered(env, 'WorkRequest', { 'wr-5': 'The Harbor Light, fra' });
  await remembered(env, 'Asset', { harbor: 'Odd' });
  const other = { ...env, MAR_BASE_URL: 'https://other.example/api' };
  await remembered(other, 'Asset', { 'a-6': 'Harbor' });
  const run = (...argv: string[]) => mar(['find', ...argv], { env });
  const found = async (...argv: string[]) => linesOf((await run(...argv)).stdout);
  return { ...service, run, found };
}

describe('mar find', () => {
  it('ranks an exact id first, then names by how well they match, and shows what it searched', async () => {
    const { run } = await prepare();
    const { stdout, stderr } = await run('harbor');
    expect(linesOf(stdout)).toEqual([
      'asset\tharbor\tOdd\tid',
      'project\tp-1\tHarbor\tname',
      'asset\ta-1\tThe Harbor Light\twords in name',
      'wr\twr-5\tThe Harbor Light, fra\twords in name',
      'file\tf-9\tHarbor poster.tif\tstart of name',
      'user\tu-1\tInês Harbor\twords in name',
      'asset\ta-2\tUnharbored\tpart of name',
      'asset\ta-7\tSea\tslug',
    ]);
    const lists =
      '2 records used on this machine, 3 downloads, 1 file, 1 workflow notification, 1 user';
    expect(stderr).toBe(`Searched ${lists}\n`);
  });

  it('shows a flood of orders for an asset as one line on a screen, and all with --kind wr', async () => {
    const { env, found } = await prepare();
    const orders = Array.from({ length: 9 }, (_, at) => [`wr-1${at}`, `Harbor, Trailer, x${at}`]);
    await remembered(env, 'WorkRequest', Object.fromEntries(orders));
    const screen = async (...flags: string[]) =>
      (await mar(['find', 'harbor', '--no-color', ...flags], { env, columns: 80 })).stdout;
    const short = await screen();
    expect(short).toMatch(/asset[^\n]*The Harbor Light\b[\s\S]*wr +9 orders +Harbor +/);
    expect(short).not.toContain('wr-10');
    expect((await screen('--kind', 'wr')).match(/^wr /gm)).toHaveLength(10);
    expect((await found('harbor')).filter((line) => line.startsWith('wr\t'))).toHaveLength(10);
  });

  it('shows many files as one line on a screen', async () => {
    const files = Array.from({ length: 9 }, (_, at) => ({ _id: `f-1${at}`, name: `Harbor ${at}` }));
    const { env, found } = await prepare({ '/files/_slug': files });
    const { stdout } = await mar(['find', 'harbor', '--no-color'], { env, columns: 80 });
    expect(stdout).toMatch(/^file +9 files +.*--kind file/m);
    expect((await found('harbor')).filter((line) => line.startsWith('file\t'))).toHaveLength(9);
  });

  it('keeps the best match of a record that several lists contain', async () => {
    const worse = {
      '/downloads': [{ ...download(1, 'x'), file: { _id: 'f-1', name: 'a sunset' } }],
    };
    const both = await prepare({ ...worse, '/files/_slug': [{ _id: 'f-1', name: 'sunset' }] });
    const best = ['file\tf-1\tsunset\tname'];
    expect(await both.found('sunset')).toEqual(best);
    const used = await prepare(worse);
    await remembered(used.env, 'File', { 'f-1': 'sunset' });
    expect(await used.found('sunset')).toEqual(best);
  });

  it('searches the newest thousand downloads, and everything with --all', async () => {
    const many = Array.from({ length: 1250 }, (_, at) => download(at, `Film number${at}`));
    const { run, requests } = await prepare({ '/downloads': many });
    const stderr = await failure(5, run('number1249', '--kind', 'asset'));
    expect(stderr).toContain('1,000 of 1,250 downloads');
    expect(stderr).toContain('--all');
    expect(requests.findLast((line) => line.startsWith('/downloads'))).toBe('/downloads 900-999');
    const all = await run('number1249', '--kind', 'asset', '--all', '--json');
    const match = { kind: 'asset', _id: 'a-1249', name: 'Film number1249', match: 'words in name' };
    expect(JSON.parse(all.stdout)).toEqual([match]);
  });

  it.each([
    ['wr', [], ['wr-5']],
    ['user', ['/session'], ['u-1']],
    ['project', ['/downloads'], ['p-1']],
    ['file', ['/downloads', '/files/_slug'], ['f-9']],
    ['asset', ['/assets/workflowNotify', '/downloads'], ['harbor', 'a-1', 'a-2', 'a-7']],
  ])('--kind %s reads only the lists that have such records', async (kind, paths, ids) => {
    const { found, requests } = await prepare();
    expect(await found('harbor', '--kind', kind, '--jq', '._id')).toEqual(ids);
    expect(requests.map((line) => line.split(' ')[0]).sort()).toEqual(paths);
  });

  it('needs all words, in any order, with or without accents, or the address of a record', async () => {
    const { found } = await prepare();
    expect(await found('HÁRBOR', 'ines')).toEqual(['user\tu-1\tInês Harbor\twords in name']);
    expect(await found('northlight', 'harbor')).toEqual(['user\tu-1\tInês Harbor\tseveral fields']);
    const address = 'https://desk.media.example/work-requests/wr-5/manage';
    expect(await found(address)).toEqual(['wr\twr-5\tThe Harbor Light, fra\tid']);
  });

  it('prints each match once, in the same order, with --jsonl', async () => {
    const { found } = await prepare();
    const ids = (await found('harbor', '--jsonl')).map((line) => JSON.parse(line)._id);
    expect(ids).toEqual((await found('harbor')).map((line) => line.split('\t')[1]));
  });

  it('stops at once on Ctrl-C, while a list is still on its way', async () => {
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const { env } = await listsService(lists, (path) => {
      if (path !== '/downloads') return undefined;
      asked();
      return new Promise<void>(() => {});
    });
    const run = startMar(['find', 'harbor'], { env });
    await isAsked;
    run.signal('SIGINT');
    expect(await run.ended).toMatchObject({ code: 130, stdout: '' });
  });

  it('exits with 5 when nothing matches, and shows where an id could be', async () => {
    const { run } = await prepare();
    const none = await failure(5, run('zzz'));
    expect(none).toMatch(
      /^error: .*"zzz"\n {2}mar searches names and ids, [^\n]*\n {2}Searched 2 /,
    );
    const id = await run('wr-77', '--kind', 'wr', '--json');
    // The service cannot list work requests, so nobody knows that there is none.
    expect(id).toMatchObject({ code: 0, stdout: '[]\n' });
    const { code, message } = JSON.parse(id.stderr).warning;
    expect([code, message]).toEqual([
      'incomplete-search',
      expect.stringContaining('mar wr get wr-77'),
    ]);
  });

  it.each([
    ['a-77', ['mar asset get a-77']],
    ['wr-77', ['mar wr get wr-77']],
    ['6718f0', ['mar wr get 6718f0']],
    ['n-77', []],
    ['d-77', []],
  ])('for %s, offers to read a record of that kind, or none', async (id, commands) => {
    const { run } = await prepare();
    expect((await failure(5, run(id))).match(/mar \S+ get .*/g) ?? []).toEqual(commands);
  });

  it('reports a list that fails, and prints the matches of the others', async () => {
    const { run } = await prepare({ '/files/_slug': 403 });
    const { code, stdout, stderr } = await run('harbor');
    expect([code, stdout]).toEqual([0, expect.stringContaining('p-1')]);
    expect(stderr).toMatch(/^warning: the files /);
    expect(stderr).not.toContain('1 file,');
    const failing = Object.fromEntries(Object.keys(lists).map((path) => [path, 403]));
    // What this machine knows is printed all the same.
    const all = await (await prepare(failing)).run('harbor');
    expect(all).toMatchObject({
      code: 4,
      stdout: expect.stringMatching(/^asset\tharbor\tOdd\tid\n/),
    });
  });

  it('refuses empty words and unknown kinds, and sends nothing', async () => {
    for (const words of [[' '], ['x', '--kind', 'studio'], []]) await refused(['find', ...words]);
  });
});
