import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { marOk, temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, program } from '../harness/program.ts';
import { recordService } from '../harness/recordService.ts';
import { storedAccount, writeProfiles } from '../harness/storedAccount.ts';
import { openTerminal, type Terminal } from '../harness/terminal.ts';

const hostileName = 'Trailer\u001b[31m `touch pwned` $(touch pwned): "a" \\ 中文';

/** Ids used before, the most recent last. */
const used: [id: string, name: string][] = [
  ['a-1001', 'Harbor Trailer A'],
  ['a-1002', 'Harbor Trailer B'],
  // The same name, and the older one is the first in the alphabet.
  ['s-1', 'The same'],
  ['s-3', 'The same'],
  ['s-2', 'The same'],
  ['urn:asset:71', hostileName],
  ['urn:asset:72', 'Teaser'],
  ['urn:other:9', 'Poster'],
  ["my film's #1", 'Quoted'],
];

interface Shell {
  name: string;
  argv: readonly string[];
  /** Installed as the first lines of the script say. */
  setUp: string;
  /** How often Tab is pressed until everything is listed. */
  tabs: number;
}

const shells: Shell[] = [
  {
    name: 'bash',
    argv: ['env', 'PS1=$ ', 'bash', '--norc', '--noprofile'],
    setUp: 'source <(mar completion bash)',
    tabs: 2,
  },
  {
    name: 'zsh',
    argv: ['env', 'PS1=$ ', 'zsh', '-f'],
    setUp: 'autoload -U compinit && compinit -u && source <(mar completion zsh)',
    tabs: 1,
  },
  {
    name: 'fish',
    argv: ['fish', '--no-config', '--private'],
    setUp: "function fish_prompt; echo '$ '; end; mar completion fish | source",
    tabs: 1,
  },
];

