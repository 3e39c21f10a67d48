import { describe, expect, it } from 'vitest';
import { expectOneRead, loggedIn } from './keychain/countedReads.ts';

const asset = '{"_id":"a-1","_class":"Asset","name":"Harbor"}';
const changed = asset.replace('Harbor', 'Pier');
describe('the credential store', () => {
  it.each<[name: string, records: string[], argv: string, count: number]>([
    ['asset get', [asset], 'asset get a-1', 1],
    ['asset put --set', [asset, asset, changed], 'asset put a-1 --set name=Pier --yes', 3],
    ['asset get of three', [asset], 'asset get a-1 a-1 a-1', 3],
    ['whoami --check', ['[]'], 'whoami --check', 1],
    ['api GET', [asset], 'api GET /assets/a-1', 1],
  ])('is read once by %s', async (_name, records, argv, count) => {
    await expectOneRead(argv, records, count);
  });

  it('is not read by whoami, nor by a dry run', async () => {
    const { run, reads, requests } = await loggedIn();
    expect(await run(['whoami'])).toMatchObject({ code: 0 });
    const dryRun = ['wr', 'create', '--skip-checks', '--set', 'instructions=x', '--dry-run'];
    expect(await run(dryRun)).toMatchObject({ code: 0 });
    expect(requests).toEqual([]);
    expect(reads()).toBe(0);
  });
});
