import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { groups, roles } from '../../../src/core/api/service.ts';
import { startAgent } from '../../harness/agent.ts';
import { fakeService } from '../../harness/fakeService.ts';
import { jsonLines } from '../../harness/jsonLines.ts';
import { mar, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { account } from '../../harness/recordingServer.ts';
import { storedAccount } from '../../harness/storedAccount.ts';
import { requestWords } from '../../words/requests.ts';
import { batchOf, numbered } from '../batch/harness.ts';
import { onBoard } from './boardRecords.ts';

const person = { columns: 80 };
const day = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => Date.now() - days * day;

const user = (id: string, name: string, territory?: string) => ({
  _id: id,
  name,
  emailNormal: `${id}@desk.example`,
  groups: [{ _id: `g-${territory}`, name: `Desk ${territory}` }],
  ...(territory && { territory: { code: territory } }),
});
const ines = user('u-ines', 'Inês Carvalho', 'USA');
const marc = user('u-marc', 'Marc Dubois', 'FRA');
const lea = user('u-lea', 'Léa Petit', 'FRA');
const greta = user('u-greta', 'Greta Vogel', 'DEU');

type Response = string | number | ((count: number) => string | number);

/** A machine that follows these work requests, at a service with these users. */
async function desk(
  records: Record<string, Response>,
  { users = [ines, marc, lea, greta] as object[] | number, follows = Object.keys(records) } = {},
) {
  const paths: string[] = [];
  const { env: target } = await fakeService(({ method, path: asked, headers }) => {
    paths.push(asked);
    // Lists have one page.
    if (/=[1-9]/.test(String(headers['x-range'] ?? ''))) return '[]';
    if (asked === '/session') return typeof users === 'number' ? users : JSON.stringify(users);
    const found = records[asked.split(/[/?]/)[asked.startsWith('/downloads') ? 1 : 2] ?? ''] ?? 404;
    if (method !== 'GET') return 500;
    return typeof found === 'function' ? found(paths.filter((one) => one === asked).length) : found;
  });
  const env = storedAccount(temporaryFolder(), target.MAR_BASE_URL ?? '');
  const run = (argv: readonly string[], more: object = {}) =>
    mar([...argv, '--no-color'], { env, ...more });
  if (follows.length > 0) await run(['wr', 'track', ...follows]);
  const today = (...flags: string[]) => run(['today', ...flags], person);
  const json = async (...flags: string[]) =>
    JSON.parse((await run(['today', '--json', ...flags])).stdout);
  return { env, run, today, json, paths, target };
}

const translated = { translation: { translator: marc }, from: ines };

describe('whom a work request waits for', () => {
  const elsewhere = { ...translated, territory: 'XX' };
  it.each([
    ['incomplete', translated, ['Inês Carvalho'], 'open:orderer', 'from'],
    ['awaiting-materials', translated, ['Inês Carvalho'], 'blocked:orderer', 'from'],
    ['in-progress', translated, ['Marc Dubois'], 'open:translator', 'translation.translator'],
    [
      'rejected',
      { translation: { translator: marc }, graphicsTranslation: { translator: greta } },
      ['Marc Dubois', 'Greta Vogel'],
      'blocked:translator',
      'translation.translator',
    ],
    [
      'awaiting-approval',
      { ...translated, recipients: { Online: ['u-greta'] } },
      ['Marc Dubois', 'Léa Petit'],
      'blocked:territory',
      'territory',
    ],
    [
      'awaiting-approval',
      { ...elsewhere, recipients: { Online: ['u-greta'], Rgb: ['u-greta'] } },
      ['Greta Vogel'],
      'blocked:territory',
      'recipients.Online',
    ],
    [
      'awaiting-approval',
      { ...elsewhere, recipients: {} },
      ['Inês Carvalho'],
      'blocked:territory',
      'from',
    ],
  ])('follows from the status %s', async (status, fields, names, rule, field) => {
    const record = onBoard('wr-1', { status, dueInDays: -1, ...fields });
    const { json, today } = await desk({ 'wr-1': record });
    const [{ board }] = await json();
    expect(board.waitsFor.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(board.waitsFor[0].because).toBe(`status.${status}=${rule} (assumed); ${field}`);
    expect((await today()).stdout).toMatch(/ \(\w+; assumed\)\n/);
    expect((await today()).stdout).toContain(`${requestWords.waitsFor(names.join(', '))} (`);
  });

  const phases = { WIP: { groups: [], users: ['u-greta'] } };
  const workflow = { phase: 'WIP', definition: { phases } };
  const asset = { _id: 'a-1', name: 'Trailer', workflow };

  it.each([
    ['on-the-moon', requestWords.noRule('on-the-moon', 'u-greta')],
    ['in-progress', requestWords.noTranslator('u-greta')],
  ])('is not known for %s without a rule or a name, and the line says so', async (status, line) => {
    const record = onBoard('wr-1', { status, dueInDays: -1, asset });
    const { today, json } = await desk({ 'wr-1': record });
    expect((await today()).stdout).toContain(`    ${line}\n`);
    expect((await json())[0].board.waitsFor).toEqual([]);
  });

  it('is what the service of the profile has, and then not assumed', async () => {
    const record = (id: string, status: string) =>
      onBoard(id, { status, dueInDays: -1, ...translated });
    const { run, json, env } = await desk({
      'wr-1': record('wr-1', 'On-The-Moon'),
      'wr-2': record('wr-2', 'in-progress'),
      'wr-3': record('wr-3', 'rejected'),
    });
    const status = {
      'on-the-moon': 'open:translator',
      'In-Progress': 'open:orderer',
      rejected: 'blocked:nobody',
    };
    const own = { ...env, MAR_SERVICE: temporaryFile(JSON.stringify({ status }), 'service.json') };
    const { stdout, stderr } = await run(['today'], { env: own, ...person });
    const [marcs, ineses] = ['Marc Dubois', 'Inês Carvalho'].map(requestWords.waitsFor);
    expect(stdout).toMatch(new RegExp(`wr-1(?:.*\n){2} *${marcs} \\(translator\\)`));
    expect(stdout).toMatch(new RegExp(`wr-2(?:.*\n){2} *${ineses} \\(orderer\\)`));
    expect(stdout).toMatch(new RegExp(`wr-3(?:.*\n){2} *${requestWords.waitsForNobody}`));
    expect(stderr).toBe('');
    const mails = await run(['today', '--by', 'person'], { env: own });
    expect(mails.stdout).not.toContain(requestWords.byReading('translator'));
    const before = await json();
    expect(before.map(({ board }: { board: { meaning: string } }) => board.meaning).sort()).toEqual(
      [...['blocked', 'open', 'unknown']],
    );
    expect((await run(['config', 'get', 'waits-for.in-progress'])).code).toBe(2);
  });

  it('is assumed as far as the service of the profile does not have it', async () => {
    const fields = { dueInDays: -1, asset, ...translated, recipients: {} };
    const { run, env } = await desk({
      'wr-1': onBoard('wr-1', { ...fields, status: 'incomplete' }),
      'wr-2': onBoard('wr-2', { ...fields, status: 'rejected' }),
    });
    const status = { incomplete: 'open:recipients', rejected: 'open' };
    const own = { ...env, MAR_SERVICE: temporaryFile(JSON.stringify({ status }), 'service.json') };
    const { stdout } = await run(['today'], { env: own, ...person });
    expect(stdout).toContain(`${requestWords.waitsFor('Inês Carvalho')} (orderer; assumed)`);
    expect(stdout).toContain(`    ${requestWords.noRoleSet('u-greta')}\n`);
    const mails = await run(['today', '--by', 'person'], { env: own });
    expect(mails.stdout).toContain(requestWords.byReading('orderer'));
  });

  it('is told without the territory if the account may not list users', async () => {
    const fields = { status: 'awaiting-approval', dueInDays: -1, ...translated };
    const { today } = await desk({ 'wr-1': onBoard('wr-1', fields) }, { users: 403 });
    const { stdout, stderr, code } = await today();
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('Inês Carvalho (orderer; assumed)'),
    ]);
    expect(stderr).toContain(requestWords.noTerritoryUsers);
    // The list of users is needed only for an approval.
    const other = await desk({ 'wr-1': onBoard('wr-1', translated) });
    await other.today();
    expect(other.paths).not.toContain('/session');
  });

  it('is on the card of wr get too, with the rule and its basis, and not in what programs read', async () => {
    const approval = { status: 'awaiting-approval', ...translated };
    const { run } = await desk({ 'wr-1': onBoard('wr-1', approval) });
    const { stdout } = await run(['wr', 'get', 'wr-1'], person);
    expect(stdout).toMatch(/^ {2}Waits for +Marc Dubois, Léa Petit \(territory; assumed\)$/m);
    expect(stdout).toMatch(
      /^ {2}Rule +assumed: awaiting-approval waits for the territory; to change it:/m,
    );
    expect((await run(['wr', 'get', 'wr-1', '--json'])).stdout).toBe(
      `${onBoard('wr-1', approval)}\n`,
    );
  });

  it('is you for the own account, on a screen', async () => {
    const me = { ...greta, emailNormal: account.MAR_EMAIL };
    const record = onBoard('wr-1', { dueInDays: -1, translation: { translator: me } });
    const { run, today, json } = await desk({ 'wr-1': record });
    const you = requestWords.waitsFor('you (translator; assumed)');
    expect((await today()).stdout).toContain(you);
    expect((await run(['wr', 'get', 'wr-1'], person)).stdout).toContain(
      'you (translator; assumed)',
    );
    expect((await json())[0].board.waitsFor).toMatchObject([{ name: 'Greta Vogel' }]);
    expect((await run(['today', '--by', 'person'])).stdout).toMatch(/^Greta Vogel </);
  });

  it('is written as mails to a file', async () => {
    const { run } = await desk({ 'wr-1': onBoard('wr-1', { dueInDays: -1, ...translated }) });
    const file = path.join(temporaryFolder(), 'mail.txt');
    expect((await run(['today', '--by', 'person', '-O', file])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toMatch(
      /^Marc Dubois <u-marc@desk\.example>: 1 work request\n/,
    );
  });

  it('makes a block for each person, with links, ready for a mail', async () => {
    const urls = { view: 'https://desk.example/wr/:workRequest' };
    const incomplete = { ...translated, status: 'incomplete', missing: ['script'], dueInDays: 9 };
    const { run } = await desk({
      'wr-1': onBoard('wr-1', { ...translated, urls, dueInDays: -5 }),
      'wr-2': onBoard('wr-2', incomplete),
      'wr-3': onBoard('wr-3', { ...translated, dueInDays: 20 }),
    });
    const { stdout } = await run(['today', '--by', 'person']);
    expect(stdout).toMatch(
      /^Marc Dubois <u-marc@desk\.example>: 1 work request\n\n- wr-1, Harbor Lights, Trailer 2, fra, FRA\n {2}due .* \(overdue 5 d\)\n {2}in-progress for 7 d\n {2}waits .*\n {2}https:\/\/desk\.example\/wr\/wr-1\n\nInês Carvalho <.*>: 1 work request\n\n- wr-2[\s\S]*missing script\n {2}waits .*\n\n$/,
    );
    for (const role of ['translator', 'orderer'])
      expect(stdout).toContain(requestWords.byReading(role));
    const { stdout: csv } = await run(['today', '--late', '--by', 'person', '-o', 'csv']);
    expect(csv.split(/\r?\n/)[1]).toMatch(/^Marc Dubois,u-marc@desk.example,wr-1,in-progress,/);
  });

  it('has no block for what is finished', async () => {
    const { run } = await desk({ 'wr-1': onBoard('wr-1', { status: 'complete', sinceDays: 1 }) });
    const mails = await run(['today', '--status', 'complete', '--by', 'person']);
    expect(mails.stdout).not.toContain('wr-1');
  });
});

describe('what changed', () => {
  const history = [
    { status: 'incomplete', date: daysAgo(9), user: ines },
    { status: 'in-progress', date: daysAgo(3), user: marc },
    { status: 'awaiting-approval', date: daysAgo(0.5), user: marc, reason: 'Please look' },
  ];
  const changed = onBoard('wr-1', { status: 'awaiting-approval', dueInDays: 20, history });

  it('since a time is in the history of the records', async () => {
    const { run, today, json } = await desk({
      'wr-1': changed,
      'wr-2': onBoard('wr-2', { dueInDays: -0.5 }),
      'wr-3': onBoard('wr-3', { dueInDays: -5 }),
      'wr-4': onBoard('wr-4', { dueInDays: 5 }),
    });
    const { stdout } = await today('--since', '1d');
    expect(stdout).toMatch(/Became late since .* \(1\)\n {2}wr-2/);
    expect(stdout).toMatch(
      /Changed status since .* \(1\)\n {2}wr-1 [\s\S]*, Marc Dubois: in-progress →\s+awaiting-approval; Please\s+look/,
    );
    expect(stdout).not.toMatch(/wr-[34]/);
    expect(stdout.replace(/\s+/g, ' ')).toContain(requestWords.followed('4'));
    const changes: Record<string, string>[] = await json('--since', '4d');
    expect(changes.map(({ _id, by, from, to }) => `${_id}: ${from} → ${to}, ${by}`)).toEqual([
      'wr-1: incomplete → in-progress, Marc Dubois',
      'wr-2: in-progress → late, null',
      'wr-1: in-progress → awaiting-approval, Marc Dubois',
    ]);
    const file = path.join(temporaryFolder(), 'late.csv');
    const late = ['today', '--late', '--fail-late', '--since'];
    const night = await failure(3, run([...late, '1d', '-O', file]));
    expect(night).toMatch(/^error: 1 work request /m);
    expect(readFileSync(file, 'utf8')).toMatch(
      /^_id,at,by,from,to,reason,due[^\n]*\nwr-2,\d{4}-[^\n]*\n$/,
    );
    const nothing = await run([...late, '1h', '-o', 'csv']);
    expect(nothing.code).toBe(0);
    expect(nothing.stdout).toMatch(/^_id,at,by,from,to,reason,due[^\n]*\n$/);
    expect(nothing.stderr).toContain(requestWords.lateBefore(2));
    const mails = await today('--late', '--since', '1d', '--by', 'person');
    expect(mails.stdout).toContain('wr-2');
    expect(mails.stdout).not.toMatch(/wr-[134]/);
    expect((await today('--since', 'soon')).code).toBe(2);
  });

  it('has one count for the orders of the reader, which are no news', async () => {
    const order = (id: string, from: object, dueInDays = 5) =>
      onBoard(id, {
        from,
        dueInDays,
        history: [{ status: 'in-progress', date: daysAgo(0.9), user: from }],
      });
    const me = { ...ines, emailNormal: 'ines@northlight.example' };
    const { today, json } = await desk({
      'wr-1': order('wr-1', me),
      'wr-2': order('wr-2', me),
      'wr-3': order('wr-3', marc),
      'wr-4': order('wr-4', me, -0.5),
    });
    const { stdout } = await today('--since', '1d');
    expect(stdout).toMatch(/^ {2}wr-3 /m);
    expect(stdout).toMatch(/^ {2}wr-4 /m);
    expect(stdout).not.toMatch(/wr-[12]/);
    expect(stdout).toContain('; 2 ordered by you;');
    expect(new Set((await json('--since', '1d')).map(({ _id }: { _id: string }) => _id)).size).toBe(
      4,
    );
  });

  it('does not fail a job if it is late for longer', async () => {
    const late = onBoard('wr-1', { status: 'awaiting-approval', dueInDays: -5, history });
    const { run } = await desk({ 'wr-1': late });
    expect((await run(['today', '--since', '1d', '--fail-late'])).code).toBe(0);
    expect((await run(['today', '--fail-late'])).code).toBe(3);
  });

  it('since the user looked is kept until a person has seen it', async () => {
    const { run, today, env } = await desk({
      'wr-1': (count) =>
        onBoard('wr-1', { dueInDays: 9, status: count < 2 ? 'wip' : 'in-progress' }),
    });
    const isNews = async () =>
      (await run(['today', '--json'])).stdout.includes('"group":"changed"');
    await today();
    const folder = temporaryFolder();
    const piped = ['today', 'today --json', 'today -o table', 'today --all --jsonl', 'wr get wr-1'];
    const onScreen = [
      ...['today --json', 'today --jq ._id', 'today -o csv', 'today --columns _id'],
      ...[`today -O ${folder}/a.csv`, `today -O ${folder}/a.xlsx`, 'today --since 1d'],
    ];
    for (const line of [...piped, 'wr history wr-1 --json', ...onScreen]) {
      await run(line.split(' '), onScreen.includes(line) ? person : {});
      expect(await isNews(), line).toBe(true);
    }
    const { client } = await startAgent([], env);
    await client.call('today');
    expect(await isNews()).toBe(true);
    expect((await today()).stdout).toContain(requestWords.changed('wip', 'in-progress'));
    expect(await isNews()).toBe(false);
  });
});

describe('the list that a user follows', () => {
  const harbor = { _id: 'p-1', name: 'The Harbor Light' };
  const german = { language: 'deu', territory: 'DEU', from: ines, status: 'incomplete' };
  const teaser = { _id: 'a-2', name: 'Teaser' };
  const records = {
    'wr-1': onBoard('wr-1', { dueInDays: -2, project: harbor, ...translated }),
    'wr-2': onBoard('wr-2', { dueInDays: 2, ...german }),
    'wr-3': onBoard('wr-3', { dueInDays: 9, asset: teaser, ...translated }),
  };

  it('has nothing that was only opened, and if it is empty, today says how to fill it', async () => {
    const { run, today, json, paths } = await desk(records, { follows: [] });
    await run(['wr', 'get', 'wr-1']);
    paths.length = 0;
    const empty = await today();
    expect([empty.code, empty.stdout]).toEqual([0, '']);
    for (const way of ['mar wr track ID', 'mar today --from FILE']) {
      expect(empty.stderr).toContain(`run: ${way}\n`);
    }
    expect(await json()).toEqual([]);
    const mail = await run(['today', '--by', 'person']);
    expect(mail.stdout).toContain(requestWords.followsNothing);
    expect(paths).toEqual([]);
    await run(['wr', 'track', 'wr-2']);
    expect((await today()).stdout).toContain(requestWords.followed('1'));
    expect(paths).toEqual(['/workrequests/wr-2']);
  });

  it('fails a job that asks what is late if there is nothing to look at', async () => {
    const { run } = await desk(records, { follows: [] });
    const empty = temporaryFile('', 'team.txt');
    for (const flags of [[], ['--since', '1d', '-o', 'csv']]) {
      const stderr = await failure(2, run(['today', '--late', '--fail-late', ...flags]));
      expect(stderr).toContain('run: mar today --from FILE\n');
    }
    for (const flags of [[], ['--fail-late'], ['--by', 'person']]) {
      const { stdout, stderr } = await run(['today', '--from', empty, ...flags]);
      expect(stdout + stderr).toContain(requestWords.noIds(empty));
      expect(stderr).not.toContain('--from FILE');
    }
  });

  it.each([
    ['--late', 'wr-1'],
    ['--due=3d', 'wr-1 wr-2'],
    ['--status=INCOMPLETE', 'wr-2'],
    ['--language=deu|--language=xxx', 'wr-2'],
    ['--territory=fra', 'wr-1 wr-3'],
    ['--territory=fra|--late', 'wr-1'],
    ['--project=harbor light', 'wr-1'],
    ['--project=p-1', 'wr-1'],
    ['--asset=a-2', 'wr-3'],
    ['--asset=teaser', 'wr-3'],
    ['--waits-for=Ines', 'wr-2'],
    ['--waits-for=u-marc@desk.example', 'wr-1 wr-3'],
    ['--waits-for=desk fra', 'wr-1 wr-3'],
    ['--waits-for=Nobody', ''],
  ])('is filtered by %s', async (given, found) => {
    const { run, today } = await desk(records);
    const flags = given.split('|');
    const { stdout, code } = await run(['today', ...flags, '--jq', '._id']);
    expect([code, stdout.trim().replaceAll('\n', ' ')]).toEqual([0, found]);
    const screen = await today(...flags);
    for (const id of found.split(' ')) expect(screen.stdout).toContain(id && `  ${id} `);
  });

  it('knows who me is', async () => {
    const me = { ...user('u-me', 'Me Myself', 'USA'), emailNormal: account.MAR_EMAIL };
    const own = { 'wr-9': onBoard('wr-9', { translation: { translator: me } }), ...records };
    const { run } = await desk(own, { users: [ines, me] });
    expect((await run(['today', '--waits-for', 'me', '--jq', '._id'])).stdout).toBe('wr-9\n');
    const unlisted = await desk(own, { users: 403 });
    const byEmail = await unlisted.run(['today', '--waits-for', 'me', '--jq', '._id']);
    expect(byEmail).toMatchObject({ code: 0, stdout: 'wr-9\n' });
  });

  it.each([
    ['--language=due', requestWords.didYouMean('deu')],
    ['--waits-for=Gretta', ': Inês Carvalho, Marc Dubois'],
  ])('warns of %s, which matches nothing', async (flag, message) => {
    const { run } = await desk(records);
    const { code, stderr } = await run(['today', flag]);
    expect([code, stderr]).toEqual([0, expect.stringContaining(message)]);
  });

  it('has batches without a problem as one line, and shows what needs attention in the others', async () => {
    let count = 0;
    const target = await fakeService(({ method, path: asked }) => {
      if (method === 'POST') count += 1;
      const id = method === 'POST' ? `wr-${count}` : (asked.split('/').at(-1) ?? '');
      return onBoard(id, { dueInDays: id === 'wr-1' ? -1 : 9 });
    });
    const env = storedAccount(temporaryFolder(), target.baseUrl);
    const rows = numbered(9).trim().split('\n');
    for (const name of ['bad.jsonl', 'good.jsonl', 'fine.jsonl']) {
      await batchOf({ env }, rows.splice(0, 3).join('\n'), name).run();
    }
    const run = async (...argv: string[]) =>
      (await mar([...argv, '--no-color'], { env, ...person })).stdout;
    const stdout = await run('today');
    expect(stdout).toMatch(/Late \(1\)\n {2}wr-1 /);
    expect(stdout).toContain(`${requestWords.calmBatches(2)}: fine.jsonl, good.jsonl\n`);
    expect(stdout).not.toMatch(/wr-[2-9] /);
    expect(stdout).toContain(requestWords.followed('9'));
    expect(await run('today', '--batch', 'bad.jsonl')).toMatch(
      /Late \(1\)\n {2}wr-1 [\s\S]*Others \(2\)/,
    );
    const other = await mar(['today', '--batch', 'other.csv'], { env });
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('run: mar batch list\n'),
    });
  });
});

