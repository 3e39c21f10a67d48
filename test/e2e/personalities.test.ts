import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/modules/sandbox/start.ts';
import { mar, marOk, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { otherService } from '../harness/otherService.ts';

/*
 * The commands at services that differ in all that the API's documentation leaves open. What is checked
 * here is true at each of them.
 */

const downloadCount = 25;

interface Personality {
  name: string;
  service?: typeof otherService;
  /** Whether the client knows what is set for the service. */
  isTold: boolean;
  perSecond: number;
  firstStatus: string;
  waiting: string;
}

const other = { service: otherService, perSecond: 1, firstStatus: 'new', waiting: 'needs-files' };

const personalities: Personality[] = [
  {
    name: 'the service of the sandbox',
    isTold: false,
    perSecond: 1000,
    firstStatus: 'incomplete',
    waiting: 'awaiting-materials',
  },
  { name: 'another service, which is described', isTold: true, ...other },
  { name: 'another service, which is not described', isTold: false, ...other },
];

type Fields = Record<string, unknown>;

interface Sent {
  method: string;
  path: string;
  status: number;
  request: { body: string };
}

describe.each(personalities)('at $name', (personality) => {
  const { service, isTold, perSecond, firstStatus, waiting } = personality;
  const dataDir = mkdtempSync(path.join(tmpdir(), 'mar-personality-'));
  let sandbox: Sandbox;
  let profile: Fields;

  beforeAll(async () => {
    sandbox = await startSandbox({ dataDir, port: 0, downloads: downloadCount, service });
    const tokenFile = await sandbox.login();
    const { baseUrl, email } = sandbox;
    profile = { baseUrl, email, tokenFile, ...(isTold && { serviceFile: service?.file }) };
  });
  afterAll(async () => {
    await sandbox.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** A home that is logged in, which remembers nothing of other tests. */
  function home({ isLoggedIn = true } = {}) {
    const folder = temporaryFolder();
    const env = { MAR_CONFIG_DIR: folder, MAR_STATE_DIR: path.join(folder, 'state') };
    const config = { defaultProfile: 'main', profiles: { main: profile } };
    if (isLoggedIn) writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
    const options = { env };
    return {
      env,
      run: (...argv: string[]) => mar(argv, options),
      /** What a run that must succeed printed as JSON. */
      json: async (...argv: string[]) =>
        JSON.parse((await marOk([...argv, '--json'], options)).stdout),
    };
  }

  const control = async (route: string) => {
    const { secret } = JSON.parse(readFileSync(path.join(dataDir, 'running.json'), 'utf8'));
    const headers = { Authorization: `Bearer ${secret}` };
    const response = await fetch(new URL(`/_sandbox/${route}`, sandbox.baseUrl), { headers });
    return (await response.json()) as Fields;
  };

  /** A record as the service has it now, with its secrets. */
  async function stored(kind: string, id: string): Promise<Fields> {
    const found = (await control(`find?id=${encodeURIComponent(id)}`)) as unknown as Fields[];
    return JSON.parse(String(found.find((one) => one.kind === kind)?.text));
  }

  const count = async (kind: string) => Number((await control(`records/${kind}`)).total);

  /** The requests that were sent meanwhile. */
  async function sentBy(work: () => Promise<unknown>): Promise<Sent[]> {
    const all = async () => (await control('requests')).requests as Sent[];
    const { length } = await all();
    await work();
    return (await all()).slice(length);
  }

  const written = (requests: readonly Sent[]) =>
    requests
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path: target, request }) => ({
        to: `${method} ${target.replace('/api', '')}`,
        body: JSON.parse(request.body || 'null'),
      }));

  const inputFile = (record: object, name = 'record.json') =>
    temporaryFile(JSON.stringify(record), name);

  /** A time of the service, as a date. */
  const dateOf = (time: unknown) => new Date((Number(time) / perSecond) * 1000);
  const isNear = (time: unknown, days: number) =>
    Math.abs(dateOf(time).getTime() - Date.now() - days * 86_400_000) < 2 * 86_400_000;

  /** An error with the status 200 does not prove that nothing was written. */
  function expectRefusal({ code, stderr }: { code: number | null; stderr: string }) {
    expect(stderr.includes('Outcome unknown')).toBe(service !== undefined);
    if (service) expect(code).toBe(1);
  }

  it('login, whoami and logout', async () => {
    const { run, json, env } = home({ isLoggedIn: false });
    const { baseUrl, email, password } = sandbox;
    const account = ['--base-url', baseUrl, '--email', email, '--password-stdin'];
    const argv = ['login', ...account, '--insecure-storage'];
    expect(await mar(argv, { env, stdin: `${password}\n` })).toMatchObject({ code: 0 });
    expect(await json('whoami', '--check')).toMatchObject({ email });
    const requests = await sentBy(async () => expect((await run('logout')).code).toBe(0));
    expect(written(requests).map(({ to }) => to)).toEqual(['DELETE /session']);
    expect((await run('user', 'list')).code).toBe(4);
  });

  it('login with a wrong password', async () => {
    const { env } = home({ isLoggedIn: false });
    const account = ['--base-url', sandbox.baseUrl, '--email', sandbox.email];
    const argv = ['login', ...account, '--password-stdin', '--insecure-storage'];
    expect((await mar(argv, { env, stdin: 'wrong\n' })).code).toBe(4);
  });

  it.each([
    ['asset get', 'Asset', 'a-1001', 'created'],
    ['wr get', 'WorkRequest', 'wr-2002', 'due.date'],
    ['notification show', 'Notification', 'n-3001', 'created'],
  ])('%s prints the record unchanged, and its times as dates', async (command, kind, id, time) => {
    const { run, json } = home();
    const record = await stored(kind, id);
    const printed = await json(...command.split(' '), id, '--show-secrets');
    expect(withoutLinks(printed)).toEqual(withoutLinks(record));
    const columns = ['--columns', time, '-o', 'csv', '--times', 'iso'];
    const { stdout } = await run(...command.split(' '), id, ...columns);
    const value = time.split('.').reduce<unknown>((part, key) => (part as Fields)[key], record);
    expect(new Date(String(stdout.trim().split(/[\r\n]+/)[1])).getTime()).toBe(
      dateOf(value).getTime(),
    );
  });

  it.each([
    ['asset get', 'a-9999'],
    ['wr get', 'wr-9999'],
    ['notification show', 'n-9999'],
  ])('%s of an id that nothing has', async (command, id) => {
    const run = await home().run(...command.split(' '), id);
    expect(run).toMatchObject({ code: 5, stdout: '' });
    expect(run.stderr).toContain(id);
  });

  it('asset put --set', async () => {
    const { run } = home();
    const before = await stored('Asset', 'a-1002');
    const argv = ['asset', 'put', 'a-1002', '--set', 'name=New name', '--yes'];
    const requests = await sentBy(async () =>
      expect(await run(...argv)).toMatchObject({ code: 0 }),
    );
    expect(written(requests)).toMatchObject([
      { to: 'PUT /assets', body: { _id: 'a-1002', name: 'New name', type: before.type } },
    ]);
    expect(await stored('Asset', 'a-1002')).toEqual({ ...before, name: 'New name' });
    const again = await sentBy(async () => expect(await run(...argv)).toMatchObject({ code: 0 }));
    expect(written(again)).toEqual([]);
  });

  it('asset put --unset, which a service that merges cannot do', async () => {
    const { run } = home();
    const before = await stored('Asset', 'a-1003');
    const argv = ['asset', 'put', 'a-1003', '--unset', 'importName', '--yes'];
    const { code } = await run(...argv);
    const { importName: _, ...rest } = before;
    expect(await stored('Asset', 'a-1003')).toEqual(service ? before : rest);
    expect(code === 0).toBe(!service);
  });

  it('asset put -f with a part of the record keeps the rest', async () => {
    const { run } = home();
    const before = await stored('Asset', 'a-1004');
    const file = inputFile({ _id: 'a-1004', name: 'From a file' });
    expect(await run('asset', 'put', '-f', file, '--yes')).toMatchObject({ code: 0 });
    expect(await stored('Asset', 'a-1004')).toEqual({ ...before, name: 'From a file' });
  });

  it('asset put --batch', async () => {
    const { run } = home();
    const before = await stored('Asset', 'a-1005');
    const rows = temporaryFile('_id,name\na-1005,One\na-1006,Two\n', 'assets.csv');
    expect(await run('asset', 'put', '--batch', rows, '--yes')).toMatchObject({ code: 0 });
    expect(await stored('Asset', 'a-1005')).toEqual({ ...before, name: 'One' });
    expect(await stored('Asset', 'a-1006')).toMatchObject({ name: 'Two' });
  });

  const order = ['--asset', 'a-1001', '--territory', 'FRA', '--use', 'online'];

  it('wr create', async () => {
    const { run, json } = home();
    await json('asset', 'get', 'a-1001');
    let made: Fields = {};
    const argv = ['wr', 'create', ...order, '--language', 'fra', '--due', '+14d', '--yes'];
    const requests = await sentBy(async () => {
      made = await json(...argv);
    });
    const [post, ...more] = written(requests);
    expect(more).toEqual([]);
    expect(post).toMatchObject({ to: 'POST /workrequests', body: { language: 'fra' } });
    const record = await stored('WorkRequest', String(made._id));
    expect(record).toMatchObject({ status: firstStatus, language: 'fra', territory: 'FRA' });
    expect(isNear(record.created, 0)).toBe(true);
    const { stdout } = await run('wr', 'get', String(made._id), '--jq', '.status');
    expect(stdout).toBe(`${firstStatus}\n`);
  });

  it('wr create sends times in the unit of the service', async () => {
    const { json } = home();
    // Where the unit is not set, mar knows it from the records that it showed before.
    await json('asset', 'get', 'a-1001');
    const argv = ['wr', 'create', ...order, '--language', 'spa', '--due', '+14d', '--yes'];
    const { _id } = await json(...argv);
    const { due } = await stored('WorkRequest', _id);
    const { date } = due as Fields;
    expect(isNear(date, 14), `${date}`).toBe(true);
  });

  it('an order before any record was shown has the unit of the service, or is not sent', async () => {
    const { run } = home();
    const argv = ['wr', 'create', ...order, '--language', 'ita', '--due', '+14d', '--json'];
    const before = await count('WorkRequest');
    let sent = await run(...argv);
    if (sent.code === 2) {
      expect(sent.stderr).toContain('mar config set time.unit=s');
      expect(await count('WorkRequest')).toBe(before);
      expect((await run('config', 'set', 'time.unit=s')).code).toBe(0);
      sent = await run(...argv);
    }
    expect(sent.code, sent.stderr).toBe(0);
    const { due } = await stored('WorkRequest', JSON.parse(sent.stdout)._id);
    const { date } = due as Fields;
    expect(isNear(date, 14), `${date}`).toBe(true);
  });

  it.each([
    ['an id that is taken', ['--set', '_id=wr-2001']],
    ['a project that the service does not have', ['--set', 'project=p-none']],
  ])('wr create that the service refuses: %s', async (_, flags) => {
    const { run } = home();
    const before = await count('WorkRequest');
    const language = ['--language', 'deu'];
    const refused = await run(
      'wr',
      'create',
      ...order,
      ...language,
      ...flags,
      '--skip-checks',
      '--yes',
    );
    expect(refused.code, refused.stderr).not.toBe(0);
    expect(refused.stdout).toBe('');
    expect(refused.stderr).toMatch(/already exists|not found/);
    expectRefusal(refused);
    expect(await count('WorkRequest')).toBe(before);
  });

  it('wr create --batch', async () => {
    const { run } = home();
    const before = await count('WorkRequest');
    const rows = [
      'asset,language,territory,uses.items',
      'a-1001,ita,ITA,online',
      'a-1002,ita,ITA,online',
    ];
    const input = temporaryFile(`${rows.join('\n')}\n`, 'orders.csv');
    const first = await sentBy(async () =>
      expect(await run('wr', 'create', '--batch', input, '--yes')).toMatchObject({ code: 0 }),
    );
    const languages = written(first).map(({ to, body }) => [to, body.language]);
    expect(languages).toEqual(Array(2).fill(['POST /workrequests', 'ita']));
    const again = await sentBy(async () =>
      expect(await run('wr', 'create', '--batch', input, '--yes')).toMatchObject({ code: 0 }),
    );
    expect(written(again)).toEqual([]);
    expect(await count('WorkRequest')).toBe(before + 2);
  });

  it('wr create --batch with a row that the service refuses', async () => {
    const { run } = home();
    const before = await count('WorkRequest');
    const rows = [
      'asset,project,language,territory,uses.items',
      'a-1001,p-none,pol,POL,online',
      'a-1002,p-harbor,pol,POL,online',
    ];
    const input = temporaryFile(`${rows.join('\n')}\n`, 'orders.csv');
    const ended = await run('wr', 'create', '--batch', input, '--skip-checks', '--yes');
    expect(ended.code, ended.stderr).toBe(8);
    expect(ended.stderr).toContain('p-none');
    expect(ended.stderr.includes('Outcome unknown')).toBe(service !== undefined);
    expect(await count('WorkRequest')).toBe(before + 1);
  });

  it('translation submit', async () => {
    const { json } = home();
    let made: Fields = {};
    const requests = await sentBy(async () => {
      made = await json('translation', 'submit', '--work-request', 'wr-2002', '--yes');
    });
    const body = { workRequest: 'wr-2002', asset: 'a-1001', language: 'deu', status: 'submitted' };
    expect(written(requests)).toMatchObject([{ to: 'POST /translations', body }]);
    const record = await stored('Translation', String(made._id));
    expect(record).toMatchObject(body);
    expect(isNear(record.created, 0)).toBe(true);
    expect(await stored('WorkRequest', 'wr-2002')).toMatchObject({
      status: waiting,
      translation: { status: 'submitted' },
    });
  });

  it('file upload-meta', async () => {
    const { json } = home();
    const fields = ['--asset', 'a-1001', '--language', 'fra', '--country', 'FR', '--tag', 'master'];
    let made: Fields = {};
    const requests = await sentBy(async () => {
      made = await json('file', 'upload-meta', '--set', 'name=new.mov', ...fields, '--yes');
    });
    const body = { name: 'new.mov', asset: 'a-1001', language: 'fra', country: 'FR' };
    expect(written(requests)).toMatchObject([{ to: 'POST /files', body }]);
    expect(await stored('File', String(made._id))).toMatchObject(body);
  });

  it('a file that exists already is refused', async () => {
    const { run } = home();
    const before = await stored('File', 'f-1001-master');
    const argv = ['--set', '_id=f-1001-master', '--set', 'name=x.mov', '--asset', 'a-1001'];
    const refused = await run('file', 'upload-meta', ...argv, '--yes');
    expect(refused.code, refused.stderr).not.toBe(0);
    expect(refused.stdout).toBe('');
    expect(await stored('File', 'f-1001-master')).toEqual(before);
  });

  it.each([
    ['file list', 'File'],
    ['downloads list', 'Download'],
    ['user list', 'User'],
  ])('%s --all prints each record once, and --limit stops', async (command, kind) => {
    const { json } = home();
    const total = await count(kind);
    const idsOf = async (...flags: string[]) =>
      (await json(...command.split(' '), ...flags)).map(({ _id }: Fields) => _id);
    const all = await idsOf('--all');
    expect(all).toHaveLength(total);
    expect(new Set(all).size).toBe(total);
    const limit = Math.min(15, total - 1);
    expect(await idsOf('--limit', `${limit}`)).toEqual(all.slice(0, limit));
    expect(await idsOf('--range', '2-4')).toEqual(all.slice(2, 5));
  });

  it('downloads list reads the whole list for a number of pages without a rest', async () => {
    const { json } = home();
    const all: Fields[] = await json('downloads', 'list', '--all');
    // The last page of ten is full, so only the service can say that it is the last one.
    const ids = all.slice(0, 20).map(({ _id }) => _id);
    const first = await json('downloads', 'list', '--limit', '20');
    expect(first.map(({ _id }: Fields) => _id)).toEqual(ids);
    const summary: Fields[] = await json('downloads', 'list', '--summary', 'asset');
    expect(summary.reduce((sum, { count: one }) => sum + Number(one), 0)).toBe(downloadCount);
  });

  it('downloads list --since compares times in the unit of the service', async () => {
    const { json } = home();
    const all: Fields[] = await json('downloads', 'list', '--all');
    const found: Fields[] = await json('downloads', 'list', '--since', '7h');
    // There is one an hour.
    expect(found.length).toBeGreaterThan(5);
    expect(found.length).toBeLessThan(9);
    expect(found).toEqual(all.slice(0, found.length));
  });

  it('file list with a filter reads the whole list', async () => {
    const { json } = home();
    const all: Fields[] = await json('file', 'list', '--all');
    const own = all.filter(({ asset }) => asset === 'a-1001').map(({ _id }) => _id);
    const found: Fields[] = await json('file', 'list', '--asset', 'a-1001');
    expect(found.map(({ _id }) => _id)).toEqual(own);
  });

  it('preview put', async () => {
    const { run } = home();
    const before = await stored('Preview', 'pv-1001-1');
    const file = inputFile({ ...before, label: 'Rough cut' });
    const requests = await sentBy(async () =>
      expect(await run('preview', 'put', '-f', file, '--yes')).toMatchObject({ code: 0 }),
    );
    const body = { _id: 'pv-1001-1', label: 'Rough cut' };
    expect(written(requests)).toMatchObject([{ to: 'PUT /previews', body }]);
    expect(withoutLinks(await stored('Preview', 'pv-1001-1'))).toEqual(
      withoutLinks({ ...before, label: 'Rough cut' }),
    );
  });

  it('offline put', async () => {
    const { run } = home();
    const before = await stored('Offline', 'o-6001');
    const file = inputFile({ ...before, path: 'https://offline.example/new.mov' });
    const requests = await sentBy(async () =>
      expect(await run('offline', 'put', 'o-6001', '-f', file, '--yes')).toMatchObject({ code: 0 }),
    );
    expect(written(requests)).toMatchObject([{ to: 'PUT /offlines/o-6001' }]);
    const after = await stored('Offline', 'o-6001');
    expect(after).toMatchObject({ path: 'https://offline.example/new.mov', asset: before.asset });
  });

  it('event put', async () => {
    const { json } = home();
    const people = ['--work-request', 'wr-2001', '--notify-user', 'u-greta'];
    let made: Fields = {};
    const requests = await sentBy(async () => {
      made = await json('event', 'put', ...people, '--yes');
    });
    const body = { type: 'wam', notify: { users: ['u-greta'] }, workRequest: { _id: 'wr-2001' } };
    expect(written(requests)).toMatchObject([{ to: 'PUT /events', body }]);
    const record = await stored('Event', String(made._id));
    expect(record).toMatchObject(body);
    expect(isNear(record.created, 0)).toBe(true);
  });

  it('user put -f', async () => {
    const { run } = home();
    const { password: _, ...before } = await stored('User', 'u-greta');
    const file = inputFile({ ...before, name: 'Greta V.' });
    const requests = await sentBy(async () =>
      expect(await run('user', 'put', 'u-greta', '-f', file, '--yes')).toMatchObject({ code: 0 }),
    );
    expect(written(requests)).toMatchObject([
      { to: 'PUT /session/u-greta', body: { name: 'Greta V.' } },
    ]);
    const after = await stored('User', 'u-greta');
    expect(withoutLinks(after)).toMatchObject(withoutLinks({ ...before, name: 'Greta V.' }));
  });

  it('user put -f with a part of the record keeps the rest', async () => {
    const { run } = home();
    const before = await stored('User', 'u-omar');
    const file = inputFile({ _id: 'u-omar', name: 'Omar K.' });
    expect(await run('user', 'put', 'u-omar', '-f', file, '--yes')).toMatchObject({ code: 0 });
    expect(await stored('User', 'u-omar')).toEqual({ ...before, name: 'Omar K.' });
  });

  it('a user put that the service refuses', async () => {
    const { run } = home();
    const before = await stored('User', 'u-noa');
    const { password: _, ...rest } = before;
    const file = inputFile({ ...rest, emailNormal: sandbox.email });
    const refused = await run('user', 'put', 'u-noa', '-f', file, '--skip-checks', '--yes');
    expect(refused.code, refused.stderr).not.toBe(0);
    expect(refused.stdout).toBe('');
    expect(refused.stderr).toContain('belongs to another user');
    expectRefusal(refused);
    expect(await stored('User', 'u-noa')).toEqual(before);
  });

  it('api', async () => {
    const { json, run } = home();
    const asset = await stored('Asset', 'a-1007');
    const printed = await json('api', '/assets/a-1007', '--show-secrets');
    expect(withoutLinks(printed)).toEqual(withoutLinks(asset));
    const file = inputFile({ ...asset, name: 'By hand' });
    expect((await run('api', 'PUT', '/assets', '-f', file)).code).toBe(0);
    expect(await stored('Asset', 'a-1007')).toMatchObject({ name: 'By hand' });
    expect((await run('api', '/assets/a-9999')).code).toBe(5);
  });

  it('api --all', async () => {
    const files = await home().json('api', '/files/_slug', '--all');
    expect(files).toHaveLength(await count('File'));
  });
});

/** The sandbox stores links with another host. */
const withoutLinks = (record: Fields) =>
  JSON.parse(JSON.stringify(record).replaceAll(/"\/\/[^/"]+\/api\//g, '"//HOST/api/'));
