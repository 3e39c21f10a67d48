import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, program, startSandboxProgram } from '../harness/program.ts';
import { loggedInSandbox } from '../harness/service.ts';
import { openTerminal } from '../harness/terminal.ts';

it.each([
  [120, ['ID', 'a-1001', 'a-1002', 'a-1006']],
  // A value that goes on has no label.
  [20, ['Id', 'Name', '', 'Type', 'Usage', 'Phase', 'Created']],
])(
  'in a terminal of %i columns a list is a table or small cards, and no line wraps',
  async (width, starts) => {
    const { env } = await loggedInSandbox();
    const terminal = openTerminal(env, { width, height: 80 });
    const screen = terminal.run('mar asset get a-1001 a-1002 a-1006 --no-pager');
    const rows = screen.split('\n').filter((row) => row !== '' && row !== '$');
    expect([...new Set(rows.map((row) => row.split(' ')[0]))]).toEqual(starts);
  },
);

it('in a pipeline every form of JSON is read by jq', async () => {
  const folder = temporaryFolder();
  const env = cleanEnvironment(folder, { TMPDIR: folder });
  const { baseUrl, email, password } = await startSandboxProgram(['--ephemeral'], env);
  const shell = (line: string) =>
    execFileSync('bash', ['-o', 'pipefail', '-c', line], { env, encoding: 'utf8' }).trim();
  const mar = program.join(' ');
  const account = `--base-url ${baseUrl} --email ${email} --password-stdin --insecure-storage`;
  shell(`echo ${password} | ${mar} login ${account} --json | jq -e .email`);
  const create = 'wr create --set asset=a-1001 --set language=fra --use online --json';
  const id = shell(`${mar} ${create} | jq -r ._id`);
  for (const [line, printed] of [
    [`wr get ${id} --json | jq -r .asset._id`, 'a-1001'],
    ['downloads list --all --jsonl | jq -s length', '2600'],
    ['downloads list --all --json | jq length', '2600'],
    ['downloads list --all | head -1 | wc -l', '1'],
    ["user list --json | jq -r '[.[].password] | unique[]'", '[redacted]'],
    ['whoami --json | jq -r .email', email],
    ['logout --json | jq .revoked', 'true'],
  ]) {
    expect(shell(`${mar} ${line}`), line).toBe(printed);
  }
});
