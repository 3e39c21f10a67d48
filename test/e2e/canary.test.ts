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
const notJson = `<html>${password} ${token}</html>`;

interface Flow {
  answer: CannedResponse;
  argv: string[];
  stdin?: string;
  variables?: true;
}

const login = (answer: CannedResponse, ...flags: string[]): Flow => ({
  answer,
  argv: ['login', '--password-stdin', ...flags],
  stdin: password,
});
const withToken = (answer: CannedResponse, line: string): Flow => ({
  answer,
  argv: line.split(' '),
  variables: true,
});
const quoted = `${token} ${Buffer.from(`${email}:token-${token}`).toString('base64')}`;
const refusal = (status: number, message: string) => ({
  status,
  body: JSON.stringify({ message }),
});

/** The input of a flow, and the service's responses. */
const flows: Record<string, Flow> = {
  'a login that works': login(session),
  'a login as JSON': login(session, '--json'),
  'a login with a token': { answer: '[]', argv: ['login', '--token-stdin'], stdin: token },
  'a login that is refused': login(refusal(401, 'no')),
  'a login to something else': login('<html></html>'),
  'a login that is cut off': login({ raw: '', afterwards: 'close' }),
  'a token from a variable': withToken('{}', 'asset get a-1'),
  'a request that fails': withToken(refusal(500, 'broken'), 'asset get a-1 --json'),
  'a write that is refused': withToken(
    refusal(422, ''),
    'wr create --skip-checks --set language=fra',
  ),
  'a service that quotes the request': withToken(refusal(400, quoted), 'asset get a-1 --json'),
  'a service that quotes the password': login(refusal(401, `not ${password}`)),
  whoami: withToken('[]', 'whoami --check --json'),
  doctor: withToken('[]', 'doctor'),
  'doctor as JSON': withToken('[]', 'doctor --json'),
  'the configuration': withToken('[]', 'config list'),
};

describe('a secret', () => {
  it.each(Object.entries(flows))('does not show in %s', async (_name, flow) => {
    const { answer, argv, stdin, variables } = flow;
    const server = await recordingServer(answer);
    const folder = temporaryFolder();
    const isLogin = argv[0] === 'login';
    const env = cleanEnvironment(folder, {
      MAR_BASE_URL: server.baseUrl,
      MAR_EMAIL: email,
      MAR_DEBUG: '1',
      ...(variables ? { MAR_TOKEN: token } : {}),
    });
    const line = isLogin ? [...argv, '--insecure-storage'] : argv;
    const run = await runProgram(line, env, stdin);
    expect(leaks(run.stdout + run.stderr)).toEqual([]);
    const store = path.join(env.MAR_CONFIG_DIR, 'tokens.json');
    const others = filesBelow(folder).filter((file) => file !== store);
    expect(others.filter((file) => leaks(readFileSync(file, 'latin1')).length > 0)).toEqual([]);
  });

  it('would be noticed', () => {
    expect(
      leaks(`Authorization: Basic ${Buffer.from(`${email}:token-${token}`).toString('base64')}`),
    ).not.toEqual([]);
    expect(leaks(notJson)).not.toEqual([]);
  });
});
