import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { globalOptions, outputOptions } from '../../src/core/commands/globals.ts';
import { exitCodeRows } from '../../src/core/errors.ts';
import { version } from '../../src/core/version.ts';
import { parse } from '../../src/program/parse.ts';
import { helpTopics, table } from '../../src/program/table.ts';
import { CommandTree } from '../../src/program/tree.ts';
import { mar } from '../harness/mar.ts';
import { marCalls } from '../harness/marCalls.ts';
import { refused } from '../harness/marWith.ts';

/** Every help page there is, by the words that ask for it. */
function pages(): string[][] {
  return [
    [],
    ...table.flatMap((entry) => [
      [entry.name],
      ...Object.keys(entry.verbs ?? {}).map((verb) => [entry.name, verb]),
    ]),
  ];
}

const everyPage = pages();
const help = async (words: readonly string[], columns?: number) => {
  const run = await mar([...words, '--help'], { columns, env: { NO_COLOR: '1' } });
  expect(run, words.join(' ')).toMatchObject({ code: 0, stderr: '' });
  return run.stdout;
};

const wholeHelp = async (words: readonly string[]) =>
  (await mar([...words, '--help', '--all'], { env: { NO_COLOR: '1' } })).stdout;

/** The lines under "Examples", up to the next blank one. Broken lines are joined. */
function exampleLines(text: string): string[] {
  const lines = text.split('\n');
  const start = lines.indexOf('Examples');
  if (start < 0) return [];
  const examples = lines.slice(start + 1, lines.indexOf('', start)).join('\n');
  return examples.replace(/ \\\n +/g, ' ').split('\n');
}

