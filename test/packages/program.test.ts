import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runProgram, startSandboxProgram } from '../harness/program.ts';
import { artefact, minimalRoot, version } from './release.ts';

test('the one-file program runs on a system that has libc and libstdc++ only', async () => {
  // libstdc++ itself needs libgcc.
  const root = minimalRoot(['libc6', 'libstdc++6', 'libgcc-s1']);
  copyFileSync(artefact('program'), path.join(root, 'mar'));
  const program = ['chroot', root, '/mar'] as const;
  const env = { PATH: process.env.PATH, HOME: '/home' };
  expect(await runProgram(['--version'], env, '', program)).toEqual({
    code: 0,
    stdout: `${version}\n`,
    stderr: '',
  });
  const { baseUrl, email, password } = await startSandboxProgram(['--ephemeral'], env, program);
  const flags = ['--password-stdin', '--insecure-storage'];
  const login = ['login', '--base-url', baseUrl, '--email', email, ...flags];
  expect(await runProgram(login, env, password, program)).toMatchObject({ code: 0 });
  const get = ['asset', 'get', 'a-1001', '--jq', '._id'];
  const got = await runProgram(get, env, '', program);
  expect(got).toMatchObject({ code: 0, stdout: 'a-1001\n' });
});
