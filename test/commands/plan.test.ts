import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { order as batchRow } from '../batch/harness.ts';
import { assetService } from '../harness/assetService.ts';
import { assetsService } from '../harness/assetsService.ts';
import { mar, marOk, type RunOptions, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { factsIn, failure, refused as refusedWords } from '../harness/marWith.ts';
import { account, recordingServer, withAssets } from '../harness/recordingServer.ts';
import { writeService } from '../harness/writeService.ts';
import { requestWords } from '../words/requests.ts';

afterEach(() => void vi.useRealTimers());

const newFile = (name = 'plan.json') => path.join(temporaryFolder(), name);
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

/** Plans a command, which must succeed, and returns the file. */
async function planned(argv: readonly string[], options: RunOptions, file = newFile()) {
  await marOk([...argv, '--plan', file], options);
  return file;
}

const apply = (file: string, options: RunOptions) => mar(['plan', 'apply', file], options);
const applied = (file: string, options: RunOptions, ...more: string[]) =>
  marOk(['plan', 'apply', file, ...more], options);

/** Expects that a plan is refused, and returns the message. */
const refused = (file: string, options: RunOptions, code = 2) =>
  failure(code, apply(file, options));

/** Changes a plan, with the right digest. */
function forge(file: string, changes: object): void {
  const { digest: _, ...content } = { ...read(file), ...changes };
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  writeFileSync(file, JSON.stringify({ ...content, digest }));
}

const fields = '--asset a-1 --language fra --dialogue subtitled --due 2028-12-01';
const order = ['wr', 'create', ...fields.split(' ')];
const created = () => recordingServer(withAssets('{"_id":"wr-9"}'));
const at = (time: string) =>
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`2026-11-${time}Z`) });
const writesTo = ({ requests }: { requests: string[] }) =>
  requests.filter((request) => !request.startsWith('GET'));

describe('--plan', () => {
  it.each([
    ['wr create --set language=fra --skip-checks', 'POST /api/workrequests'],
    ['translation submit --set language=fra', 'POST /api/translations'],
    ['file upload-meta --set name=a.mov', 'POST /api/files'],
    ['user put x -f -', 'PUT /api/session/x'],
    ['offline put x -f -', 'PUT /api/offlines/x'],
    ['preview put -f -', 'PUT /api/previews'],
    ['event put -f -', 'PUT /api/events'],
    ['api DELETE /previews/p-1', 'DELETE /api/previews/p-1'],
    ['api POST /things --set a=9007199254740993', 'POST /api/things'],
  ])('of %s sends nothing, and plan apply sends the same bytes once', async (line, request) => {
    const argv = line.split(' ');
    const stdin = '{"_id":"x","big":9007199254740993}';
    const server = await recordingServer('{"_id":"x"}');
    await marOk(argv, { ...server, stdin });
    const [bytes] = server.requests.splice(0);
    const file = await planned(argv, { ...server, stdin });
    expect(server.requests).toEqual([]);
    await applied(file, server);
    expect(server.requests).toEqual([bytes]);
    expect(bytes).toContain(`${request} `);
    expect(await refused(file, server)).toContain(requestWords.appliedBefore);
    expect(server.requests).toHaveLength(1);
  });

  it('writes a private file with all that a reviewer needs, and no token', async () => {
    const server = await created();
    const file = await planned([...order, '--set', 'zzz=1'], server);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(account.MAR_TOKEN);
    expect(read(file)).toMatchObject({
      service: server.baseUrl,
      account: account.MAR_EMAIL,
      command: 'wr create',
      plan: { endpoint: 'workRequestCreate', body: { asset: { _id: 'a-1' }, language: 'fra' } },
      warnings: [{ code: 'unknown-field' }],
    });
    const { stdout } = await marOk(['plan', 'show', file], { env: { MAR_EMAIL: 'x@y.example' } });
    for (const part of [...order, server.baseUrl, account.MAR_EMAIL, '"zzz": 1', 'warning: ']) {
      expect(stdout).toContain(part);
    }
    const json = await marOk(['plan', 'show', file, '--json']);
    expect(JSON.parse(json.stdout)).toEqual(read(file));
  });

  it.each([
    ['user put x -f -', requestWords.planCannotHold('a password')],
    ['api POST /x --set password=x', requestWords.planCannotHold('a password')],
    ['api POST /x -H X-Api-Key:k', requestWords.planCannotHold('the header X-Api-Key')],
    ['api POST /x -f -', 'standard input'],
    ['api /assets/a-1', 'GET request writes nothing'],
    ['wr create --template', 'nothing to plan'],
    [`${order.join(' ')} --dry-run`, '--plan and --dry-run'],
    ['wr create --batch x --check', '--check and --plan'],
    ['wr create --set langauge=fra', '"language"?'],
    ['user put --batch ROWS', requestWords.planCannotHold('a password')],
  ])('of %s is refused, and no file is written', async (line, message) => {
    const password = '{"_id":"x","password":"hush"}\n';
    const stdin = line.startsWith('user') ? password : '{}';
    const argv = line.replace('ROWS', temporaryFile(password, 'users.jsonl')).split(' ');
    const file = newFile();
    expect(await refusedWords([...argv, '--plan', file], { stdin })).toContain(message);
    expect(existsSync(file)).toBe(false);
  });

  it('replaces an earlier plan, and nothing else', async () => {
    const server = await created();
    const file = await planned(order, server);
    await applied(file, server);
    await planned(order, server, file);
    await applied(file, server);
    const other = temporaryFile('asset,language\n', 'rows.csv');
    await failure(2, mar([...order, '--plan', other], server));
    expect(readFileSync(other, 'utf8')).toBe('asset,language\n');
  });
});

