import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, runProgram } from '../harness/program.ts';

test.each([
  ['bash', 'mar.bash'],
  ['zsh', '_mar'],
  ['fish', 'mar.fish'],
  ['powershell', 'mar.ps1'],
])('the built program prints the completion script for %s', async (shell, file) => {
  const script = readFileSync(new URL(`../../completions/${file}`, import.meta.url), 'utf8');
  const run = await runProgram(['completion', shell], cleanEnvironment(temporaryFolder()));
  expect(run).toEqual({ code: 0, stdout: script, stderr: '' });
});
