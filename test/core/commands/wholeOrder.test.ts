import { describe, expect, it } from 'vitest';
import { startAgent } from '../../harness/agent.ts';
import { fakeService } from '../../harness/fakeService.ts';
import { mar, type RunOptions, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { factsIn, failure } from '../../harness/marWith.ts';
import { writeProfiles } from '../../harness/storedAccount.ts';
import { batchOf, jsonLines } from '../../modules/batch/harness.ts';
import { requestWords } from '../../words/requests.ts';

const inDays = (days: number) => Date.now() + days * 86_400_000;

/** A work request as the service returns it. */
const fetched = {
  _id: 'wr-1',
  status: 'complete',
  created: 1_700_000_000_000,
  history: [{ status: 'complete', reason: '' }],
  from: { _id: 'u-1', name: 'Ines' },
  translation: { _id: 't-1' },
  $links: { self: '//media.example/api/workrequests/wr-1' },
  rejections: [],
  asset: { _id: 'a-1', name: 'Trailer', $links: { self: '//media.example/api/assets/a-1' } },
  language: 'fra',
  territory: 'FRA',
  due: { date: inDays(30), tz: 'Europe/Paris' },
  uses: { items: ['online'] },
  recipients: { Online: ['u-2'] },
  instructions: `Merci de garder « Aurélia ». ${'Une phrase de plus. '.repeat(8)}Fin.`,
};

/** A service with one asset and one work request, and the bodies that it got. */
async function service(record: object = fetched) {
  const bodies: Record<string, unknown>[] = [];
  const { env } = await fakeService(({ method, path: where, body }) => {
    if (method === 'GET')
      return where.startsWith('/assets') ? '{"_id":"a-1"}' : JSON.stringify(record);
    bodies.push(JSON.parse(body));
    return `{"_id":"wr-${bodies.length + 1}"}`;
  });
  const create = (argv: readonly string[], options: RunOptions = {}) =>
    mar(['wr', 'create', ...argv], { ...options, env: { ...env, ...options.env } });
  return { env, bodies, create };
}

/** Runs a create that must be refused, and that --skip-checks sends. */
async function refused(argv: readonly string[], options: RunOptions = {}) {
  const { bodies, create } = await service();
  const { code, stderr } = await create(argv, options);
  expect({ code, bodies }, stderr).toEqual({ code: 2, bodies: [] });
  const sent = await create([...argv, '--skip-checks'], options);
  expect({ code: sent.code, sent: bodies.length }, sent.stderr).toEqual({ code: 0, sent: 1 });
  return stderr;
}

const whole = { asset: { _id: 'a-1' }, language: 'fra', uses: { items: ['online'] } };
const flags = ['--asset', 'a-1', '--language', 'fra', '--use', 'online'];
const without = (name: string) =>
  Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name));

describe('an order that is not whole', () => {
  it.each([
    ['--set instructions=hello', ['asset', 'language', 'uses.items']],
    ['--language fra --use online', ['asset']],
    ['--set asset._id= --language fra --use online', ['asset']],
    ['--asset a-1 --dialogue subtitled', ['language']],
    ['--asset a-1 --language fra', ['uses.items']],
    ['--asset a-1 --language fra --set uses.items=[""] --set auto=false', ['uses.items']],
  ])('is refused: %s', async (argv, fields) => {
    const error = factsIn(await refused([...argv.split(' '), '--json']));
    expect(error.fields.map(({ path: name }: { path: string }) => name)).toEqual(fields);
    expect(error).toMatchObject({ kind: 'usage', outcome: 'not-sent' });
  });

  it.each([
    ['uses', { items: ['dcp'] }],
    ['dng', { graphics: ['localized'] }],
    ['dcp', { items: [1] }],
    ['autosubs', true],
  ])('is not one with %s', async (name, value) => {
    const { bodies, create } = await service();
    const stdin = JSON.stringify({ ...without('uses'), [name]: value });
    const { code, stderr } = await create(['-f', '-'], { stdin });
    expect({ code, sent: bodies.length }, stderr).toEqual({ code: 0, sent: 1 });
  });

  it('is listed for each row, and --check finds it', async () => {
    const { env, bodies } = await service();
    const rows = ['uses', 'asset', 'none'].map((name) => `${JSON.stringify(without(name))}\n`);
    const batch = batchOf({ env }, rows.join(''));
    const checked = await batch.run(['--check']);
    expect(checked).toMatchObject({ code: 8, stdout: '3 rows: 1 valid, 2 invalid\n' });
    expect(checked.stderr).toContain(`row 1 (line 1): ${requestWords.missing('uses.items')}`);
    expect(checked.stderr).toContain(`row 2 (line 2): ${requestWords.missing('asset')}`);
    expect((await batch.run()).code).toBe(2);
    expect(bodies).toEqual([]);
    expect((await batch.run(['--skip-checks'])).code).toBe(0);
  });

  it('is refused with --like, and over MCP', async () => {
    const { env, bodies, create } = await service({ ...fetched, uses: { items: [] } });
    const copied = await failure(2, create(['--like', 'wr-1', '--territory', 'BEL']));
    expect(copied).toContain(requestWords.missing('uses.items'));
    const { client } = await startAgent(['--allow-writes'], env);
    const call = await client.call('create_work_request', { asset: 'a-1', use: ['online'] });
    expect(call.isError).toBe(true);
    expect(JSON.stringify(call.report)).toContain(requestWords.missing('language'));
    expect(bodies).toEqual([]);
  });
});

