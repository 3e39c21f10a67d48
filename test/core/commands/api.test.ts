import { describe, expect, it } from 'vitest';
import { version } from '../../../src/core/version.ts';
import { mar, temporaryFile } from '../../harness/mar.ts';
import { refused } from '../../harness/marWith.ts';
import { account, type RecordingServer, recordingServer } from '../../harness/recordingServer.ts';

const authorization = `Authorization: Basic ${Buffer.from(
  `${account.MAR_EMAIL}:token-${account.MAR_TOKEN}`,
).toString('base64')}`;

/** A request to the server, byte for byte. */
const bytes = ({ port }: RecordingServer, line: string, headers: string[], body = '') => {
  const last = [`Host: 127.0.0.1:${port}`, 'Connection: keep-alive', '', body];
  return [`${line} HTTP/1.1`, ...headers, ...last].join('\r\n');
};

const accept = 'Accept: application/json';
const agent = `User-Agent: mar/${version}`;

/** The header lines of a request, without those that every request has. */
const headersOf = (request = '') =>
  request.split('\r\n').filter((line) => /^(accept|content-type|user-agent|x-)/i.test(line));

describe('what mar api sends', () => {
  it.each([[[]], [['GET']], [['delete']]])('is nothing without a path: %j', async (words) => {
    expect(await refused(['api', ...words])).toContain(': mar api /assets/a-1001\n');
  });

  it.each(['get /assets/a-1', '/assets/a-1', 'assets/a-1'])(
    'is exactly a read for mar api %s, which needs no method',
    async (words) => {
      const server = await recordingServer('{}');
      await mar(['api', ...words.split(' ')], server);
      const read = bytes(server, 'GET /api/assets/a-1', [accept, agent, authorization]);
      expect(server.requests).toEqual([read]);
    },
  );

  it('is exactly what was asked for: a write from a file and fields', async () => {
    const server = await recordingServer('{}');
    const stdin = '{"z": 1.0, "2": 9007199254740993, "a": "ü"}';
    const argv = ['api', 'POST', '/things', '-f', '-', '--set', 'n.m=1', '--unset', 'a'];
    await mar([...argv, '--set-string', 'b=1'], { ...server, stdin });
    const body = '{"z":1.0,"2":9007199254740993,"n":{"m":1},"b":"1"}';
    const type = 'Content-Type: application/json';
    const size = `Content-Length: ${Buffer.byteLength(body)}`;
    const headers = [accept, type, agent, authorization, size];
    expect(server.requests).toEqual([bytes(server, 'POST /api/things', headers, body)]);
  });

  it.each([
    ['[ {"a": 1.0}, 2 ]', '[{"a":1.0},2]'],
    ['- a\n- b: 12345678901234567890\n', '["a",{"b":12345678901234567890}]'],
    ['9007199254740993', '9007199254740993'],
    ['null', 'null'],
    ['"a\\u0041"', '"aA"'],
    ['name: no', '{"name":"no"}'],
  ])('may be any document: %j', async (stdin, body) => {
    const server = await recordingServer('{}');
    const run = await mar(['api', 'PUT', '/things', '-f', '-'], { ...server, stdin });
    expect(run.code, run.stderr).toBe(0);
    expect(server.requests[0]?.split('\r\n\r\n')[1]).toBe(body);
  });

  it('may be changed inside a list', async () => {
    const server = await recordingServer('{}');
    const file = temporaryFile('[{"a":1}]', 'list.json');
    await mar(['api', 'PUT', '/things', '-f', file, '--set', '[0].a=2', '--set', '[1]=x'], server);
    expect(server.requests[0]).toMatch(/\r\n\r\n\[{"a":2},"x"]$/);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PURGE'])(
    'may be a %s without a body, sent once',
    async (method) => {
      const server = await recordingServer({ status: 503, body: '{}' });
      expect((await mar(['api', method.toLowerCase(), '/x'], server)).code).toBe(1);
      expect(server.requests).toHaveLength(1);
      expect(server.requests[0]).toMatch(new RegExp(`^${method} /api/x HTTP/1\\.1\r\n`));
      expect(server.requests[0]).not.toMatch(/content-type|chunked/i);
    },
  );

  it.each(['GET', 'HEAD'])('is repeated after a failure if it is a %s', async (method) => {
    const server = await recordingServer({ status: 503, body: '' });
    await mar(['api', method, '/x', '--retries', '1'], server);
    expect(server.requests).toHaveLength(2);
  });

  it.each(['/files/_slug', '/downloads?q=x', '/api/assets/workflowNotify', 'session'])(
    'has the X-Range that the list %s requires',
    async (path) => {
      const server = await recordingServer('[]');
      await mar(['api', path], server);
      expect(headersOf(server.requests[0])).toEqual([accept, 'X-Range: resources=0-9', agent]);
      const dry = await mar(['api', path, '--dry-run'], server);
      expect(dry.stdout).toContain('X-Range: resources=0-9\n');
    },
  );

  it('has the X-Range of --range, and none for anything but a list', async () => {
    const server = await recordingServer('[1,2]');
    const run = await mar(['api', 'GET', '/files/_slug', '--range', '4-5'], server);
    expect(headersOf(server.requests[0])).toEqual([accept, 'X-Range: resources=4-5', agent]);
    expect(run.stderr).toBe('');
    await mar(['api', 'DELETE', '/session'], server);
    expect(headersOf(server.requests[1])).toEqual([accept, agent]);
  });
});

describe('mar api refuses, with nothing sent,', () => {
  it.each([
    ['a method that is none', ['G ET', '/x']],
    ['a method of nothing', ['', '/x']],
    ['a tunnel', ['connect', '/x']],
    ['to have the token sent back', ['TRACE', '/x']],
    ['a GET with a body', ['GET', '/x', '--set', 'a=1']],
    ['a HEAD with a body', ['head', '/x', '-f', '-']],
    ['a hidden secret', ['POST', '/x', '--set', 'users[0].password=[redacted]']],
    ['a hidden secret in a list', ['POST', '/x', '-f', '-']],
    ['a path to a prototype', ['POST', '/x', '--set', '__proto__.a=1']],
    ['a field of a list', ['POST', '/x', '-f', '-', '--set', 'a=1']],
    ['a file that is not there', ['POST', '/x', '-f', '/nonexistent/x.json']],
    ['a range that is none', ['GET', '/x', '--range', '9-1']],
    ['two extents at once', ['GET', '/x', '--range', '0-9', '--all']],
    ['to page through a write', ['POST', '/x', '--all']],
    ['to limit a write', ['DELETE', '/x', '--limit', '3']],
  ])('%s', async (_name, argv) => {
    const stdin = '[{"password":"[redacted]"}]';
    await refused(['api', ...argv], { stdin });
  });

  it('anything without a login', async () => {
    expect(await mar(['api', 'GET', '/x'])).toMatchObject({ code: 4, stdout: '' });
  });
});
