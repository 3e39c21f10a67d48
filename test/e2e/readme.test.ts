import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, program, runProgram, startSandboxProgram } from '../harness/program.ts';

/** Lines that cannot be run here unchanged, and where they are. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^npm /, 'installs and builds: the tests of the installed program'],
  [/^mar sandbox$/, 'runs until it is stopped: every test here has one running'],
  [/^mar login/, 'asks in a terminal: the system tests type the answers'],
  [
    /^mar asset put a-1002 --set name=Mine$/,
    'ends with 6: the tests of writing have somebody else',
  ],
  [/ --resolve/, 'needs rows that are unknown: the tests of batches make some'],
  [/<Tab>/, 'a key: the system tests press it'],
];

/** The files that the commands name. */
const files = {
  'request.yaml': 'asset: a-1001\nlanguage: fra\nterritory: FRA\nreason: to be removed\n',
  'preview.yaml': '_id: pv-1001-1\nasset: a-1001\nlabel: Final cut\n',
  'trailer_fra.mov': 'not a film',
  'requests.csv': 'asset,language,territory\na-1001,fra,FRA\na-1001,deu,DEU\n',
  'ids.txt': 'wr-2003\n',
  'notes.txt': 'Two lines at most.\n',
};

/** The commands of each block of code: all of its lines, or those behind a prompt. */
function blocksOf(page: string): string[][] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^```(sh|console)\n([\s\S]*?)^```$/gm)].map(([, kind, code = '']) => {
    const lines = code.trimEnd().split('\n');
    const prompts = lines.filter((one) => one.startsWith('$ ')).map((one) => one.slice(2));
    return kind === 'console' ? prompts : lines;
  });
}

/** A folder with the files, where `mar` is on the PATH. */
async function place(): Promise<{
  folder: string;
  env: NodeJS.ProcessEnv;
  login(): Promise<void>;
}> {
  const folder = temporaryFolder();
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(
    path.join(bin, 'mar'),
    `#!/bin/sh\nexec ${program.map((part) => `'${part}'`).join(' ')} "$@"\n`,
    {
      mode: 0o755,
    },
  );
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  // An editor in which nothing is changed, and a browser that shows nothing.
  const quiet = { VISUAL: 'true', BROWSER: 'true' };
  const env = cleanEnvironment(folder, { PATH: `${bin}:${process.env.PATH}`, ...quiet });
  const { baseUrl, email, password } = await startSandboxProgram(['--ephemeral'], env);
  const login = async () => {
    for (const profile of ['default', 'staging']) {
      const account = ['--profile', profile, '--base-url', baseUrl, '--email', email];
      const flags = ['--password-stdin', '--insecure-storage'];
      const { code, stderr } = await runProgram(['login', ...account, ...flags], env, password);
      expect(code, stderr).toBe(0);
    }
  };
  return { folder, env, login };
}

const pages = [
  'README.md',
  'docs/scripting.md',
  'docs/writing.md',
  'docs/batches.md',
  'docs/subtitles.md',
  'docs/sandbox.md',
  'docs/schema.md',
];

describe.each(pages)('the commands in %s', (page) => {
  it('work as they are written', async () => {
    const { folder, env, login } = await place();
    const run = (script: string) =>
      execFileSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
        cwd: folder,
        env,
        timeout: 120_000,
        stdio: 'pipe',
      });
    let count = 0;
    for (const commands of blocksOf(page)) {
      const here = commands.filter((command) => !elsewhere.some(([form]) => form.test(command)));
      if (here.length === 0) continue;
      await login();
      expect(() => run(here.join('\n')), here.join('\n')).not.toThrow();
      count += here.length;
    }
    expect(count).toBeGreaterThan(0);
  }, 240_000);
});
