import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './mar.ts';
import { powershellWords } from './powershell.ts';
import { cleanEnvironment, logInTo, program, startSandboxProgram } from './program.ts';

export const root = new URL('../..', import.meta.url);
export const readPage = (page: string) => readFileSync(new URL(page, root), 'utf8');

/** Lines that cannot run here unchanged, and the tests that cover them. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^(npm|git) /, 'installs and builds: system/install.test.ts installs the package'],
  [
    /^mar sandbox\b/,
    'every test here has one running: commands/sandbox.test.ts and e2e/sandbox.test.ts',
  ],
  [/\bmar login\b/, 'asks for a password: system/login.test.ts types it'],
  [/^mar asset put a-1002 --set name=Mine$/, 'exits with 6: records/guard.test.ts has a colleague'],
  [/^mar batch resolve/, 'needs unknown rows: batch/command.test.ts makes some'],
];

/** The files that the commands name. */
const files = {
  'request.yaml':
    'asset: a-1001\nlanguage: nld\nterritory: NLD\nuses: {items: [online]}\nreason: to be removed\n',
  'draft.yaml': 'asset: a-1001\nlanguage: pol\nterritory: POL\nuses: {items: [online]}\n',
  'preview.yaml': '_id: pv-1001-1\nasset: a-1001\nlabel: Final cut\n',
  'trailer_fra.mov': 'not a film',
  'trailer.mp4': 'not a film',
  'requests.csv':
    'asset,language,territory,uses.items\na-1001,swe,SWE,online\na-1001,dan,DNK,online\n',
  'languages.csv': 'language,territory\ndeu,DEU\nita,ITA\n',
  'invalid.csv':
    'asset,language,uses.items,auto\na-1001,Frnch,online,\na-1001,deu,online,perhaps\na-1001,jpn,online,true\n',
  'duplicates.csv': 'asset,language,auto\na-1001,fra,yes\na-1001,deu,yes\na-1001,fra,yes\n',
  'plan.csv': 'Title,Language,Uses,Notes,Budget\na-1001,Finnish,online,Two lines,100\n',
  'ids.txt': 'wr-2003\n',
  'asset-ids.txt': 'a-1001\na-1002\n',
  'edited.csv': '_id,name,usage.online\na-1001,New name,\na-1002,,false\n',
  'notes.txt': 'Two lines at most.\n',
};

interface Block {
  commands: string[];
  /** The error that the page shows for the last command. */
  error?: string;
}

const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** A pipeline of PowerShell for a shell that can run here, with the words that PowerShell would pass. */
const fromPowershell = (line: string) =>
  line
    .split(' | ')
    .map((command) => powershellWords(command).map(quote).join(' '))
    .join(' | ');

/** The blocks of code: all of their lines, or those behind a prompt. Of PowerShell, what runs mar. */
function blocksOf(page: string): Block[] {
  return [...readPage(page).matchAll(/^```(sh|console|powershell)\n([\s\S]*?)^```$/gm)].map(
    ([, kind, code = '']) => {
      const lines = code.trimEnd().split('\n');
      if (kind === 'powershell') {
        const ours = lines.filter((line) => /^mar (?!completion|sandbox)/.test(line));
        return { commands: ours.map(fromPowershell) };
      }
      if (kind === 'sh') return { commands: lines };
      const prompts = lines.filter((one) => one.startsWith('$ ')).map((one) => one.slice(2));
      const error = lines.findIndex((one) => one.startsWith('error: '));
      return error < 0
        ? { commands: prompts }
        : { commands: prompts, error: lines.slice(error).join('\n') };
    },
  );
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
  const sandbox = await startSandboxProgram(['--ephemeral'], env);
  const login = async () => {
    for (const profile of ['default', 'staging', 'sandbox']) {
      await logInTo(sandbox, env, ['--profile', profile]);
    }
  };
  return { folder, env, login };
}

export const docPages = readdirSync(new URL('docs', root))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

/** Instructions for agents, whose commands must work too. */
export const skillPage = 'skills/mar/SKILL.md';

/** Runs the blocks of code on the pages, in a shell, with a sandbox. */
export function testCommandsOf(pages: readonly string[]): void {
  // The other pages have no commands, are generated, or run in library.test.ts.
  const tested = pages.filter(
    (page) => !/(commands|library)\.md$/.test(page) && blocksOf(page).length > 0,
  );
  describe.each(tested)('the commands in %s', (page) => {
    it('work as they are written, and fail as they are shown', async () => {
      const { folder, env, login } = await place();
      const run = (script: string) =>
        spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
          cwd: folder,
          env,
          timeout: 120_000,
          encoding: 'utf8',
        });
      let isLoggedIn = false;
      for (const { commands, error } of blocksOf(page)) {
        const here = commands.filter((command) => !elsewhere.some(([form]) => form.test(command)));
        if (here.length === 0) continue;
        if (!isLoggedIn) await login();
        const script = here.join('\n');
        // Each login is a process: only after what may have ended one.
        isLoggedIn = !/\b(logout|profile|config)\b/.test(script);
        const { status, stderr } = run(script);
        if (error === undefined) {
          expect(status, `${script}\n${stderr}`).toBe(0);
        } else {
          expect(stderr, script).toContain(`${error}\n`);
          expect(status).not.toBe(0);
        }
      }
    }, 240_000);
  });
}
