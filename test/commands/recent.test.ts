import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { rememberIds, usedIds } from '../../src/config/usedIds.ts';
import { mar, temporaryFolder } from '../harness/mar.ts';
import { recordService } from '../harness/recordService.ts';

async function prepare() {
  const service = await recordService({
    '/workrequests/wr-1': '{"_id":"wr-1","asset":{"name":"Trailer"},"language":"fra"}',
    '/assets/a-1': '{"_id":"a-1","name":"Film 1.0"}',
  });
  const folder = temporaryFolder();
  const state = path.join(folder, 'state');
  const env: Record<string, string> = {
    ...service.env,
    MAR_CONFIG_DIR: path.join(folder, 'config'),
    MAR_STATE_DIR: state,
  };
  const { origin } = new URL(service.env.MAR_BASE_URL ?? '');
  const run = (argv: string[], columns?: number) => mar(argv, { env, columns });
  return { ...service, state, origin, run };
}

describe('mar recent', () => {
  it('lists what was used, newest first, with names and times, and sends nothing', async () => {
    const { run, paths } = await prepare();
    await run(['wr', 'get', 'wr-1']);
    await run(['asset', 'get', 'a-1']);
    const before = paths.length;
    const { stdout } = await run(['recent', '--json']);
    const used = JSON.parse(stdout);
    expect(used).toMatchObject([
      { kind: 'asset', id: 'a-1', name: 'Film 1.0' },
      { kind: 'wr', id: 'wr-1', name: 'Trailer, fra' },
    ]);
    expect(Date.now() - Date.parse(used[0].lastUsed)).toBeLessThan(60_000);
    const table = await run(['recent', '--no-color'], 80);
    expect(table.stdout).toMatch(
      /^KIND +ID +NAME +LAST USED\nasset +a-1 +Film 1\.0 +just now\nwr /,
    );
    expect(paths).toHaveLength(before);
  });

  it.each(['wr', 'work-requests', 'WorkRequest'])('%s narrows it to one kind', async (kind) => {
    const { run } = await prepare();
    await run(['wr', 'get', 'wr-1']);
    await run(['asset', 'get', 'a-1']);
    expect((await run(['recent', kind, '--columns', 'id'])).stdout).toBe('wr-1\n');
  });

  it('refuses an unknown kind, and names the known ones', async () => {
    const { run } = await prepare();
    expect((await run(['recent', 'asse'])).stderr).toContain('Did you mean asset?');
    expect(await run(['recent', 'download'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Known kinds: asset, wr,'),
    });
  });

  it('is cut at 20, and says so', async () => {
    const { run, state, origin } = await prepare();
    const ids = Array.from({ length: 25 }, (_, at) => `a-${at}`);
    await rememberIds(
      state,
      ids.map((id) => ({ origin, resource: 'Asset', id, name: '' })),
    );
    const lines = async (...argv: string[]) =>
      (await run(['recent', ...argv])).stdout.trimEnd().split('\n').length;
    expect((await run(['recent'])).stderr).toContain('Showing 20 of 25 records.');
    expect(await lines()).toBe(20);
    expect(await lines('--limit', '3')).toBe(3);
    expect(await lines('--all')).toBe(25);
  });

  it('says why it is empty', async () => {
    const { run } = await prepare();
    expect(await run(['recent'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('You have used no record'),
    });
    expect((await run(['recent', '--json'])).stdout).toBe('[]\n');
    await run(['config', 'set', 'remember-ids', 'off']);
    expect((await run(['recent'])).stderr).toContain('mar config set remember-ids on');
  });

  it('reads the files of earlier versions, which have no times', async () => {
    const { run, state, origin } = await prepare();
    mkdirSync(state);
    const old = [origin, 'Asset', 'a-9', 'Old'];
    writeFileSync(path.join(state, 'used-ids.jsonl'), `${JSON.stringify(old)}\n`);
    await run(['wr', 'get', 'wr-1']);
    expect((await run(['recent', '--columns', 'id,name'])).stdout).toBe(
      'wr-1\tTrailer, fra\na-9\tOld\n',
    );
    const [first] = usedIds(state, { origin, resource: 'Asset' });
    expect(first).toMatchObject({ id: 'a-9', usedAt: undefined });
  });

  it('keeps the times when the files are compacted', async () => {
    const folder = temporaryFolder();
    const asset = { origin: 'https://media.example', resource: 'Asset', name: 'n'.repeat(80) };
    for (let count = 0; count < 400; count += 1) {
      await rememberIds(folder, [{ ...asset, id: `a-${count % 10}`, usedAt: count }]);
    }
    expect(usedIds(folder, asset).map(({ usedAt }) => usedAt)).toEqual([
      399, 398, 397, 396, 395, 394, 393, 392, 391, 390,
    ]);
  });
});