describe('mar alone', () => {
  it('shows its help, on standard output, with 0', async () => {
    const run = await mar([]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toBe(await help([]));
  });

  it('names every command with what it does', async () => {
    const text = await help([]);
    expect(text).toContain('Usage: mar <command> [flags]');
    for (const { name, summary } of table) {
      const isShared = new RegExp(`^.* (${name}, \\w+|\\w+, ${name}) +\\w`, 'm').test(text);
      if (!isShared) expect(text).toMatch(new RegExp(`^([\\w ]+)? +${name} +${summary}$`, 'm'));
    }
  });

  it('fits one screen, with the prompt below it, and shows first where to start', async () => {
    const lines = (await help([], 80)).trimEnd().split('\n');
    expect(lines[1]).toMatch(/^\w.* +login, logout +\w/);
    expect(lines[2]).toMatch(/^ +sandbox /);
    expect(lines.length).toBeLessThanOrEqual(23);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('prints its version', async () => {
    const asked = ['--version', '-V', '-v', 'version', 'wr --version', 'whoami -V'];
    for (const argv of asked.map((line) => line.split(' '))) {
      expect(await mar(argv)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    }
    const program = path.resolve('bin/mar.js');
    const facts = JSON.parse((await mar(['--version', '--json'])).stdout);
    expect(facts).toEqual({ version, program, node: process.version });
    const { checks } = JSON.parse((await mar(['doctor', '--json'])).stdout);
    expect(checks[0].message).toMatch(new RegExp(`${version}.* ${program}$`));
  });
});

describe('a topic', () => {
  it('mar help flags shows the flags that every command takes, mar help output those of output', async () => {
    const flags = (await mar(['help', 'flags', '--all'])).stdout;
    const output = (await mar(['help', 'output', '--all'])).stdout;
    for (const option of globalOptions) {
      const row = new RegExp(`^ +${option.flags.replaceAll(/[[\]]/g, '\\$&')} `, 'm');
      const isOutput = outputOptions.includes(option);
      expect([row.test(flags), row.test(output)]).toEqual([!isOutput, isOutput]);
    }
  });

  it('mar help batch shows the flags of a batch, and mar batch help the commands', async () => {
    const flags = (await mar(['help', 'batch'])).stdout;
    expect(flags).toContain('--map <heading=field>');
    expect(flags).not.toContain('resolve');
    const all = (await mar(['help', 'batch', '--all'])).stdout;
    expect(all).toContain('--rejects <file>');
    // Orders have other values of it than changes.
    expect(all).not.toContain('--again');
    for (const line of ['batch help', 'batch --help']) {
      expect((await mar(line.split(' '))).stdout).toMatch(/^ {2}resolve /m);
    }
    expect((await mar(['help', 'batch', 'undo'])).stdout).toContain('mar batch undo');
  });

  it('mar help environment names every variable that the program reads', async () => {
    const { code, stdout } = await mar(['help', 'environment', '--all']);
    expect(code).toBe(0);
    const sources = ['src', 'bin'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.[jt]s$/.test(file))
        .map((file) => readFileSync(path.join(folder, file), 'utf8')),
    );
    const read = sources.flatMap((source) =>
      [
        ...source.matchAll(/\benv\.([A-Z][A-Z_]+)\b|(?:'(?=MAR_)|\['[\w ]+', [01], ')([A-Z_]+)'/g),
      ].map(([, name, quoted]) => name ?? quoted ?? ''),
    );
    expect(new Set(read).size).toBeGreaterThan(20);
    const shown = stdout.match(/^ {2}[A-Z_]+(?= )/gm)?.map((term) => term.trim());
    const proxies = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'];
    expect(shown?.sort()).toEqual([...new Set([...read, ...proxies, 'TZ'])].sort());
  });

  it('mar help exit-codes shows every exit code once', async () => {
    const { code, stdout } = await mar(['help', 'exit-codes']);
    expect(code).toBe(0);
    const shown = stdout.match(/^ {2}\d+(?= )/gm)?.map((code) => code.trim());
    expect(shown).toEqual(exitCodeRows().map(([code]) => code));
  });

  it.each(Object.keys(helpTopics))('mar help %s fits and takes --no-color', async (topic) => {
    for (const columns of [40, 80]) {
      const { stdout } = await mar(['help', topic, '--no-color'], { columns });
      expect(wideLines(stdout, columns)).toEqual([]);
      expect(stdout).not.toContain('\u001b');
    }
  });
});

describe('help as a word or a flag', () => {
  it.each([
    ['help', ''],
    ['help help', ''],
    ['wr', 'wr'],
    ['wr help', 'wr'],
    ['wr help create', 'wr create'],
    ['help wr create', 'wr create'],
    ['wr create -h', 'wr create'],
    ['work-request create --help', 'wr create'],
    ['workrequest create --help', 'wr create'],
    ['--no-color help wr', 'wr'],
    ['whoami help', 'whoami'],
    ['wr --help create', 'wr'],
    ['sandbox --port 80 --help', 'sandbox'],
  ])('mar %s shows the page of mar %s', async (line, words) => {
    const stdout = await help(words.split(' ').filter(Boolean));
    expect(await mar(line.split(' '))).toEqual({ code: 0, stdout, stderr: '' });
  });
});

describe('on a terminal of 24 lines and 80 columns', () => {
  const shown = [
    ...everyPage.map((words) => [...words, '--help']),
    ...Object.keys(helpTopics).map((topic) => ['help', topic]),
  ];
  it.each(shown.map((argv) => [argv]))('mar %j fits, with the prompt below it', async (argv) => {
    const { code, stdout } = await mar(argv, { columns: 80, env: { NO_COLOR: '1' } });
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(23);
  });

  it('a page names each flag that it does not explain, or the topic that does', async () => {
    for (const command of await new CommandTree(table).loadCommands()) {
      const [short, whole] = [await help(command.words), await wholeHelp(command.words)];
      for (const { flags, group = '' } of command.options ?? []) {
        expect(whole).toContain(flags);
        const name = flags.match(/--[\w-]+/g)?.at(-1);
        const isNamed = new RegExp(`${name}\\b`).test(short);
        const topic = `mar help ${group.toLowerCase()}`;
        expect(
          isNamed || short.replaceAll('\n', ' ').includes(topic),
          `${command.words.join(' ')} ${name}`,
        ).toBe(true);
      }
    }
  });

  it('mar wr create --help has what people order with, and three examples', async () => {
    const text = await help(['wr', 'create'], 80);
    for (const flag of ['asset', 'language', 'territory', 'due', 'use', 'like']) {
      expect(text).toMatch(new RegExp(`^ +--${flag} <`, 'm'));
    }
    expect(exampleLines(text)).toHaveLength(6);
  });

  it('--all belongs to help there, and to the command elsewhere', async () => {
    const short = await help(['wr', 'create']);
    for (const line of ['wr create --help --all', 'help wr create --all', 'wr create --all -h']) {
      const { stdout } = await mar(line.split(' '), { env: { NO_COLOR: '1' } });
      expect(stdout).toBe(await wholeHelp(['wr', 'create']));
      expect(stdout.length).toBeGreaterThan(short.length);
    }
    expect(await refused(['wr', 'create', '--all'])).toContain('--all');
  });
});

it.each([
  ['get', 'get <id...>'],
  ['create', 'create'],
])('mar wr --help shows %s as its own page does', async (verb, usage) => {
  const [summary] = (await help(['wr', verb])).split('\n');
  const rows = (await help(['wr'])).split('\n').map((line) => line.trim().split(/ {2,}/));
  expect(rows).toContainEqual([usage, summary]);
});

it('mar wr create --help shows usage, flags and examples', async () => {
  const text = await wholeHelp(['wr', 'create']);
  expect(text).toMatch(/^\w.*\nUsage: mar wr create \[flags\]\n/);
  for (const flag of ['-f, --file <file>', '--set <path=value>', '--set-string', '--unset']) {
    expect(text).toContain(flag);
  }
  expect(exampleLines(text).some((line) => line.startsWith('  mar wr create'))).toBe(true);
});

it.each([
  ['work-request get', 'mar wr get --help'],
  ['whoami me', 'mar whoami --help'],
  ['whoami --bogus', 'mar whoami --help'],
  ['asset --bogus', 'mar asset --help'],
  ['--bogus', 'mar --help'],
  ['ntfctn', 'mar --help'],
])('a command line that is wrong gets the help to read: mar %s', async (line, command) => {
  expect(await refused(line.split(' '))).toContain(` run: ${command}\n`);
});

describe('every help page', () => {
  const ofCommands = everyPage.filter((words) => words.length > 0).map((words) => [words]);
  it.each(ofCommands)('of mar %j has examples', async (words) => {
    const lines = exampleLines(await help(words));
    expect(lines.length).toBeGreaterThanOrEqual(2);
    const commands = lines.filter((line) => !line.startsWith('  # '));
    expect(commands.length * 2).toBe(lines.length);
    for (const line of commands) expect(line).toMatch(/\bmar\b/);
  });

  it.each(everyPage.map((words) => [words]))('of mar %j fits every width', async (words) => {
    const commandsIn = (text: string) =>
      exampleLines(text).filter((line) => !line.startsWith('  # '));
    const examples = commandsIn(await help(words));
    for (const columns of [40, 60, 80, 200]) {
      const text = await help(words, columns);
      expect(wideLines(text, columns)).toEqual([]);
      expect(text).not.toMatch(/[ \t]$/m);
      // Broken command lines are still the same commands.
      expect(commandsIn(text)).toEqual(examples);
    }
    for (const argv of examples.flatMap(marCalls)) {
      expect((await parse(argv)).kind, argv.join(' ')).toBe('run');
    }
  });

  it('has the same words at every width', async () => {
    for (const words of everyPage.slice(1)) {
      const wordsAt = async (columns: number) =>
        (await help(words, columns)).match(/[^\s#\\]+/g)?.join(' ');
      expect(await wordsAt(40)).toBe(await wordsAt(200));
    }
  });
});

/** Lines that are too long although they could be broken at a space. */
const wideLines = (text: string, columns: number): string[] =>
  text.split('\n').filter((line) => {
    const unbroken = line.trim().replace(/'[^']*'|"[^"]*"/g, 'quoted');
    return line.length > columns && unbroken.includes(' ');
  });
