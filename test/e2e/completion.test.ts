import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { command } from '../../src/commands/completion.ts';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, program, runProgram } from '../harness/program.ts';
import { isolated } from '../harness/service.ts';

test.each([
  ['bash', 'mar.bash'],
  ['zsh', '_mar'],
  ['fish', 'mar.fish'],
  ['powershell', 'mar.ps1'],
])('the built program prints the completion script for %s', async (shell, file) => {
  const script = readFileSync(new URL(`../../completions/${file}`, import.meta.url), 'utf8');
  const run = await runProgram(['completion', shell], isolated());
  expect(run).toEqual({ code: 0, stdout: script, stderr: '' });
});

const installers = Object.values(command.examples).flatMap((line) => {
  const file = / > ~\/(\S+)/.exec(line)?.[1];
  return file === undefined ? [] : [[line, file] as const];
});

test.each(installers)('in a new home, %s installs the script', (line, file) => {
  const home = temporaryFolder();
  const script = line.replace('mar completion', '"$@" completion');
  execFileSync('sh', ['-c', script, 'sh', ...program], { env: cleanEnvironment(home) });
  expect(readFileSync(`${home}/${file}`, 'utf8')).toContain('Completion of mar for');
});
