import { Ajv2020 } from 'ajv/dist/2020.js';
import { Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { helpSchema } from '../../scripts/generate/helpSchema.ts';
import { globalOptions } from '../../src/core/commands/globals.ts';
import { exitCodes, MarError } from '../../src/core/errors.ts';
import { parse } from '../../src/program/parse.ts';
import { helpTopics, table } from '../../src/program/table.ts';
import { CommandTree } from '../../src/program/tree.ts';
import { mar, marOk } from '../harness/mar.ts';
import { refused } from '../harness/marWith.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { commandLineWords } from '../words/commandLine.ts';

const isValid = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(helpSchema);

async function help(...argv: string[]) {
  const { stdout, stderr } = await marOk([...argv, '--json']);
  const document = JSON.parse(stdout);
  expect(isValid(document), JSON.stringify(isValid.errors)).toBe(true);
  expect(stderr).toBe('');
  return document;
}

interface Brief {
  words: string[];
}
interface Flag {
  names: string[];
  type: string;
  isValueOptional?: true;
  value?: string;
  repeatable?: true;
  values?: string[];
  excludes?: string[];
  needs?: string;
}

/** One of each command: the next command has the next one. */
const sample = <T>(all: readonly T[], at: number): T[] => {
  const one = all[at % all.length];
  return one === undefined ? [] : [one];
};

const allWords = async () => (await help('help')).commands.map(({ words }: Brief) => words);

describe('mar help --json', () => {
  it.each([
    [['help', 'wr', 'create', '--json', '--jq', '.words']],
    [['wr', 'create', '--help', '--jq', '.words']],
    [['help', 'wr', 'create', '--jq-slurp', '.[0].words']],
  ])('obeys --jq: %j', async (argv) => {
    expect((await marOk(argv)).stdout).toBe('["wr","create"]\n');
  });

  it('lists every command of the table in at most 12 kB', async () => {
    const { stdout } = await marOk(['--help', '--json']);
    expect(stdout.length).toBeLessThanOrEqual(12_000);
    expect(JSON.parse(stdout)).toEqual(await help('help'));
    const listed = (await allWords()).map((words: string[]) => words.join(' '));
    const expected = table.flatMap((entry) => [
      ...(entry.load ? [entry.name] : []),
      ...Object.keys(entry.verbs ?? {}).map((verb) => `${entry.name} ${verb}`),
    ]);
    expect(listed).toEqual(expected);
  });

  it('says what a command does, and to which endpoint', async () => {
    const { commands } = await help('help');
    const find = (line: string) => commands.find(({ words }: Brief) => words.join(' ') === line);
    expect(find('wr get')).toEqual({
      words: ['wr', 'get'],
      summary: expect.any(String),
      effect: 'read',
      endpoint: 'GET /workrequests/{id}',
    });
    expect(find('asset put')).toMatchObject({ effect: 'write', asks: true });
    expect(find('wr wait')).toMatchObject({ effect: 'read', waits: true });
    expect(find('profile use')).toMatchObject({ effect: 'local' });
    expect(find('login')).toMatchObject({ effect: 'local', asks: true });
  });

  it.each([
    ['batch resolve', { effect: 'local' }],
    ['translation check', { effect: 'local' }],
    ['profile remove', { effect: 'write' }],
    ['logout', { effect: 'write', asks: undefined }],
    ['sandbox', { effect: 'local', waits: true }],
    ['mcp', { effect: 'write', waits: true }],
  ])('says the most that %s can do', async (line, facts) => {
    const { commands } = await help('help');
    const { effect, asks, waits } = commands.find(({ words }: Brief) => words.join(' ') === line);
    expect({ effect, asks, waits }).toMatchObject(facts);
  });

  it('every command that writes has --dry-run and --yes', async () => {
    for (const { words, endpoint = '', effect } of (await help('help')).commands) {
      if (effect === 'local' || (effect === 'read' && !/^(?:POST|PUT|DELETE)/.test(endpoint)))
        continue;
      // The first call of an agent shows what the second one writes. A profile is no record.
      if (['mcp', 'profile'].includes(words[0] ?? '')) continue;
      const flags: Flag[] = (await help(...words, '--help')).flags;
      const names = flags.flatMap((flag) => flag.names);
      expect(names, words.join(' ')).toEqual(expect.arrayContaining(['--dry-run', '--yes', '-y']));
    }
  });

  it('describes one command, however it is asked', async () => {
    const command = await help('wr', 'create', '--help');
    expect(await help('help', 'wr', 'create')).toEqual(command);
    expect(command).toMatchObject({
      words: ['wr', 'create'],
      aliases: expect.arrayContaining(['work-request']),
      endpoint: 'POST /workrequests',
      effect: 'write',
      prints: { schema: 'wr' },
      examples: expect.arrayContaining([{ task: expect.any(String), command: expect.any(String) }]),
    });
    const { exitCodes: codes } = await help('help', 'exit-codes', '--json');
    const kinds = codes.map(({ kind }: { kind?: string }) => kind).slice(1);
    expect(kinds).toEqual(Object.keys(exitCodes));
    const flags: Flag[] = (await help('file', 'list', '--help')).flags;
    expect(flags.find(({ names }) => names.includes('--all'))).toMatchObject({ type: 'boolean' });
    expect(await help('file', 'list', '--help')).toMatchObject({ prints: { isList: true } });
    for (const word of ['login', 'logout']) {
      expect(await help(word, '--help')).not.toHaveProperty('prints');
    }
  });

  it('lists the commands of a noun', async () => {
    const { commands } = await help('wr', '--help');
    expect(commands.map(({ words }: Brief) => words[1])).toContain('create');
    const own = (await help('sandbox', '--help')).commands;
    expect(own.map(({ words }: Brief) => words[1])).toContain('stop');
  });

  it.each(Object.keys(helpTopics))('has the topic %s', async (topic) => {
    expect(Object.values(await help('help', topic))[0]).not.toEqual([]);
  });
});

/** The facts of the error with which a command line is refused, or nothing. */
async function refusal(argv: readonly string[]) {
  try {
    await parse(argv);
    return undefined;
  } catch (error) {
    if (error instanceof MarError) return error;
    throw error;
  }
}

describe('help for programs has what the parser accepts', () => {
  const { invalidValue, missingValue, tooManyArguments, unknownCommand, unknownFlag } =
    commandLineWords;
  const mistakes = [invalidValue, missingValue, tooManyArguments, unknownCommand, unknownFlag];
  const mistake = new RegExp(`${mistakes.join('|')}|takes no`);

  it('the flags of every command, and no others', async () => {
    for (const [at, command] of (await new CommandTree(table).loadCommands()).entries()) {
      const { words, options = [] } = command;
      const flags: Flag[] = (await help(...words, '--help')).flags;
      // As commander reads them. It keeps only the last of two long names.
      const accepted = options.map(({ flags }) => new Option(flags.replace('[=', ' [')));
      expect(flags.map(({ names }) => names.at(-1))).toEqual(accepted.map(({ long }) => long));
      for (const [index, { names, type }] of flags.entries()) {
        const isSwitch = accepted[index]?.isBoolean() || accepted[index]?.negate;
        expect(type === 'string', names[0]).toBe(!isSwitch);
      }
      const choices = flags.filter(({ values }) => values);
      const tried = [...sample(flags, at), ...sample(choices, at)];
      for (const { names, type, values, isValueOptional } of tried) {
        for (const name of names) {
          // A value that may be absent follows an equals sign.
          const given = (value: string) => (isValueOptional ? [`${name}=${value}`] : [name, value]);
          const flag = type === 'boolean' ? [name] : given(values?.[0] ?? '1');
          const message = (await refusal([...words, ...flag]))?.message ?? '';
          expect(message, name).not.toMatch(mistake);
          if (!values) continue;
          const wrong = await refusal([...words, ...given('zzzz')]);
          expect(wrong?.details, name).toMatchObject({ value: 'zzzz', allowed: values });
        }
      }
    }
  });

  it('every flag that all commands take', async () => {
    const flags: Flag[] = (await help('help', 'flags')).flags;
    const accepted = globalOptions.map((option) => new Option(option.flags));
    expect(flags.map(({ names }) => names.at(-1))).toEqual(accepted.map(({ long }) => long));
    for (const { names, values, type } of flags) {
      const value = type === 'boolean' ? [] : [values?.[0] ?? '1'];
      for (const name of names) {
        const message = (await refusal(['whoami', name, ...value]))?.message ?? '';
        expect(message, name).not.toMatch(mistake);
      }
    }
  });

  it('every argument of every command, and no more', async () => {
    for (const line of await allWords()) {
      const { arguments: args } = await help(...line, '--help');
      const given = args.map(({ values = ['x'] }: { values?: string[] }) => values[0]);
      const message = (await refusal([...line, ...given]))?.message ?? '';
      expect(message).not.toMatch(mistake);
      if (args.at(-1)?.repeatable) {
        expect(await refusal([...line, ...given, given.at(-1)])).toBeUndefined();
        continue;
      }
      expect(await refusal([...line, ...given, 'x']), line.join(' ')).toMatchObject({
        kind: 'usage',
      });
    }
  });
});

describe('help for programs has what the parser refuses', () => {
  /** A flag with a value that is right in itself. */
  const given = ({ names, type, value = '', values }: Flag): string[] => {
    const samples: Record<string, string> = {
      file: '/dev/null',
      duration: '1s',
      'path=value': 'name=x',
      zone: 'Europe/Paris',
      date: '+14d',
    };
    const name = names.at(-1) ?? '';
    return type === 'boolean' ? [name] : [`${name}=${values?.[0] ?? samples[value] ?? '1'}`];
  };
  const relation = /needs --|cannot be used (?:together|with)/;

  /** The flags of a command, and a line with the arguments that it must have. */
  async function described(words: string[]) {
    const { flags, arguments: args } = await help(...words, '--help');
    const required = args.filter((one: { required: boolean }) => one.required);
    const operands = required.map(({ values = ['x'] }: { values?: string[] }) => values[0]);
    return { own: flags as Flag[], line: [...words, ...operands] as string[] };
  }

  /** Refused for the relation of these flags, before anything is sent. */
  async function isRefused(words: string[], flags: Flag[], names: readonly string[]) {
    const message = await refused([...words, ...flags.flatMap(given)]);
    expect(message, `${words.join(' ')} ${names.join(' ')}`).toMatch(relation);
    for (const name of names) expect(message).toContain(name);
  }

  it('a flag that another one excludes, in both orders', async () => {
    const { flags: others } = await help('help', 'flags');
    for (const [at, words] of ((await allWords()) as string[][]).entries()) {
      const { own, line } = await described(words);
      const isGlobal = words[0] === 'whoami';
      const all = [...own, ...(others as Flag[])];
      const pairs = (isGlobal ? all : own).flatMap((flag) =>
        (flag.excludes ?? []).map((name) => ({ flag, name })),
      );
      for (const { flag, name } of isGlobal ? pairs : sample(pairs, at)) {
        const other = all.find(({ names }) => names.includes(name));
        if (!other) throw new Error(`${name} is no flag of ${words.join(' ')}`);
        const names = [flag.names.at(-1) ?? '', name];
        await isRefused(line, [flag, other], names);
        await isRefused(line, [other, flag], names);
        if (own.includes(other)) expect(other.excludes, name).toContain(names[0]);
      }
    }
  });

  it('a flag without the one that it needs, and no other flag alone', async () => {
    const { env } = await recordingServer('{"_id":"x","status":"complete"}');
    // These would start something, or wait.
    const starts = /^(?:sandbox|mcp|skill|wr open|wr wait)/;
    const needing: string[] = [];
    for (const [at, words] of ((await allWords()) as string[][]).entries()) {
      const { own, line } = await described(words);
      const path = words.join(' ');
      const nameOf = ({ names }: Flag) => names.at(-1) ?? '';
      const needy = own.filter(({ needs }) => needs);
      needing.push(...needy.map((flag) => `${path} ${nameOf(flag)}`));
      for (const flag of sample(needy, at)) {
        await isRefused(line, [flag], [nameOf(flag), flag.needs ?? '']);
      }
      if (starts.test(path)) continue;
      const free = own.filter(({ needs }) => !needs);
      for (const flag of sample(free, at)) {
        const { stderr } = await mar([...line, ...given(flag)], { env });
        const needs = new RegExp(`^error: ${nameOf(flag)} needs (?!the PATH)`);
        expect(stderr, `${path} ${nameOf(flag)}`).not.toMatch(needs);
      }
    }
    expect(needing).toEqual(expect.arrayContaining(['wr create --tz', 'event put --notify-user']));
  });
});
