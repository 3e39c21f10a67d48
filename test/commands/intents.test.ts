import { describe, expect, it } from 'vitest';
import { isNoun, table } from '../../src/commands/table.ts';
import { parse } from '../../src/program.ts';
import { mar } from '../harness/mar.ts';
import { refused } from '../harness/marWith.ts';
import { recordingServer } from '../harness/recordingServer.ts';

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

const firstWords = `project projects studio studios group territory list ls search
  get show create new update edit delete rm upload status ping init setup auth signin register
  signout who me account token settings configure demo serve subtitles srt export check submit
  history wait open request media import undo curl rest openapi fields env docs man upgrade
  environment flags exit-codes xyzzy`;

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
  const [, last] = /(?:run: |Did you mean )(mar .*?)\??$/.exec(hint) ?? [];
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
    const [message = '', hint = '', ...rest] = run.stderr.trimEnd().split('\n');
    expect(rest).toEqual([]);
    expect(message).toMatch(/^error: unknown command "[^"]+"(?:: [a-z].*[^.])?$/);
    expect(hint).toMatch(/^ {2}(?:[A-Z]|mar )/);
    await checkCommands(hint);
  });

  it.each([
    ['wr list', 'the service cannot list or search work requests', 'mar wr get ID'],
    ['asset search', 'the service cannot list or search assets', 'mar find WORDS --kind asset'],
    ['user find', 'unknown command', 'mar find WORDS --kind user'],
    ['file search', 'unknown command', 'mar find WORDS --kind file'],
    ['search', 'unknown command', 'mar find WORDS'],
    ['wr update', 'the service cannot change a work request', 'mar wr open ID'],
    ['wr delete', 'the service cannot delete a work request', 'mar wr open ID'],
    ['asset list', 'the service cannot list or search assets', 'mar asset get ID'],
    ['asset create', 'the API does not say how to create such a record', 'mar asset put --help'],
    ['asset delete', 'the service cannot delete records', 'mar asset --help'],
    ['project list', 'the service has no requests for projects', 'mar find WORDS --kind project'],
    ['studio', 'the service has no requests for studios', 'mar file list'],
    ['notification list', 'the service cannot list notifications', 'mar notification show ID'],
    ['user get', 'the service cannot look up one user by id', 'mar user list --all'],
    ['file get', 'the service cannot return a single file', 'mar file list --all'],
    ['file upload', 'no request that uploads content', 'mar file upload-meta PATH'],
    ['file download', 'no request that downloads a file', 'mar file list'],
    ['download a-1001', 'no request that downloads a file', 'mar downloads list'],
    ['translation get', 'only as part of their work request', 'mar translation export'],
    ['translation import', 'the API does not accept lines', 'mar wr open ID'],
    ['status', 'status', 'mar doctor'],
    ['ls', 'starts with the kind of record', 'mar file list'],
    ['wr wr-2001', 'unknown command', 'mar wr get wr-2001'],
    ['batch resume', 'starts and resumes a batch', 'mar wr create --batch FILE'],
    ['batch show', 'unknown command', 'mar batch status'],
    ['undo', 'unknown command', 'mar batch undo FILE'],
  ])('mar %s gets its command: %s', async (line, fact, command) => {
    const { stderr } = await mar(line.split(' '));
    const [message, hint] = stderr.split('\n');
    expect(message).toContain(fact);
    expect(hint).toContain(command);
  });

  it.each([
    ...'update updte edit patch write delete list search gets show'.split(' '),
    // A suggestion differs in one letter or two.
    'crt',
  ])('mar wr %s never suggests to create a work request', async (verb) => {
    const { stderr } = await mar(['wr', verb]);
    expect(stderr).not.toContain('Did you mean mar wr create');
  });

  it.each([
    ['asset show', 'Did you mean mar asset get?'],
    ['asset update', 'Did you mean mar asset put?'],
    ['notification get', 'Did you mean mar notification show?'],
    ['translation create', 'Did you mean mar translation submit?'],
    ['config remove', 'Did you mean mar config unset?'],
    ['file ls', 'Did you mean mar file list?'],
    ['notifcatoin', 'Did you mean mar notification?'],
    ['wr crate', 'Did you mean mar wr create?'],
    ['ntfctn', 'To see all commands, run: mar --help'],
  ])('mar %s gets the word that mar uses, or means', async (line, hint) => {
    expect(await refused(line.split(' '))).toContain(hint);
  });
});

const board =
  'mar today, mar wr board, mar wr create, mar translation submit, mar file list, mar file upload-meta';