/** A shell in which some ids have been used, in a folder with a few files. */
async function openShell({ argv, setUp }: Pick<Shell, 'argv' | 'setUp'>) {
  const folder = temporaryFolder();
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  const words = program.map((part) => `'${part}'`).join(' ');
  writeFileSync(path.join(bin, 'mar'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  mkdirSync(path.join(folder, 'film data'));
  writeFileSync(path.join(folder, 'film request.yaml'), '');
  const records = used.map(([id, name]) => [
    `/assets/${encodeURIComponent(id)}`,
    JSON.stringify({ _id: id, name }),
  ]);
  const service = await recordService(Object.fromEntries(records));
  const stored = storedAccount(folder, service.env.MAR_BASE_URL ?? '');
  const config = path.join(folder, 'config', 'config.json');
  const { profiles } = JSON.parse(readFileSync(config, 'utf8'));
  const staging = { baseUrl: 'https://staging.example/api', email: 'a@b' };
  writeProfiles(path.dirname(config), { ...profiles, staging });
  const env = cleanEnvironment(folder, {
    ...stored,
    PATH: `${bin}:${process.env.PATH}`,
    LANG: 'C.UTF-8',
    TERM: 'screen',
    // A shell that ends writes none into a folder that is being removed.
    HISTFILE: '/dev/null',
  });
  for (const [id] of used) await marOk(['asset', 'get', id, '--retries', '0'], { env });
  const terminal = openTerminal(env, { shell: argv, width: 120 });
  terminal.run(`cd ${folder}`);
  terminal.run(setUp);
  return { terminal, folder, service };
}

/** Types a line as far as it goes, presses Tab and waits for what is to come of it. */
async function tab(terminal: Terminal, line: string, expected: string, times = 1) {
  terminal.press('C-u');
  terminal.clear();
  for (const part of line.split(/(?= )/)) terminal.press('-l', part);
  for (let count = 0; count < times; count += 1) terminal.press('Tab');
  const screen = await terminal.until(expected);
  terminal.press('C-c');
  return screen;
}

describe.each(shells)('Tab in $name', ({ tabs, ...shell }) => {
  it('completes commands, flags, values, columns and files', async () => {
    const { terminal } = await openShell(shell);
    for (const [line, completed] of [
      ['mar ass', '$ mar asset'],
      ['mar asset workflow-', '$ mar asset workflow-notify'],
      ['mar work-', '$ mar work-request'],
      ['mar wr create --set-', '$ mar wr create --set-string'],
      ['mar asset get -o jsonl --profile st', '--profile staging'],
      ['mar asset get --profile=st', '--profile=staging'],
      ['mar config set remember-ids of', 'remember-ids off'],
      ['mar completion pow', 'completion powershell'],
      ['mar asset get --columns name,cr', '--columns name,created'],
      ['mar api GET /as', 'api GET /assets/'],
      ['mar wr create -f film\\ r', '-f film\\ request.yaml'],
      ['mar wr create --file=film\\ r', '--file=film\\ request.yaml'],
      ['mar whoami --ca-cert ./film\\ r', '/film\\ request.yaml'],
      ['mar sandbox --data fil', '--data film\\ data/'],
    ] as const) {
      await tab(terminal, line, completed);
    }
    // What there is to choose from, with what it means.
    const nouns = await tab(terminal, 'mar ', 'sandbox', tabs);
    expect(nouns).toMatch(/asset +.*[a-z]+ assets/);
    // A command with more flags would make zsh ask before it lists them.
    await tab(terminal, 'mar asset get --', '--columns', tabs);
    await tab(terminal, 'mar asset get --output-format=json', 'jsonl', tabs);
    const columns = await tab(terminal, 'mar asset get --columns=name,', 'name,created', tabs);
    expect(columns).toContain('Created');
    // No files where none is meant.
    terminal.clear();
    terminal.press('-l', 'mar wr get fil');
    terminal.press('Tab');
    terminal.press('-l', 'X');
    await terminal.until('mar wr get filX');
  });

  it('offers the ids that were used, the most recent first, each as one word', async () => {
    const { terminal, folder, service } = await openShell(shell);
    const screen = await tab(terminal, 'mar asset get a-100', 'a-1001 ', tabs);
    expect(screen).toContain('Harbor Trailer B');
    expect(screen.indexOf('a-1002 ')).toBeLessThan(screen.indexOf('a-1001 '));
    const same = await tab(terminal, 'mar asset get s-', 's-1 ', tabs);
    expect(same.match(/s-\d/g)).toEqual(['s-2', 's-3', 's-1']);
    await tab(terminal, 'mar asset get ur', '$ mar asset get urn:');
    await tab(terminal, 'mar asset get urn:o', '$ mar asset get urn:other:9');
    const colons = await tab(terminal, 'mar asset get urn:a', 'get urn:asset:7', tabs);
    expect(colons).not.toContain('urn:urn');
    const hostile = await tab(terminal, 'mar asset get urn:asset:7', 'Trailer', tabs);
    expect(hostile).toContain('`touch pwned` $(touch pwned)');
    terminal.clear();
    expect(existsSync(path.join(folder, 'pwned'))).toBe(false);
    for (const line of ['my', '"my', "'my"]) {
      terminal.press('C-u');
      terminal.clear();
      terminal.press('-l', `mar asset get ${line}`);
      terminal.press('Tab');
      await terminal.until('#1');
      terminal.press('Enter');
      await terminal.until('Quoted');
      expect(service.paths.at(-1)).toBe("/assets/my%20film's%20%231");
    }
  });
});

it('the script for zsh works from a folder of functions', async () => {
  const { terminal } = await openShell({
    argv: ['env', 'PS1=$ ', 'zsh', '-f'],
    setUp:
      'mkdir f; mar completion zsh > f/_mar; fpath=($PWD/f $fpath); autoload -U compinit && compinit -u',
  });
  await tab(terminal, 'mar ass', '$ mar asset');
  await tab(terminal, 'mar wr cr', '$ mar wr create');
});
