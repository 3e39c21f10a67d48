import { describe, expect, it } from 'vitest';
import { parse } from '../../src/program/parse.ts';
import { isNoun, table } from '../../src/program/table.ts';
import { mar } from '../harness/mar.ts';
import { refused } from '../harness/marWith.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { commandLineWords } from '../words/commandLine.ts';

const guesses = {
  wr: 'list ls search find update edit put set delete rm upload download status watch wr-2001',
  asset: 'list search find create new delete remove upload download update show export',
  translation: 'get list show update delete upload create download import',
  file: 'get show upload download create update delete search find',
  preview: 'get list create delete update upload download',
  offline: 'get list create delete update upload download',
  downloads: 'get search delete create a-1001',
  notification: 'list search get create update delete n-3001',
  event: 'get list create delete update',
  user: 'get show find create add delete update edit',
  config: 'show edit delete download',
  batch: 'show find create run resume edit delete export',
};

const firstWords = `project projects studio studios group territory list get show create edit put
  delete rm upload status ping export check submit history wait open upgrade environment flags
  exit-codes stolen xyzzy`;

const lines = [
  ...Object.entries(guesses).flatMap(([noun, verbs]) =>
    verbs.split(' ').map((verb) => `${noun} ${verb}`),
  ),
  ...firstWords.split(/\s+/),
  'project list',
  'project get p-1',
];

const placeholders = /\b(?:WORK_REQUEST_ID|ID|FILE|PATH|METHOD|NAME|STATUS|WORDS)\b/g;

/** Each command that a hint says to run must exist, and so must each command that it mentions. */
async function checkCommands(hint: string): Promise<void> {
  const advised = new RegExp(`(?:run: |${commandLineWords.didYouMean('')})(mar .*?)\\??$`);
  const [, last] = advised.exec(hint) ?? [];
  if (last !== undefined && !/^mar (?:help|--help)/.test(last)) {
    const words = last.replace(placeholders, 'x-1').match(/'[^']*'|\S+/g) ?? [];
    const argv = words.slice(1).map((word) => word.replaceAll("'", ''));
    const isExact = hint.includes('run: ');
    const parsed = await parse(isExact ? argv : [...argv, '--help']);
    expect(['run', 'help'], hint).toContain(parsed.kind);
  }
  for (const [, word, verb = ''] of hint.matchAll(/\bmar ([a-z-]+)(?: ([a-z-]+))?/g)) {
    const entry = table.find(({ name }) => name === word);
    if (!entry || !isNoun(entry) || verb.startsWith('--')) continue;
    if (verb === '' && entry.load) continue;
    expect(Object.keys(entry.verbs), hint).toContain(verb);
  }
}

