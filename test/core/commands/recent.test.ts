import { describe, expect, it } from 'vitest';
import { mar, temporaryFolder } from '../../harness/mar.ts';
import { refused } from '../../harness/marWith.ts';
import { recordService } from '../../harness/recordService.ts';
import { remembered, storedAccount } from '../../harness/storedAccount.ts';
import { lookupWords } from '../../words/lookup.ts';

async function prepare() {
  const service = await recordService({
    '/workrequests/wr-1': '{"_id":"wr-1","asset":{"name":"Trailer"},"language":"fra"}',
    '/assets/a-1': '{"_id":"a-1","name":"Film 1.0"}',
  });
  const env = storedAccount(temporaryFolder(), service.env.MAR_BASE_URL ?? '');
  const run = (argv: string, columns?: number) => mar(argv.split(' '), { env, columns });
  return { ...service, env, run };
}

describe('mar recent', () => {
  it('lists what was used, newest first, with names and times, and sends nothing', async () => {
    const { run, paths } = await prepare();
    await run('wr get wr-1');
    await run('asset get a-1');
    const before = paths.length;
    const used = JSON.parse((await run('recent --json')).stdout);
    expect(used).toMatchObject([
      { kind: 'asset', id: 'a-1', name: 'Film 1.0' },
      { kind: 'wr', id: 'wr-1', name: 'Trailer, fra' },
    ]);
    expect(Date.now() - Date.parse(used[0].lastUsed)).toBeLessThan(60_000);
    const table = await run('recent --no-color', 80);
    expect(table.stdout).toMatch(
      /^KIND +ID +NAME +LAST USED\nasset +a-1 +Film 1\.0 +just now\nwr /,
    );
    for (const kind of ['wr', 'work-requests', 'WorkRequest']) {
      expect((await run(`recent ${kind} --columns id`)).stdout).toBe('wr-1\n');
    }
    expect(paths).toHaveLength(before);
  });

  it('refuses an unknown kind, and names the known ones', async () => {
    expect(await refused(['recent', 'asse'])).toContain(' asset?');
    expect(await refused(['recent', 'download'])).toContain(': asset, wr,');
  });

  it('is cut at 20, and reports it', async () => {
    const { run, env } = await prepare();
    const ids = Array.from({ length: 25 }, (_, at) => [`a-${at}`, '']);
    await remembered(env, 'Asset', Object.fromEntries(ids));
    const lines = async (argv: string) => (await run(argv)).stdout.trimEnd().split('\n').length;
    expect((await run('recent')).stderr).toContain('20 of 25 records');
    expect(await lines('recent')).toBe(20);
    expect(await lines('recent --limit 3')).toBe(3);
    expect(await lines('recent --all')).toBe(25);
  });

  it('explains why it is empty', async () => {
    const { run } = await prepare();
    for (const [argv, said] of [
      ['recent', lookupWords.nothingUsed],
      ['recent event', lookupWords.cannotBeListed],
    ] as const) {
      const empty = await run(argv);
      expect(empty).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining(said) });
    }
    expect((await run('recent --json')).stdout).toBe('[]\n');
    await run('config set remember-ids off');
    expect((await run('recent')).stderr).toContain('mar config set remember-ids on');
    const { env } = await recordService({});
    expect((await mar(['recent'], { env })).stderr).toContain('the environment');
  });
});
