import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startAgent } from '../harness/agent.ts';
import { mar, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { factsIn } from '../harness/marWith.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { writeProfiles } from '../harness/storedAccount.ts';

const asset = '{"_id":"a-1","name":"Old"}';

/** A service, and runs that may only read it. */
async function readOnly() {
  const server = await recordingServer(asset);
  const env = { ...server.env, MAR_READ_ONLY: '1' };
  const methods = () => server.requests.map((request) => request.split(' ', 1)[0]);
  return { ...server, env, run: (argv: readonly string[]) => mar(argv, { env }), methods };
}

const order = 'asset,language,uses.items\na-1,fra,online\n';
const change = '_id,name\na-1,New\n';

describe('MAR_READ_ONLY=1', () => {
  it.each<[string, () => string[]]>([
    ['wr create', () => ['wr', 'create', '--asset', 'a-1', '--language', 'fra', '--use', 'online']],
    ['asset put', () => ['asset', 'put', 'a-1', '--set', 'name=New']],
    ['event put', () => ['event', 'put', '--type', 'fd', '--file-id', 'f-1', '--again', '--yes']],
    ['a batch of orders', () => ['wr', 'create', '--batch', temporaryFile(order, 'r.csv')]],
    ['a batch of changes', () => ['asset', 'put', '--batch', temporaryFile(change, 'r.csv')]],
    ['mar api POST', () => ['api', 'POST', '/workrequests', '--set', 'language=fra']],
    ['mar api DELETE', () => ['api', 'DELETE', '/session']],
    ['sandbox set', () => ['sandbox', 'set', 'a-1001', 'name=New']],
    ['sandbox reset', () => ['sandbox', 'reset', '--yes']],
    ['an unknown method', () => ['api', 'PATCH', '/assets/a-1', '--set', 'name=New']],
  ])('refuses %s', async (_, argv) => {
    const { run, methods } = await readOnly();
    const { code, stdout, stderr } = await run([...argv(), '--json']);
    expect([code, stdout], stderr).toEqual([2, '']);
    expect(factsIn(stderr)).toMatchObject({ kind: 'usage', outcome: 'not-sent' });
    expect(methods().filter((method) => method !== 'GET')).toEqual([]);
  });

  it('reads, checks, and shows requests', async () => {
    const { run } = await readOnly();
    const rows = temporaryFile(order, 'r.csv');
    for (const argv of [
      ['asset', 'get', 'a-1'],
      ['api', 'GET', '/assets/a-1'],
      ['asset', 'put', 'a-1', '--set', 'name=New', '--dry-run'],
      ['wr', 'create', '--batch', rows, '--dry-run'],
      ['wr', 'create', '--batch', rows, '--check'],
    ]) {
      const { code, stderr } = await run(argv);
      expect(code, stderr).toBe(0);
    }
  });

  it('refuses an agent', async () => {
    const { env, methods } = await readOnly();
    const { client } = await startAgent(['--allow-writes'], env);
    const { report } = await client.write('change_asset', { ids: ['a-1'], set: { name: 'New' } });
    expect(report.error).toMatchObject({ kind: 'usage', outcome: 'not-sent' });
    expect(new Set(methods())).toEqual(new Set(['GET']));
  });

  it('logs out', async () => {
    const { baseUrl, methods } = await readOnly();
    const folder = temporaryFolder();
    const email = 'ines@northlight.example';
    const tokens = { [`${email} ${new URL(baseUrl).origin}`]: 's3cret' };
    writeProfiles(folder, { main: { baseUrl, email, store: 'file' } }, tokens);
    const env = { MAR_CONFIG_DIR: folder, MAR_READ_ONLY: '1' };
    expect((await mar(['logout'], { env })).code).toBe(0);
    expect(methods()).toEqual(['DELETE']);
  });

  it('starts no batch', async () => {
    const { run } = await readOnly();
    const rows = temporaryFile(order, 'r.csv');
    await run(['wr', 'create', '--batch', rows]);
    expect(existsSync(`${rows}.mar-journal`)).toBe(false);
  });
});