describe('plan apply', () => {
  it.each([
    ['was changed after', (text: string) => text.replace('"fra"', '"deu"')],
    ['was changed after', (text: string) => text.replace('"wr create"', '"wr put"')],
    [requestWords.notAPlan, () => '{"a":1}'],
    [requestWords.notAPlan, () => 'asset,language\n'],
    ['another version', (text: string) => text.replace('"marPlan": "1"', '"marPlan": "9"')],
  ])('refuses a file that %s', async (message, edit) => {
    const server = await created();
    const file = await planned(order, server);
    writeFileSync(file, edit(readFileSync(file, 'utf8')));
    expect(await refused(file, server)).toContain(message);
    expect((await mar(['plan', 'show', file])).code).toBe(2);
    expect(writesTo(server)).toEqual([]);
  });

  it('refuses a plan of more than a week, and a due date that has passed meanwhile', async () => {
    at('16T10:00:00');
    const server = await created();
    const rows = 'asset,language,uses.items,due.date\na-1,fra,online,2026-11-20\n';
    const batch = ['wr', 'create', '--batch', temporaryFile(rows, 'rows.csv')];
    const file = await planned([...order.slice(0, -1), '2026-11-20'], server);
    const ofRows = await planned(batch, server);
    at('21T10:00:00');
    for (const one of [file, ofRows]) {
      expect(await refused(one, server)).toMatch(/due\.date .*: 2026-11-20 /);
    }
    at('23T10:00:01');
    expect(await refused(file, server)).toContain('7 days');
    expect(writesTo(server)).toEqual([]);
  });

  it('refuses another service, and takes another account', async () => {
    const [server, other] = [await created(), await created()];
    const file = await planned(order, server);
    const message = await refused(file, other);
    for (const { baseUrl } of [server, other]) expect(message).toContain(baseUrl);
    const MAR_EMAIL = 'bo@northlight.example';
    const { stderr } = await applied(file, { env: { ...server.env, MAR_EMAIL } });
    for (const email of [account.MAR_EMAIL, MAR_EMAIL]) expect(stderr).toContain(email);
    expect(writesTo(other)).toEqual([]);
  });

  it('repeats the checks that ask the service', async () => {
    const usage = { online: true };
    const server = await recordingServer((request) =>
      JSON.stringify(request.startsWith('GET') ? { _id: 'a-1', usage } : { _id: 'wr-9' }),
    );
    const file = await planned([...order, '--use', 'online'], server);
    usage.online = false;
    expect(await refused(file, server)).toContain(requestWords.notForUse('online'));
    expect(writesTo(server)).toEqual([]);
  });

  it('refuses new warnings', async () => {
    const event = { _id: 'e-1', type: 'wam', workRequest: { _id: 'w', status: 'complete' } };
    const server = await recordingServer('{}');
    const stdin = JSON.stringify(event);
    const file = await planned(['event', 'put', '-f', '-'], { ...server, stdin });
    expect(read(file).warnings).toHaveLength(1);
    forge(file, { warnings: [] });
    await refused(file, server, 6);
    expect(writesTo(server)).toEqual([]);
  });

  it.each([
    { command: 'logout', plan: undefined, lines: [{ row: 1 }] },
    { command: 'nonsense' },
    { plan: { endpoint: 'sessionDelete', body: {}, remarks: [] } },
  ])('sends only what its command could have planned, not %j', async (changes) => {
    const server = await created();
    const file = await planned(order, server);
    forge(file, changes);
    await refused(file, server);
    expect(writesTo(server)).toEqual([]);
  });

  it('can be tried again after a refusal of the service, and not after an unknown outcome', async () => {
    const reactions = [{ status: 422 }, 'reset'] as const;
    const service = await writeService((_body, count) => reactions[count - 1] ?? {});
    const file = await planned(['wr', 'create', '--set', 'language=fra', '--skip-checks'], service);
    await refused(file, service, 3);
    await refused(file, service, 7);
    expect(await refused(file, service)).toContain(requestWords.appliedBefore);
    expect(service.received).toHaveLength(2);
  });

  it('sends nothing with --dry-run, and says that the plan is still right', async () => {
    const server = await created();
    const file = await planned(order, server);
    expect((await applied(file, server, '--dry-run')).stderr).toContain(requestWords.canBeApplied);
    expect(writesTo(server)).toEqual([]);
    // A file that is only printed in another way is the same plan.
    writeFileSync(file, JSON.stringify(read(file)));
    await applied(file, server);
  });
});

