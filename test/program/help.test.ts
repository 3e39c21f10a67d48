import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { globalOptions, helpTopics } from '../../src/core/commands/globals.ts';
import { exitCodeRows } from '../../src/core/errors.ts';
import { version } from '../../src/core/version.ts';
import { parse } from '../../src/program/parse.ts';
import { table } from '../../src/program/table.ts';
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
  });
});

describe('a topic', () => {
  it('mar help flags shows the flags that every command takes', async () => {
    const { code, stdout } = await mar(['help', 'flags']);
    expect(code).toBe(0);
    for (const { flags } of globalOptions) expect(stdout).toContain(flags);
    expect(exampleLines(stdout).length).toBeGreaterThan(0);
  });

  it('mar help environment names every variable that the program reads', async () => {
    const { code, stdout } = await mar(['help', 'environment']);
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

describe('the output section', () => {
  const flagsOfAll = '--json --jq --output-format --output';
  it.each([
    ['wr get', `${flagsOfAll} --columns --profile`],
    ['wr create', `${flagsOfAll} --columns --profile`],
    ['downloads list', `${flagsOfAll} --columns --profile`],
    ['api', `${flagsOfAll} --columns --profile`],
    ['schema', `${flagsOfAll} --columns`],
    ['login', `${flagsOfAll} --profile`],
    ['config set', `${flagsOfAll} --profile`],
    ['sandbox', `${flagsOfAll} --profile`],
  ])('of mar %s has one line for each flag that applies', async (line, flags) => {
    const text = await help(line.split(' '));
    const section = /^Output\n((?: .*\n)+)/m.exec(text)?.[1] ?? '';
    const lines = section.trimEnd().split('\n');
    expect(lines.map((one) => /--[\w-]+/.exec(one)?.[0])).toEqual(flags.split(' '));
    expect(text).toContain('mar help flags');
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
  const text = await help(['wr', 'create']);
  expect(text).toMatch(/^\w.*\n\nUsage: mar wr create \[flags\]\n/);
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
