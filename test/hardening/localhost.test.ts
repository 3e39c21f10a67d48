import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { runProgram } from '../harness/program.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { isolated } from '../harness/service.ts';

const variables = { MAR_EMAIL: 'ines@northlight.example', MAR_TOKEN: 'canary-token-51d2e8' };

/** Not a loopback address, although Linux connects it to this machine: nothing leaves it. */
const elsewhere = '0.0.0.0';

describe('plain http to a name that is this machine', () => {
  /** The system's resolver, as a hosts file or a name server could make it. */
  function resolver(address: string): string {
    const file = path.join(temporaryFolder(), 'resolver.cjs');
    writeFileSync(
      file,
      `const dns = require('node:dns');
const family = ${JSON.stringify(address)}.includes(':') ? 6 : 4;
dns.lookup = (name, options, done = options) => process.nextTick(() =>
  options.all
    ? done(null, [{ address: ${JSON.stringify(address)}, family }])
    : done(null, ${JSON.stringify(address)}, family));
`,
    );
    return `--require ${file}`;
  }

  async function get(address: string, host: string, ...flags: string[]) {
    const server = await recordingServer('{"_id":"a-1"}');
    const env = isolated({
      ...variables,
      MAR_BASE_URL: `http://${host}:${server.port}/api`,
      NODE_OPTIONS: resolver(address),
    });
    const argv = ['asset', 'get', 'a-1', '--json', '--retries', '0', '--timeout', '3s', ...flags];
    return { ...(await runProgram(argv, env)), server };
  }

  it.each(['localhost', 'a.b.localhost'])('is refused where %s is elsewhere', async (host) => {
    const { code, stderr, server } = await get(elsewhere, host);
    expect(code, stderr).toBe(2);
    const { error } = JSON.parse(stderr) as { error: { message: string; hint: string } };
    expect(server.requests).toEqual([]);
    expect(error.message).toContain(elsewhere);
    expect(error.hint).toContain('--allow-http');
  });

  it.each([['127.0.0.1'], ['::ffff:127.0.0.1'], [elsewhere, '--allow-http']])(
    'is sent where it is %s %s',
    async (address, ...flags) => {
      const { code, stderr, server } = await get(address, 'x.localhost', ...flags);
      expect(code, stderr).toBe(0);
      expect(server.requests).toHaveLength(1);
    },
  );

  it('does not go through a proxy whose name only looks like this machine', async () => {
    const env = isolated({
      ...variables,
      MAR_BASE_URL: 'http://127.0.0.1:9/api',
      HTTP_PROXY: 'http://proxy.localhost:9',
      NODE_OPTIONS: resolver(elsewhere),
    });
    const argv = ['asset', 'get', 'a-1', '--json', '--retries', '0', '--timeout', '3s'];
    const { code, stderr } = await runProgram(argv, env);
    expect(code, stderr).toBe(2);
    expect(stderr).toContain(elsewhere);
  });
});
