import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeService, storedLogin } from '../harness/fakeService.ts';
import { mar, temporaryFolder } from '../harness/mar.ts';
import { writeProfiles } from '../harness/storedAccount.ts';

/*
 * Whoever reads a hint pastes its command line into a shell. So each one that the program prints is
 * pasted here, up to every one of its characters, where functions record being run.
 */

/** Pastes each line up to the end of each word and up to each other character, as it may be marked. */
const pasteAll = `
mar() { printf '%s\\0' "$@" >> calls; printf '\\n' >> calls; }
touch() { : > other-ran; }
for line; do
  for ((n = 1; n <= \${#line}; n++)); do
    [[ \${line:n-1:2} == [[:alnum:]][[:alnum:]] ]] || (eval "\${line:0:n}") < /dev/null
  done
done
true`;

/** Runs what was printed in a shell: what `mar` was called with, and whether anything else ran. */
function paste(output: string): { commands: string[][]; hasRunOther: boolean } {
  const folder = temporaryFolder();
  const lines = output.split('\n').flatMap((line) => /\bmar [^\n]*/.exec(line)?.[0] ?? []);
  const options = { cwd: folder, env: { PATH: '' }, stdio: 'ignore' } as const;
  execFileSync('/bin/bash', ['-c', pasteAll, 'bash', ...lines], options);
  const calls = path.join(folder, 'calls');
  const text = existsSync(calls) ? readFileSync(calls, 'utf8') : '';
  const commands = text.split('\n').map((line) => line.split('\0').slice(0, -1));
  return { commands, hasRunOther: existsSync(path.join(folder, 'other-ran')) };
}

const hostile = [
  ';touch$IFS',
  ';touch$IFS$9x;',
  '$(touch$IFS)',
  '`touch`',
  '|touch',
  '&touch&',
  ' ; touch x',
  "';touch;'",
  '";touch;"',
  "\\';touch;",
  '\ntouch x',
  '\u2019;touch;',
];

/** An environment with a profile that is logged in. */
function withProfile(name: string, baseUrl: string) {
  const env = { MAR_CONFIG_DIR: temporaryFolder() };
  const email = 'ines@northlight.example';
  const tokens = { [`${email} ${new URL(baseUrl).origin}`]: 's3cret' };
  writeProfiles(env.MAR_CONFIG_DIR, { [name]: { baseUrl, email, store: 'file' } }, tokens);
  return env;
}

it('notices a command line that runs something else', () => {
  expect(paste('try: mar login --base-url https://svc/x;touch$IFS').hasRunOther).toBe(true);
  expect(paste('try: mar wr get a$(touch) --json').hasRunOther).toBe(true);
  expect(paste("try: mar wr get 'a;touch'")).toEqual({
    commands: expect.arrayContaining([['wr', 'get', 'a;touch']]),
    hasRunOther: false,
  });
});

describe('a command line that is printed runs nothing but mar', () => {
  it.each(hostile)('for a base URL with %j that the token is not for', async (text) => {
    const env = withProfile('main', 'https://media.example/api');
    const argv = ['asset', 'get', 'a1', '--base-url', `https://svc${text}/api`];
    const { code, stderr } = await mar(argv, { env });
    expect(code).not.toBe(0);
    expect(paste(stderr).hasRunOther, stderr).toBe(false);
  });

  it.each(hostile)('for a profile named with %j', async (text) => {
    const { baseUrl } = await fakeService(() => 401);
    const name = `staging${text}`;
    const runs = [
      await mar(['whoami'], { env: { MAR_PROFILE: name } }),
      await mar(['config', 'set', 'token-file', '/token', '--profile', name]),
      await mar(['asset', 'get', 'a1'], { env: withProfile(name, baseUrl) }),
    ];
    for (const { code, stderr } of runs) {
      expect(code).not.toBe(0);
      expect(stderr).toContain('mar login');
      expect(paste(stderr).hasRunOther, stderr).toBe(false);
    }
  });

  it.each(hostile.filter((text) => !text.includes('\n')))('for an id with %j', async (text) => {
    const id = `a${text}`;
    const record = (name: string) => JSON.stringify({ _id: id, workRequest: id, name });
    let reads = 0;
    const { baseUrl } = await fakeService(({ method }) => {
      reads += 1;
      return { status: method === 'GET' ? 200 : 500, body: record(`state ${reads}`) };
    });
    const env = storedLogin(baseUrl);
    const run = (argv: string[], stdin = '') => mar(argv, { env, stdin });
    await run(['asset', 'get', id]);
    const runs = [
      await run(['asset', 'put', id, '--set', 'name=Mine']),
      await run(['asset', 'put', '-f', '-', '--force'], record('mine')),
      await run(['translation', 'check', id]),
      await run(['translation', 'submit', '-f', '-'], record('mine')),
      await run(['user', 'put', id, '-f', '-'], '{"_id":"other"}'),
    ];
    for (const { code, stderr } of runs) {
      expect(code).not.toBe(0);
      // A flag to add to the line is pasted as well.
      const flags = stderr.replaceAll(' --set-string', '\nmar --set-string');
      expect(paste(`${stderr}\n${flags}`).hasRunOther, stderr).toBe(false);
    }
  });
});

describe('a command line that is printed is right', () => {
  it('for an id with a blank', async () => {
    const { env } = await fakeService(() => '{"_id":"wr 1"}');
    const { stderr } = await mar(['translation', 'check', 'wr 1'], { env });
    expect(paste(stderr).commands).toContainEqual(['wr', 'get', 'wr 1', '--json']);
  });
});