describe('a command that does not exist', () => {
  it.each(lines)('mar %s names only commands that exist, and sends nothing', async (line) => {
    const env = { MAR_TOKEN: 't', MAR_EMAIL: 'a@b', MAR_BASE_URL: 'http://127.0.0.1:1/api' };
    const run = await mar(line.split(' '), { env });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    const [message = '', ...hints] = run.stderr.trimEnd().split('\n');
    expect(message).toMatch(/^error: .* "[^"]+"(?:: [a-z].*[^.])?$/);
    expect(hints.length).toBeGreaterThan(0);
    for (const hint of hints) {
      expect(hint).toMatch(/^ {2}(?:[A-Z]|mar )/);
      await checkCommands(hint);
    }
  });

  it.each([
    ['stolen', 'the account settings', 'mar login'],
    ['stolen', 'the account settings', 'mar sandbox set u-ines password=new'],
    ['wr list', commandLineWords.cannotList('work requests'), 'mar wr get ID'],
    ['asset search', commandLineWords.cannotList('assets'), 'mar find WORDS --kind asset'],
    ['wr update', commandLineWords.cannotChange('work requests'), 'mar wr open ID'],
    ['wr delete', commandLineWords.cannotDelete('work requests'), 'mar wr open ID'],
    ['wr cancel', commandLineWords.cannotDelete('work requests'), 'mar wr open ID'],
    ['asset list', commandLineWords.cannotList('assets'), 'mar asset get ID'],
    ['asset create', 'the API does not say how to create such a record', 'mar asset put --help'],
    ['asset delete', commandLineWords.cannotDelete('assets'), 'mar asset get'],
    ['project list', commandLineWords.noRequestsFor('projects'), 'mar find WORDS --kind project'],
    ['studio', commandLineWords.noRequestsFor('studios'), 'mar file list'],
    ['order', 'an order is a work request', 'mar wr create --help'],
    ['notification list', commandLineWords.cannotList('notification'), 'mar notification show ID'],
    ['user get', commandLineWords.notSingle('user'), 'mar user list --all'],
    ['file get', commandLineWords.notSingle('file'), 'mar file list --all'],
    ['file upload', 'no request that uploads content', 'mar file upload-meta PATH'],
    ['file download', commandLineWords.noDownload, 'mar file list'],
    ['translation download', commandLineWords.noDownload, 'mar translation export'],
    ['download a-1001', commandLineWords.notSingle('download'), 'mar downloads list'],
    ['translation get', commandLineWords.notSingle('translation'), 'mar translation export'],
    ['translation import', 'no request that uploads content', 'mar wr open ID'],
    ['offline get', commandLineWords.notSingle('offline file'), 'mar wr get ID'],
    ['wr wr-2001', '', 'mar wr get wr-2001'],
    ['batch resume', '', 'mar wr create --batch FILE'],
  ])('mar %s gets its reason and its command: %s', async (line, reason, command) => {
    const { stderr } = await mar(line.split(' '));
    const [message, ...hints] = stderr.split('\n');
    expect(message).toContain(reason);
    expect(hints.join('\n')).toContain(command);
  });

  it.each([
    ...'update updte edit patch write delete list search gets show'.split(' '),
    // A suggestion differs in one letter or two.
    'crt',
  ])('mar wr %s never suggests to create a work request', async (verb) => {
    const { stderr } = await mar(['wr', verb]);
    expect(stderr).not.toContain(commandLineWords.didYouMean('mar wr create'));
  });

  it.each([
    ['notifcatoin', 'mar notification'],
    ['wr crate', 'mar wr create'],
    ['help aset', 'mar help asset'],
    ['aset --help', 'mar asset'],
    ['help wr craete', 'mar wr create'],
    ['help enviroment', 'mar help environment'],
    ['exit-code', 'mar help exit-codes'],
    ['whoami --jsno', '--json'],
    ['file list --page-sise 5', '--page-size'],
    ['wr create --sett a=1', '--set'],
  ])('mar %s gets the nearest word', async (line, word) => {
    expect(await refused(line.split(' '))).toContain(`  ${commandLineWords.didYouMean(word)}?\n`);
  });
});

it.each([
  ['wr create --project p-1', '--set project._id=ID'],
  ['wr create --studio s-1', '--set studio=VALUE'],
  ['wr get --asset a-1', 'run: mar wr get --help'],
  ['whoami --token=secret', 'MAR_TOKEN'],
  ['login --password secret', '--password-stdin'],
  ['wr get --constructor', 'run: mar wr get --help'],
  ['wr get -x', 'run: mar wr get --help'],
])('a flag that does not exist gets the closest thing: mar %s', async (line, hint) => {
  const stderr = await refused(line.split(' '));
  expect(stderr).toMatch(/^error: .* -{1,2}[a-z]+ for mar [a-z ]+\n/);
  expect(stderr).toContain(hint);
  expect(stderr).not.toContain('secret');
});

it.each([
  ['wr create --dry-run=true', commandLineWords.alone('--dry-run')],
  ['wr create --yes=1 --dry-run', commandLineWords.alone('--yes')],
  ['whoami --json=yes', commandLineWords.alone('--json')],
  ['--dry-run wr create', 'mar wr create --dry-run'],
  ['--set=name=x asset put', 'mar asset put --set'],
])('a flag that exists is not called unknown: mar %s', async (line, hint) => {
  const stderr = await refused(line.split(' '));
  expect(stderr).not.toContain(commandLineWords.unknownFlag);
  expect(stderr).toContain(hint);
});