describe('a deadline', () => {
  const tokyo = 'Asia/Tokyo';
  it.each([
    [{ due: { date: 46_357 } }, / due\.date .*: 46357;/],
    [{ due: { date: 20_261_220 } }, / due\.date .*: 20261220;/],
    [{ due: { date: 0 } }, / due\.date .*: 0;/],
    [{ due: { date: -5 } }, / due\.date .*: -5;/],
    [{ due: { date: inDays(-1) } }, / due\.date is in the past: 2/],
    [{ due: { date: inDays(3 * 366) } }, / due\.date .* 3 years /],
    [{ deliveryDeadline: { date: 46_357 } }, / deliveryDeadline\.date .*: 46357;/],
    [{ deliveryDeadline: { date: inDays(-1) } }, / deliveryDeadline\.date .*: 2/],
    [
      { due: { date: inDays(5), tz: tokyo }, deliveryDeadline: { date: inDays(4), tz: tokyo } },
      / deliveryDeadline\.date .* due date: .* Asia\/Tokyo/,
    ],
  ])('that nobody can mean is refused: %j', async (dates, problem) => {
    const order = JSON.stringify({ ...whole, ...dates });
    expect(await refused(['-f', '-'], { stdin: order })).toMatch(problem);
    const checked = await batchOf(await service(), `${order}\n`).run(['--check']);
    expect([checked.code, checked.stderr]).toEqual([8, expect.stringMatching(problem)]);
  });

  it.each([46_357, 20_261_220, 0, -5])('is refused in --set due.date=%s', async (date) => {
    expect(await refused([...flags, '--set', `due.date=${date}`])).toContain(String(date));
  });

  it('within three years, and a delivery on the due date, is sent', async () => {
    const { create } = await service();
    const date = inDays(3 * 365);
    const stdin = JSON.stringify({ ...whole, due: { date }, deliveryDeadline: { date } });
    expect(await create(['-f', '-'], { stdin })).toMatchObject({ code: 0 });
  });
});

