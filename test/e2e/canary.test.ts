import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
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

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}

const session = JSON.stringify({ token, email });
const notJson = `<html>${password} ${token}</html>`;

/** The input of a flow, and the service's responses. */
const flows: Record<
  string,
  { answer: CannedResponse; argv: string[]; stdin?: string; variables?: true }
> = {
  'a login that works': { answer: session, argv: ['login', '--password-stdin'], stdin: password },
  'a login as JSON': {
    answer: session,
    argv: ['login', '--password-stdin', '--json'],
    stdin: password,
  },
  'a login with a token': { answer: '[]', argv: ['login', '--token-stdin'], stdin: token },
  'a login that is refused': {
    answer: { status: 401, body: '{"message":"no"}' },
    argv: ['login', '--password-stdin'],
    stdin: password,
  },
  'a login to something else': {
    answer: '<html></html>',
    argv: ['login', '--password-stdin'],
    stdin: password,
  },
  'a login that is cut off': {
    answer: { raw: '', afterwards: 'close' },
    argv: ['login', '--password-stdin'],
    stdin: password,
  },
  'a token from a variable': { answer: '{}', argv: ['asset', 'get', 'a-1'], variables: true },
  'a request that fails': {
    answer: { status: 500, body: '{"message":"broken"}' },
    argv: ['asset', 'get', 'a-1', '--json'],
    variables: true,
  },
  'a write that is refused': {
    answer: { status: 422, body: '{}' },
    argv: ['wr', 'create', '--set', 'language=fra'],
    variables: true,
  },
  'a service that quotes the request': {
    answer: {
      status: 400,
      body: JSON.stringify({
        message: `${token} ${Buffer.from(`${email}:token-${token}`).toString('base64')}`,
      }),
    },
    argv: ['asset', 'get', 'a-1', '--json'],
    variables: true,
  },
  'a service that quotes the password': {
    answer: { status: 401, body: JSON.stringify({ message: `not ${password}` }) },
    argv: ['login', '--password-stdin'],
    stdin: password,
  },
  whoami: { answer: '[]', argv: ['whoami', '--check', '--json'], variables: true },
  doctor: { answer: '[]', argv: ['doctor'], variables: true },
  'doctor as JSON': { answer: '[]', argv: ['doctor', '--json'], variables: true },
  'the configuration': { answer: '[]', argv: ['config', 'list'], variables: true },
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
