import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, program, startSandboxProgram } from '../harness/program.ts';
import { loggedInSandbox } from '../harness/service.ts';
import { openTerminal } from '../harness/terminal.ts';

/** A terminal in which `mar` is logged in to a sandbox. */
async function loggedInTerminal(width: number): Promise<(line: string) => string[]> {
  const { env } = await loggedInSandbox();
  const terminal = openTerminal(env, { width, height: 80 });
  return (line) =>
    terminal
      .run(line)
      .split('\n')
      .filter((row) => row !== '' && row !== '$');
}

describe('in a terminal', () => {
  it.each([80, 120, 200])(
    'of %i columns a row takes one line, whatever is in it',
    async (width) => {
      const run = await loggedInTerminal(width);
      const rows = run('mar asset get a-1001 a-1002 a-1006 a-1007');
      const starts = rows.map((row) => row.split(' ')[0]);
      expect(starts).toEqual(['ID', 'a-1001', 'a-1002', 'a-1006', 'a-1007']);
    },
  );

  it('of 20 columns rows become small cards', async () => {
    const run = await loggedInTerminal(20);
    const rows = run('mar asset get a-1001 a-1002 --no-pager');
    expect(rows.filter((row) => /^(Id|Name|Phase) /.test(row))).toHaveLength(6);
  });

  it('shows below a list that there is more of it', async () => {
    const run = await loggedInTerminal(120);
    const rows = run('mar downloads list');
    expect(rows[0]).toMatch(/^WHEN /);
    expect(rows.at(-1)).toContain('Showing 10 of 2,600 records.');
    const limited = run('clear; mar downloads list --limit 3');
    expect(limited.at(-1)).not.toContain('Showing');
  });

  it('shows a work request as a card', async () => {
    const run = await loggedInTerminal(100);
    const screen = run('mar wr get wr-2001').join('\n');
    expect(screen).toContain('Work request wr-2001');
    expect(screen).toContain('Due ');
    expect(screen).toContain('Materials');
  });
});

describe('in a pipeline', () => {
  it('every form of JSON is read by jq', async () => {
    const folder = temporaryFolder();
    const env = cleanEnvironment(folder, { TMPDIR: folder });
    const { baseUrl, email, password } = await startSandboxProgram(['--ephemeral'], env);
    const shell = (line: string) =>
      execFileSync('bash', ['-o', 'pipefail', '-c', line], { env, encoding: 'utf8' }).trim();
    const mar = program.join(' ');
    shell(
      `echo ${password} | ${mar} login --base-url ${baseUrl} --email ${email} --password-stdin --insecure-storage --json | jq -e .email`,
    );
    const id = shell(
      `${mar} wr create --set asset=a-1001 --set language=fra --use online --json | jq -r ._id`,
    );
    expect(shell(`${mar} wr get ${id} --json | jq -r .asset._id`)).toBe('a-1001');
    expect(shell(`${mar} downloads list --all --jsonl | jq -s length`)).toBe(
      shell(`${mar} downloads list --all --json | jq length`),
    );
    expect(shell(`${mar} downloads list --all | head -1 | wc -l`)).toBe('1');
    expect(shell(`${mar} user list --json | jq -r '[.[].password] | unique[]'`)).toBe('[redacted]');
    expect(shell(`${mar} whoami --json | jq -r .email`)).toBe(email);
    expect(shell(`${mar} logout --json | jq .revoked`)).toBe('true');
  });
});
