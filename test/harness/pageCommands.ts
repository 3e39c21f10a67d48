import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './mar.ts';
import { powershellWords } from './powershell.ts';
import { cleanEnvironment, logInTo, program, runProgram, startSandboxProgram } from './program.ts';

export const root = new URL('../..', import.meta.url);
export const readPage = (page: string) => readFileSync(new URL(page, root), 'utf8');

/** Lines that cannot run here unchanged, and the tests that cover them. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^(npm|git) /, 'installs and builds: system/install.test.ts installs the package'],
  [
    /^mar sandbox (?!--background --login|set|status|export)/,
    'would stop or replace the sandbox of the test: modules/sandbox/commands and e2e/sandbox.test.ts',
  ],
  [/\bmar login\b/, 'asks for a password: system/login.test.ts types it'],
  [/^mar batch undo(?!.*--(dry-run|yes))/, 'asks: system/batchTerminal.test.ts answers'],
  [/^mar undo \d/, 'needs a number of the log: core/commands/log.test.ts has some'],
  [/^mar batch resolve/, 'needs unknown rows: modules/batch/command.test.ts makes some'],
];

/** The files that the commands name. */
const files = {
  'draft.yaml': 'asset: a-1001\nlanguage: pol\nterritory: POL\nuses: {items: [online]}\n',
  'trailer.mp4': 'not a film',
  'requests.csv':
    'asset,language,territory,uses.items\na-1001,swe,SWE,online\na-1001,dan,DNK,online\n',
  'languages.csv': 'language,territory\ndeu,DEU\nita,ITA\n',
  'invalid.csv':
    'asset,language,uses.items,auto\na-1001,Frnch,online,\na-1001,deu,online,perhaps\na-1001,jpn,online,true\n',
  'plan.csv': 'Title,Language,Uses,Notes,Budget\na-1001,Finnish,online,Two lines,100\n',
  'ids.txt': 'wr-2003\n',
  'asset-ids.txt': 'a-1001\na-1002\n',
  'edited.csv': '_id,name,usage.online\na-1001,New name,\na-1002,,false\n',
  'notes.txt': 'Two lines at most.\n',
};

interface Step {
  script: string;
  /** The lines that the page shows below the command. */
  shown: string[];
}

const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** A pipeline of PowerShell for a shell that can run here, with the words that PowerShell would pass. */
const fromPowershell = (line: string) =>
  line
    .split(' | ')
    .map((command) => powershellWords(command).map(quote).join(' '))
    .join(' | ');

/** The blocks of code, without what cannot run here: a whole script, or each command with what it prints. */
function stepsOf(page: string): Step[] {
  const blocks = readPage(page).matchAll(/^```(sh|console|powershell)\n([\s\S]*?)^```$/gm);
  const runs = (line: string) => !elsewhere.some(([form]) => form.test(line));
  return [...blocks].flatMap(([, kind, code = '']) => {
    if (kind === 'console') {
      return code
        .trimEnd()
        .split(/^\$ /m)
        .slice(1)
        .map((step) => step.trimEnd().split('\n'))
        .filter(([line = '']) => runs(line))
        .map(([script = '', ...shown]) => ({ script, shown }));
    }
    const lines = code.trimEnd().split('\n');
    const ours = lines.filter((line) => /^mar (?!completion|sandbox)/.test(line));
    const run = kind === 'powershell' ? ours.map(fromPowershell) : lines.filter(runs);
    const script = run.join('\n');
    return script ? [{ script, shown: [] }] : [];
  });
}

/** A terminal without colours. Other systems have another `script`. */
const inTerminal = (script: string) =>
  process.platform === 'linux'
    ? `script --quiet --return --command ${quote(`stty cols 100 rows 100; ${script}`)} /dev/null`
    : script;

/** New ids, ports, times and dates are different in each run. */
const comparable = (text: string) =>
  text
    .replace(/\b[0-9a-f]{24}\b/g, 'ID')
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/\b\d{13}\b/g, 'TIME')
    .replace(/\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d\b/g, 'DATE')
    .replace(/\b\d{1,2} [A-Z][a-z]{2} \d\d:\d\d\b/g, 'DAY');

/** Expects the lines of a page. A line that is only `…` stands for any others. */
function expectShown(output: string, { script, shown }: Step): void {
  const lines = comparable(output).split(/[ \r]*\n/);
  const wanted = comparable(shown.join('\n')).split('\n');
  const pattern = wanted.map((line) =>
    line === '…' ? '(?:.*\n)*?' : `${line.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\n`,
  );
  const isShown = new RegExp(`^${pattern.join('')}$`).test(lines.join('\n'));
  // The lines are easier to compare than a pattern.
  if (!isShown)
    expect(`$ ${script}\n${lines.join('\n')}`).toBe(`$ ${script}\n${wanted.join('\n')}\n`);
}

/** A folder with the files, where `mar` is on the PATH. */
async function place() {
  const folder = temporaryFolder();
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  const script = `#!/bin/sh\nexec ${program.map(quote).join(' ')} "$@"\n`;
  writeFileSync(path.join(bin, 'mar'), script, { mode: 0o755 });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  // An editor in which nothing is changed, a browser that shows nothing, and a plain terminal.
  const quiet = { VISUAL: 'true', BROWSER: 'true', PAGER: 'cat' };
  const terminal = {
    TERM: 'dumb',
    SHELL: '/bin/sh',
    TZ: 'UTC',
    PATH: `${bin}:${process.env.PATH}`,
  };
  const env = cleanEnvironment(folder, { ...quiet, ...terminal });
  const sandbox = await startSandboxProgram([], env);
  const login = async () => {
    // It follows the work requests of the demo data, and its token needs no warning.
    await runProgram(['sandbox', '--background', '--login'], env);
    await logInTo(sandbox, env, ['--profile', 'staging']);
    await runProgram(['profile', 'use', 'sandbox'], env);
  };
  return { folder, env, login };
}

export const docPages = readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name.replaceAll('\\', '/')}`);

/** Instructions for agents, whose commands must work too. */
export const skillPage = 'skills/mar/SKILL.md';

/** Runs the blocks of code on the pages, in a shell, with a sandbox. */
export function testCommandsOf(pages: readonly string[]): void {
  // The other pages have no commands, or are generated.
  const tested = pages.filter((page) => !page.endsWith('commands.md') && stepsOf(page).length > 0);
  describe.each(tested)('the commands in %s', (page) => {
    it('work as they are written, and print what is shown', async () => {
      const { folder, env, login } = await place();
      let isLoggedIn = false;
      for (const step of stepsOf(page)) {
        if (!isLoggedIn) await login();
        const { script, shown } = step;
        // Each login is a process: only after what may have ended one.
        isLoggedIn = !/\b(logout|profile|config)\b/.test(script);
        const line = shown.length > 0 ? inTerminal(script) : script;
        const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', line], {
          cwd: folder,
          env,
          timeout: 240_000,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        const isFailure = shown.some((text) => text.startsWith('error: '));
        if (isFailure) expect(status, script).not.toBe(0);
        else expect(status, `${script}\n${stdout}${stderr}`).toBe(0);
        if (shown.length > 0 && line !== script) expectShown(stdout, step);
      }
      // A page is dozens of programs, one after the other.
    }, 900_000);
  });
}
