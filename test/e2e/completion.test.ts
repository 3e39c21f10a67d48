import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { command } from '../../src/core/commands/completion.ts';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, program } from '../harness/program.ts';

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
