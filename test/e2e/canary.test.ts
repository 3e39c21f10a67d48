import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, runProgram } from '../harness/program.ts';
import { type CannedResponse, recordingServer } from '../harness/recordingServer.ts';

const email = 'ines@northlight.example';
const password = 'canary-pässword-7f3a9c';
const token = 'canary-token-51d2e8';

/** Every form in which a secret could slip out: plain, encoded, inside the Basic value. */
const forms = [password, token].flatMap((secret) => {
  const basic = Buffer.from(`${email}:${secret}`).toString('base64');
  const tokenBasic = Buffer.from(`${email}:token-${secret}`).toString('base64');
  const base64 = Buffer.from(secret).toString('base64');
  const hex = Buffer.from(secret).toString('hex');
  const encoded = encodeURIComponent(secret);
  return [secret, basic, tokenBasic, base64.replace(/=+$/, ''), hex, encoded];
});

const leaks = (text: string) => forms.filter((form) => text.includes(form));

const session = JSON.stringify({ token, email });

const quoted = `${token} ${Buffer.from(`${email}:token-${token}`).toString('base64')}`;
const refusal = (status: number, text: string) => ({ status, body: `{"message":"${text}"}` });

/** The service's response, the command line, and standard input; without it, the token is in a variable. */
const flows: [name: string, answer: CannedResponse, line: string, stdin?: string][] = [
  ['a login that works', session, 'login --password-stdin', password],
  ['a login as JSON', session, 'login --password-stdin --json', password],
  ['a login with a token', '[]', 'login --token-stdin', token],
  ['a login that is refused', refusal(401, `not ${password}`), 'login --password-stdin', password],
  ['a login to something else', '<html></html>', 'login --password-stdin', password],
  ['a token from a variable', '{}', 'asset get a-1'],
  ['a service that quotes the request', refusal(400, quoted), 'asset get a-1 --json'],
  ['whoami', '[]', 'whoami --check --json'],
  ['doctor', '[]', 'doctor'],
  ['doctor as JSON', '[]', 'doctor --json'],
  ['the configuration', '[]', 'config list'],
];

describe('a secret', () => {
  it.each(flows)('does not show in %s', async (_name, answer, line, stdin) => {
    const server = await recordingServer(answer);
    const folder = temporaryFolder();
    const env = cleanEnvironment(folder, {
      MAR_BASE_URL: server.baseUrl,
      MAR_EMAIL: email,
      MAR_DEBUG: '1',
      ...(stdin === undefined && { MAR_TOKEN: token }),
    });
    const storage = stdin === undefined ? [] : ['--insecure-storage'];
    const run = await runProgram([...line.split(' '), ...storage], env, stdin);
    expect(leaks(run.stdout + run.stderr)).toEqual([]);
    const store = path.join(env.MAR_CONFIG_DIR, 'tokens.json');
    const others = filesBelow(folder).filter((file) => file !== store);
    expect(others.filter((file) => leaks(readFileSync(file, 'latin1')).length > 0)).toEqual([]);
  });

  it('would be noticed', () => {
    expect(leaks(`Authorization: Basic ${quoted.split(' ')[1]}`)).not.toEqual([]);
    expect(leaks(`<html>${password}</html>`)).not.toEqual([]);
  });
});
