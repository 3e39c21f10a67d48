import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { globalOptions, helpTopics } from '../src/commands/globals.ts';
import { isNoun, loadCommands, table } from '../src/commands/table.ts';
import { exitCodeRows } from '../src/errors.ts';
import { parse } from '../src/program.ts';
import { version } from '../src/version.ts';
import { mar } from './harness/mar.ts';

/** Every help page there is, by the words that ask for it. */
function pages(): string[][] {
  return [
    [],
    ...table.flatMap((entry) => [
      [entry.name],
      ...(isNoun(entry) ? Object.keys(entry.verbs).map((verb) => [entry.name, verb]) : []),
    ]),
  ];
}

const everyPage = pages();
const topics = Object.keys(helpTopics);

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

describe('the table', () => {
  it.each(table.map((entry) => [entry.name, entry] as const))(
    'calls the commands of %s as they call themselves',
    async (_, entry) => {
      const names = (await loadCommands(entry)).map(({ name }) => name);
      const verbs = isNoun(entry) ? Object.keys(entry.verbs) : [];
      expect(names).toEqual(entry.load ? [entry.name, ...verbs] : verbs);
    },
  );
});

describe('mar alone', () => {
  it('shows its help, on standard output, with 0', async () => {
    const run = await mar([]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toBe(await help([]));
  });

  it('names every command with what it does', async () => {
    const text = await help([]);
    expect(text).toContain('Usage: mar <command> [flags]');
    expect(text).toMatch(/^Start here +login, logout +Log in to the service, and out of it$/m);
    for (const { name, summary } of table) {
      const isShared = new RegExp(`^.* (${name}, \\w+|\\w+, ${name}) +\\w`, 'm').test(text);
      if (!isShared) expect(text).toMatch(new RegExp(`^([\\w ]+)? +${name} +${summary}$`, 'm'));
    }
  });

  it('fits one screen, with the prompt below it', async () => {
    const lines = (await help([], 80)).trimEnd().split('\n');
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

describe('where to start', () => {
  it('is the first thing that mar alone shows', async () => {
    const lines = (await help([], 80)).split('\n');
    expect(lines[1]).toMatch(/^Start here +login, logout /);
    expect(lines[2]).toMatch(/^ +sandbox /);
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

  it.each(topics)('mar help %s fits and takes --no-color', async (topic) => {
    for (const columns of [40, 60, 80, 200]) {
      const { stdout } = await mar(['help', topic, '--no-color'], { columns });
      expect(wideLines(stdout, columns)).toEqual([]);
      expect(stdout).not.toContain('\u001b');
    }
  });

  it.each([['help', 'enviroment'], ['exit-code']])(
    'misspelt, gets the right name: %s',
    async (...argv) => {
      const run = await mar(argv);
      expect(run).toMatchObject({ code: 2, stdout: '' });
      expect(run.stderr).toMatch(/Did you mean mar help (environment|exit-codes)\?/);
    },
  );
});

describe('help as a word', () => {
  it.each([
    [['wr', 'help'], ['wr']],
    [
      ['wr', 'help', 'create'],
      ['wr', 'create'],
    ],
    [
      ['help', 'wr', 'create'],
      ['wr', 'create'],
    ],
    [['--no-color', 'help', 'wr'], ['wr']],
    [['whoami', 'help'], ['whoami']],
    [['help'], []],
    [['help', 'help'], []],
  ])('%j shows the page of %j', async (argv, words) => {
    expect(await mar(argv)).toEqual({ code: 0, stdout: await help(words), stderr: '' });
  });
});

describe('the output section', () => {
  const all = ['--json', '--jq', '--output-format', '--output', '--columns', '--profile'];
  it.each([
    [['wr', 'get'], all],
    [['wr', 'create'], all],
    [['downloads', 'list'], all],
    [['api'], all],
    [['schema'], ['--json', '--jq', '--output-format', '--output', '--columns']],
    [['login'], ['--json', '--jq', '--output-format', '--output', '--profile']],
    [
      ['config', 'set'],
      ['--json', '--jq', '--output-format', '--output', '--profile'],
    ],
    [['sandbox'], ['--json', '--jq', '--output-format', '--output', '--profile']],
  ])('of mar %j has one line for each flag that applies', async (words, flags) => {
    const text = await help(words);
    const section = /^Output\n((?: .*\n)+)/m.exec(text)?.[1] ?? '';
    const lines = section.trimEnd().split('\n');
    expect(lines.map((line) => /--[\w-]+/.exec(line)?.[0])).toEqual(flags);
    expect(text).toContain('mar help flags');
  });
});

describe('mar wr', () => {
  it('shows the commands of work requests, with 0', async () => {
    const run = await mar(['wr']);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toBe(await help(['wr']));
    expect(run.stdout).toMatch(/^ {2}get <id\.\.\.> +Show work requests$/m);
    expect(run.stdout).toMatch(/^ {2}create +Create a work request$/m);
  });

  it.each(['work-request', 'workrequest'])('may be called %s', async (alias) => {
    expect(await help([alias, 'create'])).toBe(await help(['wr', 'create']));
  });
});

describe('mar wr create --help', () => {
  it('shows usage, flags and examples', async () => {
    const text = await help(['wr', 'create']);
    expect(text).toMatch(/^Create a work request\n\nUsage: mar wr create \[flags\]\n/);
    for (const flag of ['-f, --file <file>', '--set <path=value>', '--set-string', '--unset']) {
      expect(text).toContain(flag);
    }
    expect(exampleLines(text).some((line) => line.startsWith('  mar wr create'))).toBe(true);
  });

  it('is what mar help wr create and -h show', async () => {
    const text = await help(['wr', 'create']);
    expect((await mar(['help', 'wr', 'create'])).stdout).toBe(text);
    expect((await mar(['wr', 'create', '-h'])).stdout).toBe(text);
  });

  it('wins over whatever else is wrong with the command line', async () => {
    const run = await mar(['wr', 'get', '--help']);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('Show work requests');
  });

  it('needs nobody to be logged in and sends nothing', async () => {
    const env = { MAR_TOKEN: 't', MAR_EMAIL: 'a@b', MAR_BASE_URL: 'http://127.0.0.1:1/api' };
    expect((await mar(['wr', 'create', '--set', 'a=1', '--help'], { env })).code).toBe(0);
  });
});

describe('help for a word that means nothing', () => {
  it.each([
    [['help', 'aset'], 'mar help asset'],
    [['aset', '--help'], 'mar asset'],
    [['help', 'wr', 'craete'], 'mar wr create'],
    [['wr', 'craete', '-h'], 'mar wr create'],
  ])('is an error: %j', async (argv, meant) => {
    const run = await mar(argv);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(`Did you mean ${meant}?`);
  });
});

describe('a command line that is wrong names the help', () => {
  it.each([
    [
      ['downloads', 'list', '--bogus'],
      'To see the flags of mar downloads list, run: mar downloads list --help',
    ],
    [['work-request', 'get'], 'For usage, run: mar wr get --help'],
    [['whoami', 'me'], 'For usage, run: mar whoami --help'],
    [['whoami', '--bogus'], 'To see the flags of mar whoami, run: mar whoami --help'],
    [['asset', '--bogus'], 'To see the flags of mar asset, run: mar asset --help'],
    [['--bogus'], 'To see the flags of mar, run: mar --help'],
  ])('of %j', async (argv, hint) => {
    const run = await mar(argv);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(`\n  ${hint}\n`);
  });
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
    const examples = exampleLines(await help(words));
    for (const columns of [40, 60, 80, 200]) {
      const text = await help(words, columns);
      expect(wideLines(text, columns)).toEqual([]);
      expect(text).not.toMatch(/[ \t]$/m);
      // Broken command lines are still the same commands.
      const commands = exampleLines(text).filter((line) => !line.startsWith('  # '));
      expect(commands).toEqual(examples.filter((line) => !line.startsWith('  # ')));
    }
  });

  it('has the same words at every width', async () => {
    for (const words of everyPage.slice(1)) {
      const wordsAt = async (columns: number) =>
        (await help(words, columns)).match(/[^\s#\\]+/g)?.join(' ');
      expect(await wordsAt(40)).toBe(await wordsAt(200));
    }
  });

  it.each(everyPage.map((words) => [words]))(
    'of mar %j has examples that mar understands',
    async (words) => {
      for (const line of exampleLines(await help(words))) {
        if (line.startsWith('  # ')) continue;
        for (const argv of marCalls(line)) {
          expect((await parse(argv)).kind, line).toBe('run');
        }
      }
    },
  );
});

/** The calls of mar in a line of shell, each as its arguments. */
function marCalls(line: string): string[][] {
  const words = line.match(/"[^"]*"|'[^']*'|[|;<>()]|(?:[^\s|;<>()"']|"[^"]*")+/g) ?? [];
  const calls: string[][] = [];
  let call: string[] | undefined;
  for (const word of words) {
    if (word === 'mar' && !call) {
      call = [];
      calls.push(call);
    } else if (/^[|;<>()]$/.test(word)) {
      call = undefined;
    } else {
      call?.push(word.replace(/["']/g, ''));
    }
  }
  return calls;
}

/** Lines that are too long although they could be broken at a space. */
const wideLines = (text: string, columns: number): string[] =>
  text.split('\n').filter((line) => {
    const unbroken = line.trim().replace(/'[^']*'|"[^"]*"/g, 'quoted');
    return line.length > columns && unbroken.includes(' ');
  });

describe('a slip of the finger', () => {
  it.each([
    [['aset'], 'mar asset'],
    [['asset', 'gte'], 'mar asset get'],
    [['wr', 'craete'], 'mar wr create'],
    [['wr', 'create', '--sett', 'a=1'], '--set'],
    [['whoami', '--jsno'], '--json'],
    [['whoami', '--chek'], '--check'],
    [['file', 'list', '--page-sise', '5'], '--page-size'],
  ])('%j gets a suggestion: %s', async (argv, meant) => {
    const run = await mar(argv);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(`Did you mean ${meant}?`);
  });

  it('in a format gets the list of formats', async () => {
    const run = await mar(['whoami', '-o', 'jsn']);
    expect(run.code).toBe(2);
    for (const format of ['table', 'json', 'jsonl', 'tsv']) expect(run.stderr).toContain(format);
  });

  it('that is like nothing points to the help', async () => {
    const run = await mar(['xyzzy']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('mar --help');
  });
});
