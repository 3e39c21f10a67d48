import { describe, expect, it } from 'vitest';
import { email, home } from '../../harness/home.ts';
import { mar, temporaryFile } from '../../harness/mar.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { entry, workRequest } from '../../modules/subtitles/request.ts';
import { fakeBus, type Item } from './keychain/fakeBus.ts';

const item: Item = { path: '/org/freedesktop/secrets/collection/login/1', secret: 's3cret' };

/** Logged in through a keychain that counts how often the token is read. */
async function loggedIn(...records: string[]) {
  const { baseUrl, requests } = await recordingServer(...records);
  const bus = await fakeBus({ items: [item] });
  const { folder, env: own, writeConfig } = home();
  writeConfig({ profiles: { default: { baseUrl, email, store: 'keychain' } } });
  const env = { ...bus.env, ...own, MAR_STATE_DIR: folder };
  return {
    requests,
    run: (argv: readonly string[]) => mar(argv, { env }),
    reads: () => bus.calls.filter((member) => member === 'GetSecret').length,
  };
}

const asset = '{"_id":"a-1","_class":"Asset","name":"Harbor"}';
const request = workRequest([entry(1, 'Bonjour.'), entry(2, 'Oui.')]);
const requests = ['wr-1', 'wr-2', 'wr-3'].map((id) => request.replaceAll('wr-1', id));

describe('the credential store', () => {
  const rows = () => temporaryFile('{"_id":"p-1"}\n'.repeat(3), 'rows.jsonl');
  it.each<[name: string, records: string[], argv: () => string, count: number]>([
    ['asset get', [asset], () => 'asset get a-1', 1],
    ['asset put --set', [asset], () => 'asset put a-1 --set name=Pier --yes', 3],
    ['asset get of three', [asset], () => 'asset get a-1 a-1 a-1', 3],
    ['translation check of three', requests, () => 'translation check wr-1 wr-2 wr-3', 3],
    ['whoami --check', ['[]'], () => 'whoami --check', 1],
    ['api GET', [asset], () => 'api GET /assets/a-1', 1],
    ['a batch', ['{"_id":"p-1"}'], () => `preview put --batch ${rows()}`, 3],
  ])('is read once by %s', async (_name, records, argv, count) => {
    const { run, reads, requests } = await loggedIn(...records);
    const { code, stderr } = await run(argv().split(' '));
    expect(code, stderr).toBe(0);
    expect(requests.length).toBe(count);
    expect(reads()).toBe(1);
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