describe('mar today --person', () => {
  const records = {
    'wr-1': onBoard('wr-1', { ...translated, recipients: { Online: ['u-marc'] } }),
    'wr-2': onBoard('wr-2', { from: marc, status: 'complete' }),
    'wr-3': onBoard('wr-3', { from: ines }),
  };
  const download = { _id: 'd-1', user: 'u-marc', file: { name: 'master.mov' } };

  it('lists the work requests and downloads that carry a person, and says where it could not look', async () => {
    const { run, paths } = await desk(
      { ...records, downloads: JSON.stringify([download]) },
      { follows: Object.keys(records) },
    );
    const { stdout } = await run(['today', '--person', 'Marc Dubois', '--jq', '[._id, .as]']);
    expect(jsonLines(stdout).sort()).toEqual([
      ['d-1', 'downloader'],
      ['wr-1', 'translator, recipients'],
      ['wr-2', 'orderer'],
    ]);
    expect(paths.some((asked) => asked.startsWith('/downloads?user=u-marc'))).toBe(true);
    const screen = await run(['today', '--person', 'marc'], person);
    expect(screen.stdout).toMatch(/^wr +wr-2 +orderer/m);
    expect(screen.stderr.replace(/\s+/g, ' ')).toContain(requestWords.notSearched);
  });

  it('warns of work requests that it could not read', async () => {
    const { run } = await desk({ ...records, downloads: '[]' }, { follows: ['wr-1', 'wr-9'] });
    const { stderr } = await run(['today', '--person', 'u-marc'], person);
    expect(stderr).toMatch(/^warning: wr-9 /m);
  });

  it('says so if the downloads cannot be listed, and needs no list of its own', async () => {
    const { run } = await desk({ downloads: 403 }, { follows: [] });
    const { code, stdout, stderr } = await run(['today', '--person', 'u-marc']);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain(requestWords.noDownloads);
    expect(stderr).toContain('0 found in no work requests. ');
  });

  it('refuses a person whom the service does not have', async () => {
    const { run } = await desk(records);
    expect(await failure(2, run(['today', '--person', 'gretta']))).toContain(
      requestWords.unknownUser('gretta'),
    );
  });
});