it.each([
  ['wr create --project p-1', 'To set this field, use --set project._id=ID.'],
  ['wr create --studio s-1', 'To set this field, use --set studio=VALUE.'],
  ['asset get --asset a-1', 'Give the id without a flag: mar asset get ID'],
  ['file list --country FRA', `use --jq 'select(.country == "VALUE")'`],
  ['downloads list --asset a-1', `use --jq 'select(.asset._id == "VALUE")'`],
  ['wr get --asset a-1', `It is a flag of ${board}.`],
  ['wr get --format json', 'use -o FORMAT'],
  ['whoami --token=secret', 'Set MAR_TOKEN'],
  ['login --password secret', '--password-stdin'],
  ['wr get --constructor', 'To see the flags of mar wr get, run: mar wr get --help'],
  ['wr get -x', 'To see the flags of mar wr get, run: mar wr get --help'],
  ['wr create --sett a=1', 'Did you mean --set?'],
])('a flag that does not exist gets the closest thing: mar %s', async (line, hint) => {
  const stderr = await refused(line.split(' '));
  expect(stderr).toMatch(/^error: unknown flag -{1,2}[a-z]+ for mar [a-z ]+\n/);
  expect(stderr).toContain(hint);
  expect(stderr).not.toContain('secret');
});

it.each([
  ['wr create --dry-run=true', '--dry-run takes no value', 'Write --dry-run alone.'],
  ['wr create --yes=1 --dry-run', '--yes takes no value', 'Write --yes alone.'],
  ['whoami --json=yes', '--json takes no value', 'Write --json alone.'],
  ['--dry-run wr create', '--dry-run stands before its command', 'mar wr create --dry-run'],
  ['--set=name=x asset put', '--set stands before its command', 'mar asset put --set'],
])('a flag that exists is not called unknown: mar %s', async (line, problem, hint) => {
  const stderr = await refused(line.split(' '));
  expect(stderr).toMatch(`error: ${problem}\n`);
  expect(stderr).toContain(hint);
});

it.each([
  ['wr create --batch rows.csv --status', 'mar batch status rows.csv'],
  ['user put --batch=rows.csv --status', 'mar batch status rows.csv'],
  ['translation submit --batch rows.csv --status', 'mar batch status rows.csv'],
  ['wr create --batch - --journal j --status', 'mar batch status j'],
  ['wr create --batch rows.csv --resolve', 'mar batch resolve rows.csv'],
  [
    'wr create --resolve 1=created --batch rows.csv --resolve=2=retry',
    'mar batch resolve rows.csv 1=created 2=retry',
  ],
  ['wr create --batch rows.csv --report r.csv', 'mar batch report rows.csv -O r.csv'],
  ['asset put --undo rows.csv.mar-journal', 'mar batch undo rows.csv.mar-journal'],
  ['asset put --undo', 'mar batch undo FILE'],
])('a flag that batches had names the command in its place: mar %s', async (line, command) => {
  const stderr = await refused(line.split(' '));
  expect(stderr).toMatch(/^error: --[a-z]+ of mar [a-z ]+ is now a command\n/);
  expect(stderr).toContain(`\n  Run: ${command}\n`);
});

it.each([
  ['wr get', 'missing argument <id>'],
  ['wr wait', '--status is required'],
  ['wr wait --status complete', 'missing argument <id>'],
  ['wr create --status done', 'unknown flag --status for mar wr create'],
  ['whoami me', 'too many arguments: expected 0, got 1'],
  ['whoami --timeout', 'missing value for --timeout <duration>'],
  [
    'whoami -o xml',
    'invalid value "xml" for -o, --output-format <format>\n  Allowed values: table, json',
  ],
  ['completion', 'missing argument <shell>'],
  [
    'completion tcsh',
    'invalid value "tcsh" for <shell>\n  Allowed values: bash, zsh, fish, powershell\n',
  ],
  ["whoami -o it's", `invalid value "it's" for -o`],
  [
    'wr create --language fra --language deu',
    '--language has two values: "fra" and "deu"\n  Give --language once.',
  ],
  ['wr create -f a.json --file=b.json', '--file has two values: "a.json" and "b.json"'],
  ['--profile a whoami --profile b', '--profile has two values: "a" and "b"'],
  ['wr wait wr-1 --timeout 1s --timeout 2s', '--timeout has two values: "1s" and "2s"'],
  ['whoami -o csv -o yaml', '--output-format has two values: "csv" and "yaml"'],
  ['translation submit --status a --status b', '--status has two values: "a" and "b"'],
])('mar %s is a mistake', async (line, text) => {
  expect(await refused(line.split(' '))).toContain(`error: ${text}`);
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