describe('a plan for an asset', () => {
  const asset = '{"_id":"a-1","name":"One","n":1.0,"$flags":[]}';
  const change = ['asset', 'put', 'a-1', '--set', 'name=Two'];

  it('is applied over the version that it was made for', async () => {
    const service = await assetService(asset, { tags: true });
    const file = await planned(change, service);
    const { stdout } = await marOk(['plan', 'show', file]);
    expect(stdout).toContain('  name\n    - "One"\n    + "Two"\n');
    // The service computes such fields.
    service.change('"$flags":[]', '"$flags":["x"]');
    await applied(file, service);
    expect(service.text).toBe('{"_id":"a-1","name":"Two","n":1.0,"$flags":[]}');
  });

  it.each([
    [['--force'], 2, 'between the plan and its application'],
    [[], 3, 'while it is applied'],
  ])('with %j is refused if others change it at read %i, %s', async (flags, count) => {
    const service = await assetService(asset);
    const file = await planned([...change, ...flags], service);
    service.before = (method, number) => {
      if (method === 'GET' && number === count) service.change('1.0', '2.0');
    };
    const message = await refused(file, service, 6);
    expect(message).toMatch(/asset a-1 .*\n {2}n\n.*2\.0\n.*1\.0\n/);
    expect(service.methods).not.toContain('PUT');
    // Nothing was sent, so it can be applied when the asset is as before.
    service.before = () => {};
    service.change('2.0', '1.0');
    await applied(file, service);
  });

  it('is refused with the value that it would write, and the one of others', async () => {
    const service = await assetService(asset);
    const file = await planned(change, service);
    service.change('"name":"One"', '"name":"Theirs"');
    const { stderr } = await mar(['plan', 'apply', file, '--yes', '--json'], service);
    const conflict = { path: 'name', theirs: 'Theirs', yours: 'Two' };
    expect(factsIn(stderr).conflicts).toEqual([conflict]);
  });

  it('is refused if the asset has a password, even one that it removes', async () => {
    const service = await assetService('{"_id":"a-1","password":"hush"}');
    const file = newFile();
    const argv = ['asset', 'put', 'a-1', '--unset', 'password', '--plan', file];
    const message = await failure(2, mar(argv, service));
    expect(message).toContain(requestWords.planCannotHold('a password'));
    expect(existsSync(file)).toBe(false);
  });

  it('that changes nothing has nothing to send', async () => {
    const service = await assetService(asset);
    const file = await planned(['asset', 'put', 'a-1', '--set', 'name=One'], service);
    expect((await applied(file, service)).stderr).toContain(requestWords.nothingToSend);
    expect(service.methods).not.toContain('PUT');
  });

  it('can come from the editor', async () => {
    const service = await assetService(asset);
    const script =
      "const fs=require('fs');const f=process.argv[2];fs.writeFileSync(f,fs.readFileSync(f,'utf8').replace('One','Two'))";
    const EDITOR = `${process.execPath} ${temporaryFile(script, 'editor.cjs')}`;
    const file = await planned(['asset', 'edit', 'a-1'], { env: { ...service.env, EDITOR } });
    await applied(file, service);
    expect(service.text).toContain('"name":"Two"');
  });
});

