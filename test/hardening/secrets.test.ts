import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { assetService } from '../harness/assetService.ts';
import { filesBelow, mar, marOk, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { type CannedResponse, recordingServer } from '../harness/recordingServer.ts';
import { writeProfiles } from '../harness/storedAccount.ts';
import { numbered } from '../modules/batch/harness.ts';

const email = 'ines@northlight.example';
const token = 'canary-token-51d2e8';
const password = 'cänary"pa/ss\\word&7f3a9c';

/** A piece of the secret is a leak too, once it is long enough to recognise. */
const pieces = (secret: string) =>
  Array.from({ length: secret.length - 7 }, (_, start) => secret.slice(start, start + 8));

const leaks = (text: string, secret = token) =>
  pieces(secret).filter((piece) => text.includes(piece));

const variables = { MAR_EMAIL: email, MAR_TOKEN: token };

/** Runs a command with a service that sends this response. */
async function run(
  answer: CannedResponse,
  argv: readonly string[],
  more: Record<string, string> = {},
  stdin = '',
) {
  const { baseUrl } = await recordingServer(answer);
  const env = { ...variables, MAR_BASE_URL: baseUrl, ...more };
  const outcome = await mar([...argv, '--retries', '0'], { env, stdin });
  return { ...outcome, text: outcome.stdout + outcome.stderr };
}

function logIn(answer: CannedResponse, flags: readonly string[] = [], more = {}) {
  const argv = ['login', '--password-stdin', '--insecure-storage', ...flags];
  const own = { MAR_TOKEN: '', MAR_CONFIG_DIR: temporaryFolder(), ...more };
  return run(answer, argv, own, password);
}

/** The ways in which what a response quotes could be shown: as text, as JSON, in a trace. */
const logInEachWay = (answer: CannedResponse) =>
  Promise.all([
    logIn(answer),
    logIn(answer, ['--json']),
    logIn(answer, ['--json', '--debug'], { MAR_DEBUG: 'http' }),
  ]);

/** Session responses that a service may send, right or wrong. */
const sessions: readonly (readonly [string, CannedResponse])[] = [
  ['as documented', JSON.stringify({ token, email })],
  ['nested', JSON.stringify({ data: { session: { token } }, email })],
  ['in an array', JSON.stringify([{ token, email }])],
  ['under another key', JSON.stringify({ Access_Token: token, email })],
  ['under a key that says nothing', JSON.stringify({ value: token, email })],
  ['as a string', JSON.stringify(token)],
  ['as an array of strings', JSON.stringify([email, token])],
  ['as text', `token=${token}\n`],
  ['cut short', `{"email":"${email}","token":"${token}`],
  ['cut inside the token', `{"token":"${token.slice(0, -1)}`],
  ['escaped', `{"t\\u006fken":"${token.replace('c', '\\u0063')}","email":"${email}"}`],
  ['in a header', { headers: [`X-Greeting: ${token}`], body: JSON.stringify({ token, email }) }],
  ['as the request id', { headers: [`X-Request-Id: ${token}`], body: JSON.stringify({ token }) }],
  ['with a failure', { status: 500, body: JSON.stringify({ message: 'no', token }) }],
  ['with a refusal', { status: 401, body: JSON.stringify({ error: { message: 'no', token } }) }],
  ['with a failure, cut short', { status: 500, body: `{"message":"no","token":"${token}` }],
  ['with a redirect', { status: 302, headers: [`Location: /api/${token}/x`], body: token }],
];

describe('the token of a login response', () => {
  it.each(sessions)('%s is in no trace, no message and no error body', async (_name, answer) => {
    for (const { text } of await logInEachWay(answer)) expect(leaks(text), text).toEqual([]);
  });

  it('is in no trace of mar api, whose result it is', async () => {
    const answer = JSON.stringify({ data: [{ Token: token }], email });
    const more = { MAR_DEBUG: 'http', MAR_TOKEN: 'another-one' };
    const { code, stdout, stderr } = await run(answer, ['api', 'GET', '/session'], more);
    expect(code).toBe(0);
    expect(stdout).toContain(token);
    expect(leaks(stderr), stderr).toEqual([]);
  });

  it('leaves the rest of a refusal to be read', async () => {
    const { text } = await logIn({ status: 401, body: '{"message":"the account is locked"}' });
    expect(text).toContain('the account is locked');
  });
});

/** Every form in which a secret could slip out: plain, encoded, inside the Basic value. */
const forms = [password, token].flatMap((secret) => {
  const basics = [secret, `${email}:${secret}`, `${email}:token-${secret}`];
  const base64 = basics.map((text) => Buffer.from(text).toString('base64').replace(/=+$/, ''));
  return [secret, ...base64, encodeURIComponent(secret)];
});
const formsIn = (text: string) => forms.filter((form) => text.includes(form));

const quoted = `${token} ${Buffer.from(`${email}:token-${token}`).toString('base64')}`;
const refusal = (status: number, message: string) => ({
  status,
  body: JSON.stringify({ message }),
});

describe('a secret', () => {
  /** The response, the command line, and standard input; without it, the token is in a variable. */
  it.each<[name: string, answer: CannedResponse, line: string, stdin?: string]>([
    ['a login that works', sessions[0]?.[1] ?? '', 'login --password-stdin', password],
    ['a login with a token', '[]', 'login --token-stdin', token],
    ['a refused login', refusal(401, `not ${password}`), 'login --password-stdin', password],
    ['a login to something else', '<html></html>', 'login --password-stdin', password],
    ['a token from a variable', '{}', 'asset get a-1'],
    ['a service that quotes the request', refusal(400, quoted), 'asset get a-1 --json'],
    ['whoami', '[]', 'whoami --check --json'],
    ['doctor', '[]', 'doctor'],
    ['doctor as JSON', '[]', 'doctor --json'],
    ['the configuration', '[]', 'config list'],
  ])('is in no file and no output of %s', async (_name, answer, line, stdin) => {
    const { baseUrl } = await recordingServer(answer);
    const folder = temporaryFolder();
    const folders = { MAR_CONFIG_DIR: folder, MAR_STATE_DIR: path.join(folder, 'state') };
    const own: Record<string, string> = stdin === undefined ? { MAR_TOKEN: token } : {};
    const env = { MAR_EMAIL: email, MAR_BASE_URL: baseUrl, MAR_DEBUG: '1', ...folders, ...own };
    const storage = stdin === undefined ? [] : ['--insecure-storage'];
    const { stdout, stderr } = await mar([...line.split(' '), ...storage], { env, stdin });
    expect(formsIn(stdout + stderr)).toEqual([]);
    const files = filesBelow(folder).filter((file) => !file.endsWith('tokens.json'));
    expect(files.flatMap((file) => formsIn(readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('would be noticed', () => {
    expect(formsIn(`Authorization: Basic ${quoted.split(' ')[1]}`)).not.toEqual([]);
    expect(formsIn(`<html>${password}</html>`)).not.toEqual([]);
  });
});

describe('a token that is quoted where a text is cut', () => {
  const get = ['asset', 'get', 'a-1'];
  const ends = [1, 7, token.length - 1];
  const padded = (length: number, before: number) => 'x'.repeat(length - before) + token;
  const after = 'y'.repeat(99);
  const message = (before: number) => JSON.stringify({ message: padded(2000, before) + after });
  const quoting: readonly (readonly [string, (before: number) => CannedResponse])[] = [
    ['message', (n) => ({ status: 422, body: message(n) })],
    ['body', (n) => ({ status: 422, body: padded(500, n) + after })],
    ['JSON body', (n) => ({ status: 422, body: JSON.stringify({ d: padded(494, n) }) })],
    ['title of a page', (n) => ({ status: 502, body: `<title>${padded(500, n)}${after}</title>` })],
    ['answer of no use', (n) => padded(500, n) + after],
    [
      'address of a redirect',
      (n) => ({ status: 302, headers: [`Location: http://h.example/${padded(482, n)}yyyyyyyyy`] }),
    ],
    ['traced body', (n) => ({ status: 422, body: JSON.stringify([padded(9998, n), after]) })],
  ];
  const lines = quoting.flatMap(([name, make]) =>
    ends.map((end) => [name, end, make(end)] as const),
  );

  it.each(lines)(
    '(%s, %i characters before) shows no part of itself',
    async (_name, _n, answer) => {
      const runs = await Promise.all([
        run(answer, get),
        run(answer, [...get, '--json']),
        run(answer, [...get, '--debug'], { MAR_DEBUG: 'http' }),
      ]);
      for (const { code, text } of runs) {
        expect(code, text).not.toBe(0);
        expect(leaks(text), text).toEqual([]);
        expect(text).not.toContain(`x${token.slice(0, 3)}`);
      }
    },
  );

  it.each(ends)('(%i characters before) is in no journal and no report', async (before) => {
    const rows = temporaryFile(numbered(1), 'rows.jsonl');
    const shown = '127.0.0.1:00000 refused POST /api/workrequests (422): '.length;
    const body = JSON.stringify({ message: padded(500 - shown, before) });
    const { text } = await run({ status: 422, body }, ['wr', 'create', '--batch', rows]);
    const journal = `${rows}.mar-journal`;
    const report = await mar(['batch', 'report', journal, '--jsonl']);
    expect(report.stdout).toContain('"failed"');
    for (const kept of [text, readFileSync(journal, 'utf8'), report.stdout]) {
      expect(leaks(kept), kept).toEqual([]);
      expect(kept).not.toContain(`x${token.slice(0, 3)}`);
    }
  });

  it('is found when shorter text takes the place of many before it', async () => {
    const body = `${token} `.repeat(10_000) + token.slice(0, -1);
    const { text } = await run({ status: 422, body }, get, { MAR_DEBUG: 'http' });
    expect(leaks(text)).toEqual([]);
  });
});

describe('a proxy password', () => {
  const secret = 'hunter2pass';
  it.each([
    `http://ines:${secret}@proxy.example:3128`,
    `http://ines:${secret}@more@proxy.example:3128`,
    `http://ines:a@${secret}@proxy.example:3128`,
    `http://ines:a/${secret}@proxy.example:3128`,
    `http://ines:${secret}/a@proxy.example:3128`,
    `http://ines:${secret}/a@b/c@proxy.example:3128`,
    `http://ines:1/${secret}@proxy.example:3128`,
    `http:/ines:${secret}@proxy.example:3128`,
    `http:ines:${secret}@proxy.example:3128`,
    `http:\\\\ines:${secret}@proxy.example:3128`,
    `ines:${secret}@proxy.example:3128`,
    `//ines:${secret}@proxy.example:3128`,
    `http//ines:${secret}@proxy.example:3128`,
    `ines:${secret}:proxy.example:3128`,
    `proxy.example:3128:ines:${secret}`,
    `http://ines:${secret}%40proxy.example:3128`,
    `http://ines:${secret}#@proxy.example:3128`,
    `http://ines:${secret}?@proxy.example:3128`,
    `http://ines:x@proxy.example:3128/${secret}`,
    `http://ines:x@proxy.example:3128?key=${secret}`,
    `http://proxy.example:3128?key=${secret}`,
    `http://ines:${secret}`,
    `http://ines:${secret} @proxy.example`,
    `socks5h://ines:${secret}@proxy.example`,
    `ines:${secret}@`,
  ])('is not shown by doctor for %s', async (value) => {
    const names = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'https_proxy', 'NO_PROXY'];
    const proxies = Object.fromEntries(names.map((name) => [name, value]));
    const { stdout, text } = await run('[]', ['doctor', '--json', '--timeout', '2s'], proxies);
    expect(text).not.toContain(secret);
    expect(stdout).toContain('"name":"Proxy"');
  });
});

/** Ways in which text is written when it is quoted. */
const spellings: Readonly<Record<string, (text: string) => string>> = {
  'no escapes': (text) => text,
  'URL encoding': encodeURIComponent,
  'JSON escapes': (text) => JSON.stringify(text).slice(1, -1),
  Base64: (text) => Buffer.from(text).toString('base64'),
  'Base64 of the Basic header': (text) => Buffer.from(`${email}:${text}`).toString('base64'),
};

/** The parts of the password in which nothing needs escaping. */
const readable = ['nary', '7f3a9c'];

describe('a password that is quoted', () => {
  it.each(Object.entries(spellings))('with %s is hidden', async (_name, spell) => {
    const quoted = spell(password);
    const bodies = [`refused <${quoted}>`, `{"message":"refused <${quoted}>"}`];
    for (const body of bodies) {
      for (const { text } of await logInEachWay({ status: 401, body })) {
        expect(text).toContain('refused <');
        for (const part of [quoted, quoted.slice(0, 20), ...readable]) {
          expect(text.replaceAll('--password-stdin', '')).not.toContain(part);
        }
      }
    }
  });

  it('on a web page is not printed, however it is escaped there', async () => {
    const quoted = [...password].map((c) => `&#${c.codePointAt(0)};`).join('');
    const body = `<html><title>Login failed</title><p>${password}</p><p>${quoted}</p></html>`;
    const title = { status: 401, body: `<title>Not valid: ${password}</title>` };
    const runs = [...(await logInEachWay({ status: 401, body })), await logIn(title, ['--json'])];
    for (const { text } of runs) {
      expect(text).toMatch(/Login failed|Not valid: \[redacted\]/);
      for (const part of [...readable, '&#']) expect(text).not.toContain(part);
    }
  });
});

it('the editor gets neither the token nor where it is, and all else', async () => {
  const folder = temporaryFolder();
  const [log, editor, tokenFile] = ['variables', 'editor', 'token'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  writeFileSync(editor, `#!/bin/sh\nenv > ${log}\n`, { mode: 0o755 });
  writeFileSync(tokenFile, token);
  const { env: service } = await assetService('{"_id":"a-1","name":"x"}');
  const tokens = { MAR_TOKEN: token, MAR_TOKEN_FILE: tokenFile };
  const own = { ...service, EDITOR: editor, MAR_EMAIL: email, MAR_PROFILE: '', ...tokens };
  await marOk(['asset', 'edit', 'a-1'], { env: { PATH: process.env.PATH ?? '', ...own } });
  const given = readFileSync(log, 'utf8');
  expect(given).not.toMatch(/MAR_TOKEN/);
  expect(leaks(given)).toEqual([]);
  expect(given).toContain(`MAR_BASE_URL=${service.MAR_BASE_URL}`);
  expect(given).toContain('PATH=');
});

describe('a token file', () => {
  async function home(mode: number, configFolder = 'config') {
    const server = await recordingServer('[]');
    const env = { MAR_CONFIG_DIR: path.join(temporaryFolder(), configFolder) };
    const file = path.join(env.MAR_CONFIG_DIR, 'tokens.json');
    const profile = { baseUrl: server.baseUrl, email, store: 'file' };
    const tokens = { [`${email} ${new URL(server.baseUrl).origin}`]: token };
    writeProfiles(env.MAR_CONFIG_DIR, { default: profile }, tokens);
    chmodSync(file, mode);
    return { env, file, server };
  }
  const list = ['user', 'list', '--all'];

  it.each([0o644, 0o640, 0o604, 0o660, 0o620])(
    'with mode %o is used with one warning',
    async (mode) => {
      const { env, file, server } = await home(mode);
      const { stderr } = await marOk(list, { env });
      expect(server.requests.length).toBeGreaterThan(0);
      expect(stderr.split('\n').filter((line) => line.includes(file))).toHaveLength(1);
      expect(stderr).toContain(`chmod 600 ${file}`);
    },
  );

  it('in a folder with an odd name is named so that the command can be pasted', async () => {
    const { env, file } = await home(0o644, 'my; touch x');
    for (const argv of [list, ['doctor']]) {
      const { stdout, stderr } = await mar(argv, { env });
      expect(stdout + stderr).toContain(`chmod 600 '${file}'`);
    }
  });

  it.each([0o600, 0o400])('with mode %o is used without a word', async (mode) => {
    const { env } = await home(mode);
    expect((await marOk(list, { env })).stderr).not.toContain('chmod');
  });

  it('that others can read is reported by doctor, and private again after a login', async () => {
    const { env, file, server } = await home(0o644);
    const { checks } = JSON.parse((await mar(['doctor', '--json'], { env })).stdout);
    const found = checks.find(({ name }: { name: string }) => name === 'Token');
    expect(found.state).toBe('warning');
    expect(`${found.message} ${found.hint}`).toMatch(/others? .*read/i);
    expect(found.hint).toContain(`chmod 600 ${file}`);
    const argv = ['login', '--token-stdin', '--insecure-storage', '--email', email, '--replace'];
    await marOk([...argv, '--base-url', server.baseUrl], { env, stdin: token });
    expect((await mar(['whoami', '--check'], { env })).stderr).not.toContain('chmod');
  });
});
