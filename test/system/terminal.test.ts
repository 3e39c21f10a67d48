import { execFileSync } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import {
  cleanEnvironment,
  programPath,
  runProgram,
  startSandboxProgram,
} from '../harness/program.ts';

/** A real terminal, run by tmux, in which `mar` is logged in to a sandbox. */
async function openTerminal(width: number) {
  const folder = temporaryFolder();
  const env = cleanEnvironment(folder, { TMPDIR: folder });
  const sandbox = await startSandboxProgram(['--ephemeral'], env);
  const login = ['login', '--base-url', sandbox.baseUrl, '--email', sandbox.email];
  const flags = ['--password-stdin', '--insecure-storage'];
  await runProgram([...login, ...flags], env, sandbox.password);

  const socket = `mar-test-${process.pid}-${width}`;
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { env, encoding: 'utf8' });
  tmux('new-session', '-d', '-x', String(width), '-y', '50', 'env PS1="$ " sh');
  onTestFinished(() => {
    tmux('kill-server');
  });
  return {
    /** Types a command line and waits for what it leaves on the screen. */
    run(line: string): string {
      const done = `done-${Math.random().toString(36).slice(2)}`;
      tmux(
        'send-keys',
        `clear; ${process.execPath} ${programPath} ${line}; tmux -L ${socket} wait-for -S ${done}`,
        'Enter',
      );
      tmux('wait-for', done);
      const screen = tmux('capture-pane', '-p');
      return screen
        .split('\n')
        .map((row) => row.trimEnd())
        .filter((row) => row !== '' && row !== '$')
        .join('\n');
    },
  };
}

describe('in a terminal', () => {
  it.each([80, 120, 200])(
    'of %i columns a row takes one line, whatever is in it',
    async (width) => {
      const terminal = await openTerminal(width);
      const rows = terminal.run('asset get a-1001 a-1002 a-1006 a-1007').split('\n');
      const starts = rows.map((row) => row.split(' ')[0]);
      expect(starts).toEqual(['ID', 'a-1001', 'a-1002', 'a-1006', 'a-1007']);
    },
  );

  it('of 40 columns rows become small cards', async () => {
    const terminal = await openTerminal(40);
    const rows = terminal.run('asset get a-1001 a-1002').split('\n');
    expect(rows.filter((row) => /^(Id|Name|Phase) /.test(row))).toHaveLength(6);
  });

  it('shows a work request as a card', async () => {
    const terminal = await openTerminal(100);
    const screen = terminal.run('wr get wr-2001');
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
    const mar = `${process.execPath} ${programPath}`;
    shell(
      `echo ${password} | ${mar} login --base-url ${baseUrl} --email ${email} --password-stdin --insecure-storage --json | jq -e .email`,
    );
    const id = shell(`${mar} wr create --set asset=a-1001 --set language=fra --json | jq -r ._id`);
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