describe('a plan for a batch', () => {
  const rows =
    'asset,language,uses.items,instructions,due.date\na-1,fra,online,one,+14d\na-1,deu,online,two,2028-12-01\n';
  const creates = async (treat?: Parameters<typeof writeService>[0]) => {
    const service = await writeService(treat);
    const source = temporaryFile(rows, 'rows.csv');
    const argv = ['wr', 'create', '--batch', source];
    return { service, source, argv, file: await planned(argv, service) };
  };

  it('has a digest of each row, runs with its journal, and is applied once', async () => {
    at('16T10:00:00');
    const { service, source, file } = await creates();
    const line = { digest: expect.any(String), body: expect.any(Object) };
    const lines = [
      { row: 1, ...line },
      { row: 2, ...line },
    ];
    expect(read(file)).toMatchObject({ source, lines });
    expect((await marOk(['plan', 'show', file])).stdout).toContain('2 rows');
    // A date such as +14d means the one that was planned.
    at('18T10:00:00');
    expect((await applied(file, service)).stdout).toBe('2 rows: 2 done\n');
    const { due } = service.received[0] as { due: { date: number } };
    expect(new Date(due.date).getDate()).toBe(30);
    expect(existsSync(`${source}.mar-journal`)).toBe(true);
    rmSync(`${source}.mar-journal`);
    expect(await refused(file, service)).toContain(requestWords.appliedBefore);
    expect(service.received).toHaveLength(2);
  });

  it.each([
    ['changed', rows.replace('two', 'zwei'), 'row 2 instructions'],
    ['added', `${rows}a-1,jpn,online,three,\n`, 'row 3'],
    ['removed', rows.replace(/a-1,deu.*\n/, ''), 'row 2'],
  ])('is refused if a row was %s, which is named', async (_how, text, name) => {
    const { service, source, file } = await creates();
    writeFileSync(source, text);
    const message = await refused(file, service, 6);
    expect(message).toMatch(new RegExp(`\n +${name}\n`));
    expect(message).not.toContain('row 1');
    expect(service.received).toEqual([]);
  });

  it('has only digests of more than 1,000 rows', async () => {
    const many = Array.from({ length: 1001 }, (_, row) => batchRow(String(row))).join('');
    const argv = ['wr', 'create', '--batch', temporaryFile(many, 'rows.jsonl')];
    const { lines } = read(await planned(argv, await writeService()));
    expect(lines).toHaveLength(1001);
    expect(Object.keys(lines[1000])).toEqual(['row', 'digest']);
  });

  it('is resumed by applying it again', async () => {
    const { service, file } = await creates((body) =>
      body.instructions === 'two' && service.received.length < 3 ? { status: 401 } : {},
    );
    expect((await apply(file, service)).code).not.toBe(0);
    expect((await applied(file, service)).stdout).toContain('2 rows: 2 done');
    expect(service.received.map(({ instructions }) => instructions)).toEqual(['one', 'two', 'two']);
    expect(await refused(file, service)).toContain(requestWords.appliedBefore);
  });
});

describe('a plan for many assets', () => {
  const assets = () => assetsService([1, 2].map((n) => ({ _id: `a-${n}`, name: `Name ${n}` })));
  const rows = '_id,name\na-1,New 1\na-2,New 2\n';

  it('has the changes, and so has the plan of its undo', async () => {
    const service = await assets();
    const source = temporaryFile(rows, 'assets.csv');
    const file = await planned(['asset', 'put', '--batch', source], service);
    const change = { _id: 'a-2', field: 'name', before: 'Name 2', after: 'New 2' };
    expect(read(file).lines[1]).toEqual(change);
    const { stdout } = await marOk(['plan', 'show', file]);
    expect(stdout).toContain('  a-2: name\n    - "Name 2"\n    + "New 2"\n');
    await applied(file, service);
    const undo = await planned(['batch', 'undo', source], service);
    expect(service.asset('a-1').name).toBe('New 1');
    await applied(undo, service);
    expect(service.asset('a-1').name).toBe('Name 1');
  });

  it('is refused if an asset changed, with both values', async () => {
    const service = await assets();
    const file = await planned(['asset', 'put', '--batch', temporaryFile(rows, 'a.csv')], service);
    service.change('a-2', { name: 'Theirs' });
    const message = await refused(file, service, 6);
    expect(message).toMatch(/a-2: name before\n.*"Theirs"\n.*"Name 2"\n/);
    expect(message).not.toContain('a-1');
    expect(service.written()).toEqual([]);
  });

  it('does not write a row that changed after the plan was checked', async () => {
    const service = await assets();
    const file = await planned(['asset', 'put', '--batch', temporaryFile(rows, 'a.csv')], service);
    service.treat = (request, count) => {
      if (request === 'GET a-2' && count === 3) service.change('a-2', { name: 'Theirs' });
      return undefined;
    };
    const run = await apply(file, service);
    expect(run.code, run.stderr).toBe(8);
    expect(run.stderr).toContain(requestWords.changedSincePlan);
    expect(service.written()).toEqual(['a-1']);
    expect(service.asset('a-2').name).toBe('Theirs');
  });
});
