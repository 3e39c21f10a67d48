import { once } from 'node:events';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import {
  logInTo,
  program,
  type RunningSandbox,
  runProgram,
  startSandboxProgram,
} from '../harness/program.ts';
import { isolated } from '../harness/service.ts';

/** The program where no file may grow beyond so many kilobytes: like a disk that fills up. */
const withRoom = (kilobytes: number): [string, ...string[]] => [
  'bash',
  '-c',
  `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$0" "$@"`,
  ...program,
];

async function stop({ child }: RunningSandbox): Promise<number> {
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  return code;
}

it('a sandbox whose disk is full reports it, and works again once there is room', async () => {
  const env = isolated();
  const data = path.join(temporaryFolder(), 'data');
  await stop(await startSandboxProgram(['--data', data], env));
  const sandbox = await startSandboxProgram(['--data', data], env, withRoom(8 * 1024));
  let printed = '';
  sandbox.child.stderr.on('data', (text) => {
    printed += text;
  });
  await logInTo(sandbox, env);
  const create = (instructions: string) =>
    runProgram(
      ['wr', 'create', '--skip-checks', '-f', '-', '--json'],
      env,
      JSON.stringify({ instructions }),
    );

  const small = await create('small');
  expect(small.code, small.stderr).toBe(0);
  const { _id: id } = JSON.parse(small.stdout);
  const large = await create('x'.repeat(9_000_000));
  const { error } = JSON.parse(large.stderr);
  expect(error).toMatchObject({ status: 500, exitCode: 1 });

  const again = await create('small again');
  expect(again.code, again.stderr).toBe(0);
  const read = await runProgram(['wr', 'get', id, '--jq', '.instructions'], env);
  expect(read.stdout).toBe('small\n');
  expect(await stop(sandbox)).toBe(143);
  expect(printed).toMatch(/^\{"warning":\{"code":"sandbox","message":"sandbox: .*disk/);
});

it.each([0, 1, 64, 1024])(
  'a sandbox without room to start (%i kB) reports it',
  async (kilobytes) => {
    const data = path.join(temporaryFolder(), 'data');
    const run = await runProgram(['sandbox', '--data', data], isolated(), '', withRoom(kilobytes));
    expect(run.code, run.stderr).toBe(2);
    expect(run.stderr).toMatch(new RegExp(`^error: cannot .* ${data}`));
    expect(run.stderr).not.toContain('bug');
  },
);
