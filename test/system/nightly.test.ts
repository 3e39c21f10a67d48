import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { program, runProgram } from '../harness/program.ts';
import { loggedInSandbox } from '../harness/service.ts';

/** The `crontab` of the page: its variables, and the command of its line. */
function crontab() {
  const page = readFileSync(new URL('../../docs/desk/today.md', import.meta.url), 'utf8');
  const [, block = ''] = /^```text\n(PATH=[\s\S]*?)^```$/m.exec(page) ?? [];
  const lines = block.trim().split('\n');
  const variables = lines.flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? []);
  const [, command = ''] = /^(?:\S+ ){5} *(.*)$/.exec(lines.at(-1) ?? '') ?? [];
  return { variables, command };
}

/** A server with an empty home, no keychain and no session, on which cron runs the line. */
async function server(baseUrl: string, token: string, team: string) {
  const folder = temporaryFolder();
  const [home, bin, desk] = ['home', 'bin', 'desk'].map((name) => path.join(folder, name));
  for (const one of [home, bin, desk]) mkdirSync(one as string);
  const mar = program.map((part) => `'${part}'`).join(' ');
  const script = (name: string, text: string) =>
    writeFileSync(`${bin}/${name}`, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  script('mar', `exec ${mar} "$@"`);
  script('mail', `{ echo "$*"; cat; } > '${desk}/mailed'`);
  writeFileSync(`${folder}/token`, token, { mode: 0o600 });
  writeFileSync(`${desk}/team.txt`, team);
  const { variables, command } = crontab();
  const values: Record<string, string> = {
    PATH: `${bin}:/usr/bin:/bin`,
    MAR_BASE_URL: baseUrl,
    MAR_EMAIL: 'ines@northlight.example',
    MAR_TOKEN_FILE: `${folder}/token`,
  };
  const own = variables.map((name) => [name, values[name]]);
  expect(variables).toEqual(Object.keys(values));
  // Nothing else: this is what cron gives a job.
  const env = { HOME: home, LOGNAME: 'desk', SHELL: '/bin/sh', ...Object.fromEntries(own) };
  const line = command.replace('/srv/desk', `${desk}`);
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) =>
    execFile('/bin/sh', ['-c', line], { env }, (_, stdout, stderr) => resolve({ stdout, stderr })),
  );
  let mailed = '';
  try {
    mailed = readFileSync(`${desk}/mailed`, 'utf8');
  } catch {
    // No mail.
  }
  return { stdout, stderr, mailed };
}

it('the nightly job of docs/desk/today.md mails what became late, on a server with an empty home', async () => {
  const { env, sandbox } = await loggedInSandbox();
  const { baseUrl, email, password } = sandbox;
  const authorization = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;
  const login = await fetch(`${baseUrl}/session`, { headers: { authorization } });
  const { token } = (await login.json()) as { token: string };
  const due = Date.now() - 2 * 60 * 60 * 1000;
  const change = ['sandbox', 'set', 'wr-2001', `due.date=${due}`, '--skip-checks'];
  const changed = await runProgram([...change, '--data', sandbox.dataDir], env);
  expect(changed.code, changed.stderr).toBe(0);

  const night = await server(baseUrl, token, 'wr-2001\nwr-2005\n');
  expect(night.mailed).toMatch(
    /^-s Became late desk@studio\.example\nMarc Dubois <marc@sous-titres\.example>: 1 work request\n\n- wr-2001, /,
  );
  expect(night.mailed).not.toContain('wr-2005');
  const quiet = await server(baseUrl, token, 'wr-2005\n');
  expect(quiet).toEqual({ stdout: '', stderr: '', mailed: '' });
  const nothing = await server(baseUrl, token, '\n');
  expect(nothing).toMatchObject({ stdout: '', mailed: '' });
  expect(nothing.stderr).toMatch(/^error: /);
});