describe('a status whose meaning is unknown', () => {
  const late = (status: string) => onBoard(`wr-${status}`, { status, dueInDays: -2 });
  const unknown = ['final-review', 'delivering', 'submitted', 'shipped'];
  const records = Object.fromEntries(
    [...unknown, 'complete', 'closed'].map((status) => [`wr-${status}`, late(status)]),
  );

  it('is not done: the request is late, and a note has the line that says what it means', async () => {
    const { run, json } = await desk(records);
    const { code, stdout, stderr } = await run(['today', '--profile', 'default'], person);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Late (4)')]);
    for (const status of unknown) expect(stdout).toContain(`  wr-${status} `);
    const [, named = ''] = /status ([\w, -]+), and/.exec(stderr.replace(/\s+/g, ' ')) ?? [];
    expect(named.split(', ').sort()).toEqual([...unknown].sort());
    expect(stderr.replace(/\s+/g, ' ')).toMatch(
      new RegExp(`mar config set status\\.(${unknown.join('|')})=done --profile default $`),
    );
    const boards: { status: string; board: { late: boolean; meaning: string } }[] =
      await json('--all');
    for (const { status, board } of boards)
      expect([status, board.late, board.meaning]).toEqual(
        unknown.includes(status) ? [status, true, 'unknown'] : [status, false, 'done'],
      );
  });

  it('leaves the first line on a screen of 24 lines, with the note below', async () => {
    const many = Array.from({ length: 30 }, (_, at) => {
      return [`wr-${at}`, onBoard(`wr-${at}`, { status: 'shipped', dueInDays: -2 })];
    });
    const { today } = await desk(Object.fromEntries(many));
    const { stdout, stderr } = await today();
    expect(`${stdout}${stderr}`.split('\n').length).toBe(24);
  });

  it('is counted by --fail-late, with that line', async () => {
    const { run } = await desk({ 'wr-shipped': late('shipped') });
    const { code, stderr } = await run(['today', '--fail-late']);
    expect(code).toBe(3);
    expect(stderr).toContain(requestWords.unknownStatuses('shipped'));
    expect(stderr).toContain('mar config set status.shipped=done');
  });

  it('is done once the service of the profile says so, in any case', async () => {
    const { run, env } = await desk({ 'wr-Shipped': late('Shipped') });
    const status = { shipped: 'done', complete: 'no' };
    const own = { ...env, MAR_SERVICE: temporaryFile(JSON.stringify({ status }), 'service.json') };
    const { code, stdout, stderr } = await run(['today', '--fail-late', '--all'], {
      ...person,
      env: own,
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Finished (1)');
    const timeline = await run(['wr', 'history', 'wr-Shipped'], { ...person, env: own });
    expect(timeline.stdout).toMatch(/Shipped {2,}7 d.* ago/);
  });

  it('has no colour, and the others have that of their meaning', async () => {
    const colours = {
      complete: 32,
      cancelled: 31,
      'in-progress': 33,
      'awaiting-materials': 33,
      'in-a-rush': undefined,
    };
    for (const [status, colour] of Object.entries(colours)) {
      const { env } = await desk({ 'wr-1': onBoard('wr-1', { status }) });
      for (const argv of [
        ['wr', 'get', 'wr-1'],
        ['wr', 'history', 'wr-1'],
      ]) {
        const { stdout } = await mar(argv, { env, ...person });
        expect(stdout).toContain(colour ? `\u001b[${colour}m${status}\u001b[39m` : `  ${status}`);
      }
    }
  });
});

it('the help of today says where the rules are', async () => {
  const { stdout } = await mar(['today', '--help', '--all']);
  expect(stdout.replace(/\s+/g, ' ')).toContain('mar config list shows the rules');
  const rules = (await mar(['config', 'list'])).stdout;
  for (const [status, { value }] of Object.entries(groups.status.facts))
    if (roles.some((role) => value.endsWith(`:${role}`)))
      expect(rules).toContain(`status.${status}`);
});

it('a request without a due date is not on time', async () => {
  const { today, json } = await desk({ 'wr-1': onBoard('wr-1', { from: ines }) });
  expect((await json())[0].board).toMatchObject({ due: null, group: 'no-due-date' });
  const { stdout } = await today('--language', 'fra');
  expect(stdout).toContain('No due date (1)');
  expect(stdout).not.toContain('on time');
  expect((await today()).stdout).not.toContain('wr-1');
});

it('today shows something of every group on a small screen, with the worst one', async () => {
  const group = (name: string, fields: (at: number) => object) =>
    Array.from({ length: 5 }, (_, at) => {
      const id = `${name}-${at}`;
      return [id, onBoard(id, { ...translated, ...fields(at) })];
    });
  const records: Record<string, string> = Object.fromEntries([
    ...group('late', (at) => ({ dueInDays: -1 - at, reason: 'A long reason. '.repeat(12) })),
    ...group('soon', (at) => ({ dueInDays: 0.1 + at / 10 })),
    ...group('stuck', (at) => ({ status: 'awaiting-materials', dueInDays: 4 + at })),
  ]);
  const { stdout } = await (await desk(records)).today();
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(23);
  expect(stdout).toMatch(
    /Late \(5\)\n {2}late-4 [\s\S]*Due in 24 hours \(5\)\n {2}soon-0 [\s\S]*missing materials \(5\)\n {2}stuck-0 /,
  );
  expect(stdout).toContain(requestWords.waitsFor('Marc Dubois (translator; assumed)'));
});

describe('names on a narrow screen', () => {
  it.each([60, 80])('are told apart at %d columns', async (columns) => {
    const name = (end: string) => `The Harbor Light of the Northern Sea – ${end}`;
    const asset = (end: string) => ({ asset: { _id: `a-${end}`, name: name(`Trailer ${end}`) } });
    const { run } = await desk({
      'wr-1': onBoard('wr-1', { dueInDays: -1, ...asset('A') }),
      'wr-2': onBoard('wr-2', { dueInDays: -1, ...asset('B') }),
    });
    for (const argv of [['today'], ['wr', 'get', 'wr-1', 'wr-2']]) {
      const { stdout } = await run(argv, { columns });
      expect(stdout).toMatch(/wr-1 .*railer A\n/);
      expect(stdout).toMatch(/wr-2 .*railer B\n/);
    }
  });

  it.each([
    [['wr', 'get', '2004'], 'mar find 2004'],
    [['asset', 'get', 'Trailer B'], "mar find 'Trailer B'"],
  ])('%j suggests mar find', async (argv, hint) => {
    const { run } = await desk({}, { follows: [] });
    expect(await failure(5, run(argv))).toContain(` run: ${hint}`);
  });
});
