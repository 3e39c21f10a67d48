import { describe, expect, it } from 'vitest';
import { batchOf } from '../batch/harness.ts';
import { startAgent } from '../harness/agent.ts';
import { fakeService } from '../harness/fakeService.ts';
import { mar, type RunOptions, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { writeProfiles } from '../harness/storedAccount.ts';

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
    [
      ['--set', 'instructions=hello'],
      ['asset', 'language', 'uses.items'],
    ],
    [['--language', 'fra', '--use', 'online'], ['asset']],
    [['--set', 'asset._id=', ...flags.slice(2)], ['asset']],
    [['--asset', 'a-1', '--dialogue', 'subtitled'], ['language']],
    [['--asset', 'a-1', '--language', 'fra'], ['uses.items']],
    [[...flags.slice(0, 4), '--set', 'uses.items=[""]', '--set', 'auto=false'], ['uses.items']],
  ])('is refused: %j', async (argv, fields) => {
    const stderr = await refused([...argv, '--json']);
    const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
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

  it.each(['asset', 'language', 'uses'])('is refused from a file without %s', async (name) => {
    const stderr = await refused(['-f', '-'], { stdin: JSON.stringify(without(name)) });
    expect(stderr).toMatch(new RegExp(`^error: ${name}.*: missing`));
  });

  it('opens the editor again, with the reason', async () => {
    const { bodies, create } = await service();
    const script = temporaryFile(
      `const fs = require('node:fs'); const file = process.argv[2];
       const isAgain = fs.readFileSync(file, 'utf8').includes('language: missing');
       fs.writeFileSync(file, 'asset: {_id: a-1}\\nauto: true\\n' + (isAgain ? 'language: deu' : ''));`,
      'editor.cjs',
    );
    const env = { MAR_STATE_DIR: temporaryFolder(), EDITOR: `${process.execPath} ${script}` };
    const { code, stderr } = await create(['--edit'], { env });
    expect(code, stderr).toBe(0);
    expect(bodies).toMatchObject([{ language: 'deu' }]);
  });

  it('is listed for each row, and --check finds it', async () => {
    const { env, bodies } = await service();
    const rows = ['uses', 'asset', 'none'].map((name) => `${JSON.stringify(without(name))}\n`);
    const batch = batchOf({ env }, rows.join(''));
    const checked = await batch.run(['--check']);
    expect(checked).toMatchObject({ code: 8, stdout: '3 rows: 1 valid, 2 invalid\n' });
    expect(checked.stderr).toContain('row 1 (line 1): uses.items: missing');
    expect(checked.stderr).toContain('row 2 (line 2): asset: missing');
    expect((await batch.run()).code).toBe(2);
    expect(bodies).toEqual([]);
    expect((await batch.run(['--skip-checks'])).code).toBe(0);
  });

  it('is refused with --like, and over MCP', async () => {
    const { env, bodies, create } = await service({ ...fetched, uses: { items: [] } });
    const copied = await create(['--like', 'wr-1', '--territory', 'BEL']);
    expect(copied).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('uses.items: missing'),
    });
    const { client } = await startAgent(['--allow-writes'], env);
    const call = await client.call('create_work_request', { asset: 'a-1', use: ['online'] });
    expect(call.isError).toBe(true);
    expect(JSON.stringify(call.report)).toContain('language: missing');
    expect(bodies).toEqual([]);
  });
});