it.each([
  ['aset', `${commandLineWords.unknownCommand} "aset"`],
  ['wr get', commandLineWords.missingArgument('id')],
  ['wr wait', 'missing argument <id>'],
  ['wr wait --status complete', commandLineWords.missingArgument('id')],
  ['wr create --status done', `${commandLineWords.unknownFlag} --status for mar wr create`],
  ['whoami me', `${commandLineWords.tooManyArguments}: expected 0, got 1`],
  ['whoami --timeout', `${commandLineWords.missingValue} for --timeout <duration>`],
  ['whoami -o xml', `${commandLineWords.invalidValue} "xml" for -o, --output-format <format>\n`],
  ['completion', commandLineWords.missingArgument('shell')],
  [
    'completion tcsh',
    `${commandLineWords.invalidValue} "tcsh" for <shell>\n  Allowed values: bash, zsh, fish, powershell\n`,
  ],
  ["whoami -o it's", `${commandLineWords.invalidValue} "it's" for -o`],
])('mar %s is a mistake', async (line, text) => {
  expect(await refused(line.split(' '))).toContain(`error: ${text}`);
});

it.each([
  ['wr create --language fra --language deu', '--language', 'fra', 'deu'],
  ['wr create -f a.json --file=b.json', '--file', 'a.json', 'b.json'],
  ['--profile a whoami --profile b', '--profile', 'a', 'b'],
  ['wr wait wr-1 --timeout 1s --timeout 2s', '--timeout', '1s', '2s'],
  ['whoami -o csv -o yaml', '--output-format', 'csv', 'yaml'],
  ['translation submit --status a --status b', '--status', 'a', 'b'],
])('mar %s has two values for %s', async (line, flag, one, other) => {
  const twoValues = commandLineWords.twoValues(flag, one, other);
  expect(await refused(line.split(' '))).toContain(twoValues);
});

it.each(['--timeout 9s --timeout 9s', '--json --json', '-o json -o json'])(
  'a flag may be repeated with the same value: mar schema wr %s',
  async (flags) => {
    const run = await mar(['schema', 'wr', ...flags.split(' ')]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
  },
);

describe('on a terminal, messages', () => {
  it.each([40, 80])('of %i columns wrap at words', async (columns) => {
    const env = { NO_COLOR: '1' };
    for (const line of lines) {
      const { stderr } = await mar(line.split(' '), { columns, env });
      const plain = await mar(line.split(' '), { env });
      const joined = stderr.replace(/ \\\n +/g, ' ').replace(/\s+/g, ' ');
      expect(joined).toBe(plain.stderr.replace(/\s+/g, ' '));
      for (const part of stderr.split('\n')) {
        const unbroken = part.trim().replace(/'[^']*'/g, 'quoted');
        if (unbroken.includes(' ')) expect(part.length, part).toBeLessThanOrEqual(columns);
      }
    }
  });

  it('keep secrets hidden where a line breaks', async () => {
    const secret = 'correct horse battery staple';
    const body = JSON.stringify({ message: `the password ${secret} is not known to this service` });
    const server = await recordingServer({ status: 401, body });
    const env = { MAR_BASE_URL: server.baseUrl };
    const argv = ['login', '--email', 'a@b.example', '--password-stdin', '--insecure-storage'];
    const { stderr } = await mar(argv, { env, columns: 40, stdin: secret });
    expect(stderr).toContain('not known');
    expect(stderr).not.toMatch(/horse|battery/);
  });

  it('that are warnings wrap too, but a trace does not', async () => {
    const server = await recordingServer('{"_id":"a-1001","created":"not a number at all"}');
    const env = { ...server.env, NO_COLOR: '1' };
    const run = (...flags: string[]) =>
      mar(['asset', 'get', 'a-1001', ...flags], { env, columns: 40 });
    const warning = (await run()).stderr;
    expect(warning).toMatch(/^warning: .*\n {2}\S/);
    for (const part of warning.split('\n')) expect(part.length).toBeLessThanOrEqual(40);
    const trace = (await run('--debug')).stderr;
    expect(trace.split('\n').some((part) => part.length > 40)).toBe(true);
  });
});
