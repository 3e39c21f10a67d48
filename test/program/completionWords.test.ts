import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/core/api/endpoints.ts';
import { globalOptions } from '../../src/core/commands/globals.ts';
import { settingKey, settingRules } from '../../src/core/config/configFile.ts';
import { formats } from '../../src/core/values/formats.ts';
import { table } from '../../src/program/table.ts';
import { CommandTree } from '../../src/program/tree.ts';
import { ask, offered } from '../core/completion/harness.ts';
import { temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { remembered, storedAccount } from '../harness/storedAccount.ts';

const longNames = (options: readonly { flags: string }[]) =>
  options.map(({ flags }) => flags.match(/--[\w-]+/g)?.at(-1) ?? '');

describe('behind mar', () => {
  it('every command is offered, with what it does', async () => {
    const { rows } = await ask(['fish', '']);
    expect(rows).toEqual(table.map(({ name, summary }) => `${name}\t${summary}`));
  });

  it('flags before the command, with their values, change nothing', async () => {
    const names = table.map(({ name }) => name);
    expect(await offered(['--json', ''])).toEqual(names);
    expect(await offered(['--profile', 'asset', ''])).toEqual(names);
    expect(await offered(['--profile=asset', '-o', 'json', ''])).toEqual(names);
  });

  it('other names of a command are completed, but not shown', async () => {
    const names = ['work-request', 'work-requests', 'workrequest', 'workrequests'];
    expect(await offered(['work'])).toEqual(names);
    expect(await offered(['wor', ''])).toEqual([]);
    expect(await offered(['asset'])).not.toContain('assets');
    expect(await offered(['work-request', ''])).toEqual(await offered(['wr', '']));
  });

  it('what is not a command has nothing behind it', async () => {
    expect(await offered(['nonsense', ''])).not.toContain('asset');
    expect(await offered(['whoami', 'x', ''])).not.toContain('asset');
    expect(await offered(['asset', 'nonsense', ''])).toEqual([]);
  });

  it('help takes the names of commands and topics', async () => {
    const topics = ['fields', 'output', 'flags', 'environment', 'exit-codes'];
    expect(await offered(['help', ''])).toEqual([...table.map(({ name }) => name), ...topics]);
    expect(await offered(['help', 'env'])).toContain('environment');
    expect(await offered(['env'])).not.toContain('environment');
    expect(await offered(['help', 'wr', ''])).toEqual(await offered(['wr', '']));
    expect(await offered(['help', 'api', ''])).toEqual([]);
  });
});

it.each(table)('mar $name offers each of its commands and flags', async ({ name, verbs }) => {
  if (verbs) expect(await offered([name, ''])).toEqual(Object.keys(verbs));
  const commands = await new CommandTree(table).find(name)?.loadCommands();
  for (const { words, options = [] } of commands ?? []) {
    const all = [...longNames(options), ...longNames(globalOptions), '--help'];
    expect(await offered([...words, '--'])).toEqual([...new Set(all)]);
  }
});

describe('a flag', () => {
  it('is not offered again, unless it may be there again', async () => {
    const names = await offered(['wr', 'create', '--json', '-f', 'x', '--set', 'a=1', '--']);
    const some = ['--json', '--file', '--set'];
    expect(some.filter((name) => names.includes(name))).toEqual(['--set']);
  });

  it('offers the statuses that are known', async () => {
    const known = ['awaiting-materials', 'incomplete', 'complete'];
    const statuses = await offered(['wr', 'wait', 'wr-1', '--status', '']);
    expect(statuses).toEqual(expect.arrayContaining(known));
    const submit = await offered(['translation', 'submit', '--status=sub']);
    expect(submit).toContain('--status=submitted');
  });

  it('is offered by its short name where that is begun', async () => {
    expect(await offered(['wr', 'create', '-'])).toEqual(expect.arrayContaining(['-f', '--file']));
    expect(await offered(['wr', 'create', '--'])).not.toContain('-f');
  });

  it('is offered without being begun where nothing else can follow', async () => {
    const names = await offered(['wr', 'create', '']);
    expect(names).toEqual(expect.arrayContaining(['--file', '--set', '--dry-run']));
    expect(names.filter((name) => !name.startsWith('--'))).toEqual([]);
    expect(await offered(['whoami', '--check', ''])).toEqual([]);
  });

  it('is not offered behind --', async () => {
    expect(await offered(['asset', 'get', '--', '--'])).toEqual([]);
  });
});

describe('a value', () => {
  it.each(['asset get -o ', '-o ', 'wr create --output-format j', 'asset get --output-format --'])(
    'of a few is offered: %s',
    async (line) => {
      expect(await offered(line.split(' '))).toEqual([...formats]);
    },
  );

  it('is offered behind an equals sign, as the whole word', async () => {
    const answer = await ask(['fish', 'asset', 'get', '--output-format=j']);
    expect(answer.before).toBe('--output-format=');
    expect(answer.rows).toEqual(formats.map((format) => `--output-format=${format}\t`));
    expect(await offered(['asset', 'get', '--json='])).toEqual([]);
  });

  it.each([
    ['file', ['wr', 'create', '-f', '']],
    ['file', ['event', 'put', '--file', 'a']],
    ['file', ['whoami', '--ca-cert', '']],
    ['file', ['wr', 'create', '--file=']],
    ['folder', ['sandbox', '--data', '']],
  ])('that is a %s is left to the shell: %j', async (kind, words) => {
    expect(await ask(['fish', ...words])).toMatchObject({ kind, rows: [] });
  });

  it('that is an id or a file is completed, whatever the command', async () => {
    // Nothing answers these, so nothing of them was used.
    const neverUsed = ['--project <id>', '--studio <id>', '--notify-group <id>'];
    for (const command of await new CommandTree(table).loadCommands()) {
      const ids = (command.arguments ?? []).filter((one) => /^(?:id|path)$/.test(one.name));
      const flags = (command.options ?? []).filter(
        (one) => /<(?:id|file|dir)>/.test(one.flags) && !neverUsed.includes(one.flags),
      );
      for (const one of [...ids, ...flags]) {
        expect(one.completes, `${command.words.join(' ')}: ${one.summary}`).toBeDefined();
      }
    }
  });

  it('that is an id or a file is a file when no id begins like that', async () => {
    const env = storedAccount(temporaryFolder(), 'https://media.example/api');
    await remembered(env, 'WorkRequest', { 'wr-1': 'Film' });
    const kindOf = async (word: string) =>
      (await ask(['fish', 'translation', 'check', 'wr-1', word], env)).kind;
    expect(await offered(['translation', 'check', 'w'], env)).toEqual(['wr-1']);
    for (const word of ['', 'sub', './']) expect(await kindOf(word)).toBe('file');
  });

  it('of columns goes on behind a comma, without those that are there', async () => {
    const columns = await offered(['asset', 'get', '--columns', '']);
    expect(columns).toEqual(['_id', 'name', 'type', 'usage', 'workflow.phase', 'created']);
    const next = await ask(['zsh', 'asset', 'get', '--columns=name,']);
    expect(next.space).toBe('nospace');
    expect(next.rows).toContain('--columns=name,_id:Id');
    expect(next.rows.join()).not.toContain('name,name');
  });

  it('of a shell, a setting, a method or a path is known', async () => {
    expect(await offered(['completion', ''])).toEqual(['bash', 'zsh', 'fish', 'powershell']);
    const keys = Object.keys(settingRules).map(settingKey);
    expect(await offered(['config', 'get', ''])).toEqual([
      ...['token-command', 'token-file'],
      ...['client-cert', 'client-key', 'service', ...keys.map((key) => key.toLowerCase())],
    ]);
    expect(await offered(['config', 'set', 'remember-ids', ''])).toEqual(['on', 'off']);
    expect(await offered(['config', 'set', 'page-size', ''])).toEqual([]);
    expect(await offered(['api', ''])).toEqual([
      ...['GET', 'DELETE', 'PUT', 'POST'],
      ...(await offered(['api', 'GET', ''])),
    ]);
    const posts = Object.values(endpoints).filter(({ method }) => method === 'POST');
    expect(await offered(['api', 'post', ''])).toEqual(posts.map((post) => post.path));
    expect(await offered(['api', 'GET', ''])).toContain('/assets/');
  });

  it('of a profile comes from the configuration', async () => {
    const profile = { baseUrl: 'https://media.example/api', email: 'a@b' };
    const profiles = { main: profile, 'evil\u001b[31m': profile };
    const file = temporaryFile(JSON.stringify({ profiles }), 'config.json');
    const env = { MAR_CONFIG_DIR: path.dirname(file) };
    expect(await offered(['whoami', '--profile', ''], env)).toEqual(['main']);
    expect(await offered(['profile', 'use', ''], env)).toEqual(['main']);
  });
});

describe('in doubt', () => {
  it.each([[[]], [['tcsh', 'asset', '']], [['--']], [['bash']], [['powershell']], [['zsh']]])(
    'nothing fails: %j',
    async (given) => {
      expect(await ask(given)).toHaveProperty('rows');
    },
  );

  it('a configuration that cannot be read offers nothing, and prints nothing', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'config.json'));
    expect(await offered(['whoami', '--profile', ''], { MAR_CONFIG_DIR: folder })).toEqual([]);
    expect(await offered(['asset', 'get', ''], { MAR_BASE_URL: 'not a url' })).toEqual([]);
  });
});

it('behind mar sandbox set ID: the fields of all records', async () => {
  const fields = await offered(['sandbox', 'set', 'a-1001', '']);
  expect(fields).toEqual(expect.arrayContaining(['name=', 'usage.online=', 'due.date=']));
  expect(new Set(fields).size).toBe(fields.length);
  expect(await offered(['sandbox', 'set', 'a-1001', 'x=1', ''])).toEqual(fields);
});