describe('a deadline', () => {
  const tokyo = 'Asia/Tokyo';
  it.each([
    [{ due: { date: 46_357 } }, 'due.date is not a time: 46357'],
    [{ due: { date: 20_261_220 } }, 'due.date is not a time: 20261220'],
    [{ due: { date: 0 } }, 'due.date is not a time: 0'],
    [{ due: { date: -5 } }, 'due.date is not a time: -5'],
    [{ due: { date: inDays(-1) } }, 'due.date is in the past'],
    [{ due: { date: inDays(3 * 366) } }, 'due.date is more than 3 years away'],
    [{ deliveryDeadline: { date: 46_357 } }, 'deliveryDeadline.date is not a time'],
    [{ deliveryDeadline: { date: inDays(-1) } }, 'deliveryDeadline.date is in the past'],
    [
      { due: { date: inDays(5), tz: tokyo }, deliveryDeadline: { date: inDays(4), tz: tokyo } },
      /deliveryDeadline\.date is before the due date: .* Asia\/Tokyo/,
    ],
  ])('that nobody can mean is refused: %j', async (dates, problem) => {
    const order = { ...whole, ...dates };
    expect(await refused(['-f', '-'], { stdin: JSON.stringify(order) })).toMatch(problem);
    const { env } = await service();
    const checked = await batchOf({ env }, `${JSON.stringify(order)}\n`).run(['--check']);
    expect(checked.code).toBe(8);
    expect(checked.stderr).toMatch(problem);
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
  it.each([
    ['_id', 'wr-1'],
    ['created', 5],
    ['status', 'complete'],
    ['history', [{ status: 'complete' }]],
    ['from', { _id: 'u-1', name: 'Ines' }],
    ['translation', { _id: 't-1' }],
    ['graphicsTranslation', 't-2'],
    ['estimate', { base: '1' }],
    ['$links', { self: '//media.example/api/workrequests/wr-1' }],
    ['asset.$links', undefined],
    ['recipients.Online[0]', undefined],
  ])('is refused as an order because of %s', async (field, value) => {
    const asset = { _id: 'a-1', $links: { self: '//media.example/api/assets/a-1' } };
    const recipients = { Online: ['//media.example/api/users/u-1'] };
    const nested = field.startsWith('asset') ? { asset } : { recipients };
    const record = { ...whole, ...(value === undefined ? nested : { [field]: value }) };
    const file = temporaryFile(JSON.stringify(record), 'order.json');
    const stderr = await refused(['-f', file]);
    expect(stderr).toContain('this is a fetched record, not an order');
    expect(stderr).toContain(`makes ${field};`);
    expect(stderr.replace(/\s+/g, ' ')).toContain(`use --like ${file} instead of -f`);
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
    const { code, stderr } = await batchOf({ env }, `${JSON.stringify(fetched)}\n`).run();
    expect({ code, bodies }).toEqual({ code: 2, bodies: [] });
    expect(stderr.replace(/\s+/g, ' ')).toMatch(
      /row 1 .*makes _id, status, created, history, from, translation, \$links; .* --like FILE or --like ID/,
    );
  });

  const copy = { ...fetched, asset: { _id: 'a-1' } } as Partial<typeof fetched>;
  for (const name of ['_id', 'status', 'created', 'history', 'from', 'translation', '$links']) {
    delete copy[name as keyof typeof copy];
  }
  delete copy.rejections;
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
    expect(stderr).toMatch(
      /^Not copied: _id, status, created, history, from, translation, \$links$/m,
    );
    const piped = await create(['--like', '-', '--territory', 'BEL'], { stdin: text });
    expect(piped.code, piped.stderr).toBe(0);
    expect(bodies[1]).toEqual(bodies[0]);
  });

  it('of another service is copied as it is, with a warning about its ids', async () => {
    const { bodies, create } = await service();
    const { code, stderr } = await create([
      '--like',
      temporaryFile(JSON.stringify(fetched), 'x.json'),
    ]);
    expect(code, stderr).toBe(0);
    expect(bodies).toEqual([copy]);
    expect(stderr).toMatch(/^warning: \S+ is from media\.example; .*: asset, recipients$/m);
    const { $links: _, ...own } = fetched;
    const same = await create(['--like', temporaryFile(JSON.stringify(own), 'y.json')]);
    expect(same).toMatchObject({ code: 2, stderr: expect.stringContaining('exact copy') });
  });

  it('with dates as people write them is read as by -f', async () => {
    const { bodies, create } = await service();
    const file = temporaryFile(
      JSON.stringify({ ...whole, due: { date: '+14d', tz: 'UTC' } }),
      'o.json',
    );
    expect(await create(['--like', file, '--territory', 'BEL'])).toMatchObject({ code: 0 });
    expect(bodies).toMatchObject([{ due: { date: expect.any(Number) } }]);
  });

  it.each([
    [['--like', 'missing.json'], 'cannot read missing.json'],
    [['--like', './missing'], 'cannot read ./missing'],
    [['--like', '-', '--set', 'instructions=@-'], 'standard input'],
    [['--like-profile', 'x'], '--like-profile needs --like'],
    [['--like', 'wr-1', '--like-profile', ''], 'invalid profile name ""'],
    [['--like', 'wr-1', '--like-profile', 'x'], 'profile "x" not found'],
    [['--like', 'a.json', '--like-profile', 'x'], '--like-profile needs an id'],
  ])('is not taken from %j', async (argv, problem) => {
    const { bodies, create } = await service();
    const { code, stderr } = await create(argv);
    expect({ code, bodies }).toEqual({ code: 2, bodies: [] });
    expect(stderr).toContain(problem);
  });

  it('programs get what --like dropped, and all of the old language', async () => {
    const { env, create } = await service();
    const copyToGerman = ['--like', 'wr-1', '--language', 'deu', '--dry-run'];
    const { stderr } = await create([...copyToGerman, '--json']);
    const warnings = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).warning);
    expect(warnings).toMatchObject([
      { code: 'not-copied', message: expect.stringContaining('history') },
      { code: 'other-language', message: expect.stringContaining(fetched.instructions) },
    ]);
    const { client } = await startAgent(['--allow-writes'], env);
    const call = await client.call('create_work_request', { like: 'wr-1', language: 'deu' });
    const text = JSON.stringify(call.report);
    expect(text).toContain('not copied from wr-1: _id, status');
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
    expect(first).toContain('3 rows still have these fields of wr-1 (fra):');
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
      return {
        baseUrl,
        email: `${name}@x.example`,
        tokenFile: temporaryFile(`${name}-token`, 'token'),
      };
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
    expect(stderr).toContain(`wr-1 is from ${new URL(other.baseUrl).host}`);
    // What the environment and the flags name is for this service only.
    const named = await create([...argv, '--base-url', own.baseUrl], own.env);
    expect(named.code, named.stderr).toBe(0);
    expect(seen.filter((request) => !request.startsWith('own'))).toEqual([read]);
    const page = `${other.baseUrl}/workrequests/wr-1`;
    expect((await create(argv.with(1, page))).code).toBe(0);
    const unnamed = await create(['--like', page]);
    expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining('--like-profile') });
    expect(seen).toEqual([]);
  });

  it('shows each service only the certificate of its own profile', async () => {
    const { env: variables } = await service();
    const folder = temporaryFolder();
    const profile = { baseUrl: variables.MAR_BASE_URL, email: 'a@x.example' };
    const tokenFile = temporaryFile('x', 'token');
    writeProfiles(folder, {
      default: { ...profile, tokenFile, clientCert: '/nonexistent/own.pem' },
      staging: { ...profile, baseUrl: 'https://127.0.0.1:1/api', tokenFile },
    });
    const env = { MAR_CONFIG_DIR: folder, MAR_STATE_DIR: temporaryFolder() };
    const argv = ['wr', 'create', '--like', 'wr-1', '--like-profile', 'staging', '--retries', '0'];
    const given = [...argv, '--client-cert', '/nonexistent/given.pem'];
    for (const line of [argv, given]) {
      const { code, stderr } = await mar(line, { env });
      // The service of staging is not there. A certificate would have been read first.
      expect(code, stderr).toBe(7);
      expect(stderr).not.toContain('.pem');
    }
  });
});