describe('a fetched record', () => {
  const serviceFields = '_id, status, created, history, from, translation, $links';
  it.each([
    ['_id', { _id: 'wr-1' }],
    ['created', { created: 5 }],
    ['status', { status: 'complete' }],
    ['history', { history: [{ status: 'complete' }] }],
    ['from', { from: { _id: 'u-1', name: 'Ines' } }],
    ['translation', { translation: { _id: 't-1' } }],
    ['graphicsTranslation', { graphicsTranslation: 't-2' }],
    ['estimate', { estimate: { base: '1' } }],
    ['$links', { $links: { self: '//media.example/api/workrequests/wr-1' } }],
    ['recipients.Online[0]', { recipients: { Online: ['//media.example/api/users/u-1'] } }],
  ])('is refused as an order because of %s', async (field, more) => {
    const file = temporaryFile(JSON.stringify({ ...whole, ...more }), 'order.json');
    const stderr = await refused(['-f', file]);
    expect(stderr).toContain(requestWords.fetchedRecord);
    expect(stderr).toContain(requestWords.madeByService(field));
    expect(stderr.replace(/\s+/g, ' ')).toContain(`--like ${file} `);
  });

  it('is none because of an embedded asset with its links, which the API documents', async () => {
    const { bodies, create } = await service();
    const file = temporaryFile(JSON.stringify({ ...whole, asset: fetched.asset }), 'order.json');
    const { code, stderr } = await create(['-f', file]);
    expect(code, stderr).toBe(0);
    expect(bodies[0]).toMatchObject({ asset: fetched.asset });
  });

  it('is not an order whose fields of the service are empty, first or set by name', async () => {
    const { bodies, create } = await service();
    const own = { status: 'incomplete', history: [], rejections: [], audioFile: null, from: 'u-1' };
    const stdin = JSON.stringify({ ...whole, ...own, reason: 'Second order' });
    const set = ['-f', '-', '--set-string', 'estimate.base=10'];
    const { code, stderr } = await create(set, { stdin });
    expect({ code, sent: bodies.length }, stderr).toEqual({ code: 0, sent: 1 });
    const instructions = 'https://media.example/api/brief.pdf has the brief';
    const linked = JSON.stringify({ ...whole, instructions });
    expect((await create(['-f', '-'], { stdin: linked })).code).toBe(0);
  });

  it('is refused in the rows of a batch', async () => {
    const { env, bodies } = await service();
    const stderr = await batchOf({ env }, `${JSON.stringify(fetched)}\n`).fails(2);
    expect(bodies).toEqual([]);
    const text = stderr.replace(/\s+/g, ' ');
    for (const part of ['row 1 ', requestWords.madeByService(serviceFields), ' --like ID'])
      expect(text).toContain(part);
  });

  const { due, uses, recipients, instructions } = fetched;
  const copy = {
    ...{ asset: { _id: 'a-1' }, language: 'fra', territory: 'FRA' },
    ...{ due, uses, recipients, instructions },
  };
  const texts = {
    'wr.json': JSON.stringify(fetched),
    'wr.yaml': `# fetched\n${JSON.stringify(fetched)}`,
  };

  it.each(Object.entries(texts))('becomes one with --like %s', async (name, text) => {
    const { bodies, create } = await service();
    const file = temporaryFile(text, name);
    const { code, stderr } = await create(['--like', file, '--territory', 'BEL']);
    expect(code, stderr).toBe(0);
    expect(bodies).toEqual([{ ...copy, territory: 'BEL' }]);
    expect(stderr).toContain(`\n${requestWords.notCopied(serviceFields)}\n`);
    const piped = await create(['--like', '-', '--territory', 'BEL'], { stdin: text });
    expect(piped.code, piped.stderr).toBe(0);
    expect(bodies[1]).toEqual(bodies[0]);
  });

  it('of another service is copied as it is, with a warning about its ids', async () => {
    const { bodies, create } = await service();
    const like = (record: object) =>
      create(['--like', temporaryFile(JSON.stringify(record), 'x.json')]);
    const { code, stderr } = await like(fetched);
    expect(code, stderr).toBe(0);
    expect(bodies).toEqual([copy]);
    expect(stderr).toMatch(/^warning: .* media\.example; .*: asset, recipients$/m);
    const { $links: _, ...own } = fetched;
    expect(await failure(2, like(own))).toContain('--skip-checks=duplicate');
    const dated = await like({ ...whole, territory: 'BEL', due: { date: '+14d', tz: 'UTC' } });
    expect(dated.code, dated.stderr).toBe(0);
    expect(bodies[1]).toMatchObject({ due: { date: expect.any(Number) } });
  });

  it.each([
    ['--like missing.json', 'cannot read missing.json'],
    ['--like ./missing', 'cannot read ./missing'],
    ['--like - --set instructions=@-', 'standard input'],
    ['--like-profile x', '--like-profile needs --like'],
    ['--like wr-1 --like-profile=', 'invalid profile name ""'],
    ['--like wr-1 --like-profile x', 'profile "x" not found'],
    ['--like a.json --like-profile x', '--like-profile needs an id'],
  ])('is not taken from %s', async (argv, problem) => {
    const { bodies, create } = await service();
    expect(await failure(2, create(argv.split(' ')))).toContain(problem);
    expect(bodies).toEqual([]);
  });

  it('programs get what --like dropped, and all of the old language', async () => {
    const { env, create } = await service();
    const copyToGerman = ['--like', 'wr-1', '--language', 'deu', '--dry-run'];
    const { stderr } = await create([...copyToGerman, '--json']);
    expect(jsonLines(stderr).map(({ warning }) => warning)).toMatchObject([
      { code: 'not-copied', message: expect.stringContaining('history') },
      { code: 'other-language', message: expect.stringContaining(fetched.instructions) },
    ]);
    const { client } = await startAgent(['--allow-writes'], env);
    const call = await client.call('create_work_request', { like: 'wr-1', language: 'deu' });
    const text = JSON.stringify(call.report);
    expect(text).toContain(' wr-1: _id, status');
    expect(text).toContain(fetched.instructions);
    const narrow = await create(copyToGerman, { columns: 40 });
    expect(narrow.stderr.replace(/\s+/g, ' ')).toContain(fetched.instructions);
  });

  it('a batch warns once about the old language, with the values', async () => {
    const { env } = await service();
    const rows = 'language,territory\ndeu,DEU\nita,\nfra,BEL\nspa,ESP\n';
    const { stderr } = await batchOf({ env }, rows, 'rows.csv').run(['--like', 'wr-1', '--check']);
    const [first = '', ...more] = stderr.split('warning: ').slice(1);
    expect(more).toEqual([]);
    expect(first).toMatch(/ 3 rows .* wr-1 \(fra\):/);
    expect(first).toContain('"FRA"');
    expect(first).toContain(fetched.instructions);
  });
});

