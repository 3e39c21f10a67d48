import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { startAgent } from '../../harness/agent.ts';
import { recordingServer } from '../../harness/recordingServer.ts';

/** The parameters of a request that names its version. */
const named = (version: string) => ({
  _meta: {
    [PROTOCOL_VERSION_META_KEY]: version,
    [CLIENT_INFO_META_KEY]: { name: 'test', version: '1' },
    [CLIENT_CAPABILITIES_META_KEY]: {},
  },
});

const start = async (version?: string) => {
  const { env } = await recordingServer('{"_id":"a-1"}');
  return startAgent([], env, {}, version);
};

it.each(['', '  ', '{"jsonrpc":"2.0","id":7,"result":5}', '{"jsonrpc":"2.0","method":"a/b"}'])(
  '%j gets no response',
  async (line) => {
    const { client } = await start();
    const before = client.lines.length;
    client.sendLine(line);
    await client.request('ping');
    expect(client.lines.slice(before)).toHaveLength(1);
  },
);

it('a message may come in pieces, and have any character', async () => {
  const { client, stdin } = await start();
  const params = { name: 'get', arguments: { kind: 'asset', ids: ['../日\u2028é'] } };
  const line = JSON.stringify({ jsonrpc: '2.0', id: 'pieces', method: 'tools/call', params });
  const response = client.responseTo('pieces');
  for (const byte of Buffer.from(`${line}\n`)) stdin.write(Buffer.from([byte]));
  expect(JSON.stringify((await response).result)).toContain('日\\\\u2028é');
});

it('every version since 2024 is offered', async () => {
  const versions = ['2025-11-25', '2025-06-18', '2024-11-05', '2025-03-26'];
  const offered = await Promise.all(
    versions.map(async (version) => (await start(version)).initialised.result?.protocolVersion),
  );
  expect(offered).toEqual(versions);
});

it('an initialize after a request that named its version gets an error with that version', async () => {
  const { client } = await start('none');
  await client.request('tools/list', named('2026-07-28'));
  const { error } = await client.initialise();
  expect(error).toMatchObject({ data: { supported: ['2026-07-28'] } });
  expect((await client.request('tools/list', named('2026-07-28'))).result).toHaveProperty('tools');
});

it('a request for an unsupported version gets its error', async () => {
  const { client } = await start('none');
  const ask = (version: string) => client.request('tools/list', named(version));
  const data = { supported: ['2026-07-28'], requested: '2027-01-01' };
  const unsupported = { code: -32022, data };
  expect((await ask('2027-01-01')).error).toMatchObject(unsupported);
  expect((await ask('2026-07-28')).result).toHaveProperty('tools');
});

it('describes whole numbers as what they are', async () => {
  const { client } = await start();
  const { result } = await client.request('tools/list');
  const tools = result?.tools as { name: string; inputSchema: object }[];
  const files = tools.find(({ name }) => name === 'files');
  expect(files?.inputSchema).toMatchObject({ properties: { limit: { type: 'integer' } } });
  // A schema for all results would say nothing about them.
  expect(files).not.toHaveProperty('outputSchema');
});
