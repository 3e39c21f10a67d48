import { createServer, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listening } from '../harness/listening.ts';
import { startMar } from '../harness/mar.ts';

/** A service that responds only when it is told to. */
async function slowService() {
  const held: ServerResponse[] = [];
  const server = createServer((_request, response) => held.push(response));
  const { baseUrl, env } = await listening(server);
  return {
    env,
    host: new URL(baseUrl).host,
    respond: () => {
      for (const response of held) response.end('{"_id":"a-1"}');
    },
  };
}

const get = ['asset', 'get', 'a-1', '--columns', '_id'];

describe('a slow request', () => {
  it('shows what is waited for on a terminal, and leaves no trace', async () => {
    const service = await slowService();
    const run = startMar(get, { env: service.env, columns: 80 });
    await run.stderr.until(`Waiting for ${service.host}… 1 s`);
    service.respond();
    expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('shortens the line on a narrow terminal', async () => {
    const service = await slowService();
    const run = startMar(get, { env: service.env, columns: 20 });
    await run.stderr.until('Waiting for 127.…');
    service.respond();
    expect((await run.ended).code).toBe(0);
  });
});

it('a status to wait for reaches the terminal without its control characters', async () => {
  const service = await slowService();
  const argv = ['wr', 'wait', 'wr-1', '--status', 'a\u001b[2Jb'];
  const run = startMar(argv, { env: service.env, columns: 80 });
  await run.stderr.until('… 1 s');
  run.signal('SIGINT');
  await run.ended;
  expect(run.stderr.text).not.toContain('\u001b[2J');
});
