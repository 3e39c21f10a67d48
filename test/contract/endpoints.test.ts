import { describe, expect, it } from 'vitest';
import { type EndpointId, endpoints } from '../../src/core/api/endpoints.ts';
import { version } from '../../src/core/version.ts';
import { table } from '../../src/program/table.ts';
import { CommandTree } from '../../src/program/tree.ts';
import { marOk, temporaryFolder } from '../harness/mar.ts';
import { account, type RecordingServer, recordingServer } from '../harness/recordingServer.ts';
import { wire } from './wire.ts';

const ids = Object.keys(endpoints) as EndpointId[];

const basic = (secret: string) =>
  `Basic ${Buffer.from(`${account.MAR_EMAIL}:${secret}`).toString('base64')}`;

/** Logs in to a server as a stored profile, for the commands that need one. */
async function storedLogin(server: RecordingServer): Promise<Record<string, string>> {
  const env = { MAR_CONFIG_DIR: temporaryFolder(), MAR_BASE_URL: server.baseUrl };
  const argv = ['login', '--email', account.MAR_EMAIL, '--token-stdin', '--insecure-storage'];
  await marOk(argv, { env, stdin: account.MAR_TOKEN });
  server.requests.length = 0;
  return env;
}

describe('every endpoint', () => {
  it('has its home in exactly one command', async () => {
    const commands = await new CommandTree(table).loadCommands();
    const homes = commands.map(({ endpoint }) => endpoint).filter((id) => id !== undefined);
    expect(homes.sort()).toEqual([...ids].sort());
  });

  it.each(ids)('%s puts exactly its request on the wire', async (id) => {
    const { argv, stdin, line, reads = [], headers = [], body, listed, answer } = wire[id];
    const server = await recordingServer(
      ...(listed === undefined
        ? [id === 'sessionDelete' ? '[]' : answer]
        : reads.map(() => listed)),
      answer,
    );
    const needsStore = id === 'sessionDelete' || id === 'sessionCreate';
    const env =
      id === 'sessionDelete'
        ? await storedLogin(server)
        : { ...server.env, ...(needsStore ? { MAR_CONFIG_DIR: temporaryFolder() } : {}) };

    await marOk(argv, { env, stdin });
    const secret = id === 'sessionCreate' ? 'open sesame: ü' : `token-${account.MAR_TOKEN}`;
    const expected = [
      `${line} HTTP/1.1`,
      'Accept: application/json',
      ...headers,
      `User-Agent: mar/${version}`,
      `Authorization: ${basic(secret)}`,
      ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
      `Host: 127.0.0.1:${server.port}`,
      'Connection: keep-alive',
      '',
      body ?? '',
    ].join('\r\n');
    const before = server.requests.slice(0, -1).map((request) => request.split(' HTTP/')[0]);
    expect(before).toEqual(reads);
    expect(server.requests.at(-1)).toBe(expected);
  });
});
