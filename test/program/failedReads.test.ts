import { describe, expect, it } from 'vitest';
import { mar, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { factsIn } from '../harness/marWith.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { storedAccount } from '../harness/storedAccount.ts';

const asset = '{"_id":"a-1","name":"Old"}';
const rows = '_id,name\na-1,New\n';

/** The writes that read something first. */
const writes: Readonly<Record<string, () => readonly string[]>> = {
  'asset put': () => ['asset', 'put', 'a-1', '--set', 'name=New'],
  'asset put -f': () => ['asset', 'put', '-f', temporaryFile(asset, 'asset.json')],
  'asset put --base': () => {
    const file = temporaryFile(asset, 'asset.json');
    return ['asset', 'put', '-f', file, '--base', file, '--set', 'name=New'];
  },
  'asset put --batch': () => ['asset', 'put', '--batch', temporaryFile(rows, 'rows.csv')],
  'asset edit': () => ['asset', 'edit', 'a-1'],
  'user put': () => ['user', 'put', 'u-1', '--set', 'name=New'],
  'wr create': () => ['wr', 'create', '--asset', 'a-1', '--language', 'fra', '--use', 'online'],
  'wr create --like': () => ['wr', 'create', '--like', 'wr-1', '--language', 'fra'],
  'translation submit': () => ['translation', 'submit', '--work-request', 'wr-1'],
  'event put': () => ['event', 'put', '--work-request', 'wr-1', '--notify-user', 'Marc Dubois'],
};

const broken = { raw: '', afterwards: 'close' } as const;

describe.each([
  ['500', { status: 500, body: '{}' }],
  ['no response', broken],
])('after a first read with %s', (_, response) => {
  it.each(Object.entries(writes))('%s says that nothing was sent', async (_, argv) => {
    const server = await recordingServer(response);
    const env = { ...storedAccount(temporaryFolder(), server.baseUrl), EDITOR: 'true' };
    const { stderr } = await mar([...argv(), '--json', '--retries', '0', '--yes'], { env });
    expect(factsIn(stderr), stderr).toMatchObject({ outcome: 'not-sent' });
    expect(server.requests[0], stderr).toMatch(/^GET /);
    expect(server.requests.join('')).not.toMatch(/^(PUT|POST) /m);
  });
});

it('an undo whose read fails says that nothing was sent', async () => {
  const server = await recordingServer(asset, asset, '{"_id":"a-1","name":"New"}', broken);
  const log = { MAR_LOG: temporaryFile('', 'log.jsonl') };
  const env = { ...storedAccount(temporaryFolder(), server.baseUrl), ...log };
  await mar(['asset', 'put', 'a-1', '--set', 'name=New'], { env });
  const { stderr } = await mar(['undo', '--yes', '--json', '--retries', '0'], { env });
  expect(factsIn(stderr)).toMatchObject({ kind: 'network', outcome: 'not-sent' });
});

it('a write whose response is followed by a failed read is of unknown outcome', async () => {
  const server = await recordingServer(asset, asset, '{}', broken);
  const argv = ['asset', 'put', 'a-1', '--set', 'name=New', '--json', '--retries', '0'];
  const { stderr } = await mar(argv, server);
  expect(factsIn(stderr)).toMatchObject({ outcome: 'unknown' });
});

it('a read has no outcome', async () => {
  for (const argv of [
    ['asset', 'get', 'a-1'],
    ['api', '/assets/a-1'],
  ]) {
    const server = await recordingServer(broken);
    const { stderr } = await mar([...argv, '--json', '--retries', '0'], server);
    expect(factsIn(stderr)).not.toHaveProperty('outcome');
  }
});