describe('--like-profile', () => {
  it('reads from the other service as its account, and writes here as this one', async () => {
    const seen: string[] = [];
    const start = (name: string) =>
      fakeService(({ method, path: where, headers, body }) => {
        const [, secret = ''] = (headers.authorization ?? '').split(' ');
        seen.push(`${name} ${method} ${Buffer.from(secret, 'base64')}`);
        if (method !== 'GET') return JSON.stringify({ ...JSON.parse(body), _id: 'wr-2' });
        return where.startsWith('/assets') ? '{"_id":"a-1"}' : JSON.stringify(fetched);
      });
    const [own, other] = [await start('own'), await start('other')];
    const folder = temporaryFolder();
    const profile = (baseUrl: string, name: string) => {
      const tokenFile = temporaryFile(`${name}-token`, 'token');
      return { baseUrl, email: `${name}@x.example`, tokenFile };
    };
    const [mine, staging] = [profile(own.baseUrl, 'ines'), profile(other.baseUrl, 'tom')];
    writeProfiles(folder, { default: mine, staging });
    const env = { MAR_CONFIG_DIR: folder, MAR_STATE_DIR: temporaryFolder() };
    const create = async (argv: readonly string[], variables = {}) => {
      seen.length = 0;
      return mar(['wr', 'create', ...argv], { env: { ...env, ...variables } });
    };
    const argv = ['--like', 'wr-1', '--like-profile', 'staging'];
    const { code, stderr } = await create(argv);
    expect(code, stderr).toBe(0);
    const read = 'other GET tom@x.example:token-tom-token';
    const ines = 'ines@x.example:token-ines-token';
    expect(seen).toEqual([read, `own GET ${ines}`, `own POST ${ines}`]);
    expect(stderr).toMatch(new RegExp(`wr-1 .* ${new URL(other.baseUrl).host}`));
    // What the environment and the flags name is for this service only.
    const named = await create([...argv, '--base-url', own.baseUrl], own.env);
    expect(named.code, named.stderr).toBe(0);
    expect(seen.filter((request) => !request.startsWith('own'))).toEqual([read]);
    const page = `${other.baseUrl}/workrequests/wr-1`;
    expect((await create(argv.with(1, page))).code).toBe(0);
    expect(await failure(2, create(['--like', page]))).toContain('--like-profile');
    expect(seen).toEqual([]);
  });

  it('shows each service only the certificate of its own profile', async () => {
    const { env: variables } = await service();
    const folder = temporaryFolder();
    const tokenFile = temporaryFile('x', 'token');
    const profile = { baseUrl: variables.MAR_BASE_URL, email: 'a@x.example', tokenFile };
    writeProfiles(folder, {
      default: { ...profile, clientCert: '/nonexistent/own.pem' },
      staging: { ...profile, baseUrl: 'https://127.0.0.1:1/api' },
    });
    const env = { MAR_CONFIG_DIR: folder, MAR_STATE_DIR: temporaryFolder() };
    const argv = 'wr create --like wr-1 --like-profile staging --retries 0'.split(' ');
    for (const line of [argv, [...argv, '--client-cert', '/nonexistent/given.pem']]) {
      // The service of staging is not there. A certificate would have been read first.
      expect(await failure(7, mar(line, { env }))).not.toContain('.pem');
    }
  });
});
