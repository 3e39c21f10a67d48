import { describe, expect, it } from 'vitest';
import { globalOptions } from '../src/commands/globals.ts';
import { isNoun, loadCommands, table } from '../src/commands/table.ts';
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

const help = async (words: readonly string[], columns?: number) => {
  const run = await mar([...words, '--help'], { columns, env: { NO_COLOR: '1' } });
  expect(run, words.join(' ')).toMatchObject({ code: 0, stderr: '' });
  return run.stdout;
};

/** The lines under "Examples", up to the next blank one. */
function exampleLines(text: string): string[] {
  const lines = text.split('\n');
  const start = lines.indexOf('Examples');
  return start < 0 ? [] : lines.slice(start + 1, lines.indexOf('', start));
}

describe('the table', () => {
  it.each(table.map((entry) => [entry.name, entry] as const))(
    'calls the commands of %s as they call themselves',
    async (_, entry) => {
      const names = (await loadCommands(entry)).map(({ name }) => name);
      expect(names).toEqual(isNoun(entry) ? Object.keys(entry.verbs) : [entry.name]);
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
    for (const { name, summary } of table) {
      expect(text).toMatch(new RegExp(`^(\\w+)? +${name} +${summary}$`, 'm'));
    }
  });

  it('fits one screen, with the prompt below it', async () => {
    const lines = (await help([], 80)).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(23);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('tells its version', async () => {
    for (const argv of [['--version'], ['-V'], ['wr', '--version'], ['whoami', '-V']]) {
      expect(await mar(argv)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    }
  });
});

describe('mar help flags', () => {
  it('shows the flags that every command takes', async () => {
    const { code, stdout } = await mar(['help', 'flags']);
    expect(code).toBe(0);
    for (const { flags } of globalOptions) expect(stdout).toContain(flags);
    expect(exampleLines(stdout).length).toBeGreaterThan(0);
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
    [['help', 'aset'], 'asset'],
    [['aset', '--help'], 'asset'],
    [['help', 'wr', 'craete'], 'create'],
    [['wr', 'craete', '-h'], 'create'],
  ])('is an error: %j', async (argv, meant) => {
    const run = await mar(argv);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(`Did you mean ${meant}?`);
  });
});

describe('a command line that is wrong names the help', () => {
  it.each([
    [['downloads', 'list', '--bogus'], 'see mar downloads list --help'],
    [['work-request', 'get'], 'see mar wr get --help'],
    [['whoami', '--bogus'], 'see mar whoami --help'],
    [['asset', '--bogus'], 'see mar asset --help'],
    [['--bogus'], 'see mar --help'],
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

  it.each(ofCommands)('of mar %j says what holds without its flags', async (words) => {
    const text = await help(words);
    if (text.includes('\nFlags\n')) expect(text).toContain('A flag that names no default is off');
  });

  it.each(everyPage.map((words) => [words]))('of mar %j fits 80 columns', async (words) => {
    for (const columns of [undefined, 80]) {
      const text = await help(words, columns);
      const examples = exampleLines(text);
      const wide = text.split('\n').filter((line) => line.length > 80 && !examples.includes(line));
      expect(wide).toEqual([]);
      expect(text).not.toMatch(/[ \t]$/m);
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

describe('a slip of the finger', () => {
  it.each([
    [['aset'], 'asset'],
    [['asset', 'gte'], 'get'],
    [['wr', 'craete'], 'create'],
    [['wr', 'create', '--sett', 'a=1'], '--set'],
    [['whoami', '--jsno'], '--json'],
    [['whoami', '--chek'], '--check'],
    [['file', 'list', '--page-sise', '5'], '--page-size'],
  ])('%j is answered with what was meant: %s', async (argv, meant) => {
    const run = await mar(argv);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(`Did you mean ${meant}?`);
  });

  it('in a format is answered with the formats there are', async () => {
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
