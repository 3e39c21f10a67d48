import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { assetService } from '../../harness/assetService.ts';
import {
  bundle,
  loopbackHosts,
  makeAuthority,
  makeCertificate,
  tlsOf,
} from '../../harness/certificates.ts';
import { fakeService, storedLogin } from '../../harness/fakeService.ts';
import {
  mar,
  marOk,
  type RunOptions,
  startMar,
  temporaryFile,
  temporaryFolder,
} from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { memoryOf, storedAccount } from '../../harness/storedAccount.ts';
import { recordWords } from '../../words/records.ts';

const record =
  '{"_id":"a-1","name":"One","2":9007199254740993,"1":1.0,"usage":{"online":true,"dcp":false},"tags":["x"],"previews":[{"_id":"p-1","label":"A"},{"_id":"p-2","label":"B"}],"odd":{"__proto__":null,"x":[]}}';

const get = ['asset', 'get', 'a-1', '--json'];
const put = ['asset', 'put', 'a-1', '--json'];

const fileWith = (text: string) => temporaryFile(text, 'a.json');

/** The conflicts of a write that must stop with 6. */
async function conflictsOf(argv: readonly string[], options: RunOptions) {
  const stderr = await failure(6, mar(argv, options));
  return JSON.parse(stderr).error.conflicts;
}

/** A service whose asset another user has changed since it was shown. */
async function shownThenChanged(from: string, to: string) {
  const service = await assetService(record);
  await mar(get, service);
  service.change(from, to);
  return service;
}

/** The service behind TLS. `onConnection` gets the number of each connection before its handshake. */
async function behindTls(baseUrl: string, onConnection: (count: number) => void) {
  const authority = makeAuthority('Test CA');
  const hosts = loopbackHosts;
  const options = tlsOf(makeCertificate({ name: 'service', issuer: authority, hosts }));
  const sockets: Socket[] = [];
  const tls = createTlsServer(options, (socket) => {
    const behind = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    sockets.push(behind);
    socket.pipe(behind).pipe(socket);
  });
  const server = createServer((socket) => {
    sockets.push(socket);
    count += 1;
    onConnection(count);
    tls.emit('connection', socket);
  });
  let count = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { env: storedLogin(`https://localhost:${port}/api`), caCert: bundle(authority) };
}

describe('asset put --set', () => {
  it('keeps what others change if the connection for the write is closed during the last look', async () => {
    let text = record;
    const methods: string[] = [];
    const sockets = new Set<Socket>();
    const { server, baseUrl } = await fakeService(({ method, body }, { socket }) => {
      methods.push(method);
      if (method === 'PUT') text = body;
      if (methods.length === 2) {
        text = text.replace('"dcp":false', '"dcp":true');
        // The other connection is open for the write, and nothing has been sent on it yet.
        for (const one of sockets) if (one !== socket) one.destroy();
      }
      return text;
    });
    server.on('connection', (socket: Socket) => sockets.add(socket));
    await marOk([...put, '--set', 'usage.online=false'], { env: storedLogin(baseUrl) });
    expect(methods).toEqual(['GET', 'GET', 'GET', 'PUT']);
    expect(JSON.parse(text).usage).toEqual({ online: false, dcp: true });
  });

  it('keeps what others change while the connection for the write is opened', async () => {
    const service = await assetService(record);
    const { env, caCert } = await behindTls(service.baseUrl, (count) => {
      // Reads and writes share no connections: the second one is for the write.
      if (count === 2) service.change('"dcp":false', '"dcp":true');
    });
    await marOk([...put, '--set', 'usage.online=false', '--ca-cert', caCert], { env });
    expect(JSON.parse(service.text).usage).toEqual({ online: false, dcp: true });
    expect(service.methods).toEqual(['GET', 'GET', 'PUT']);
  });

  it('reads, reads again and writes the whole record with the change alone', async () => {
    const service = await assetService(record);
    await marOk([...put, '--set', 'usage.online=false'], service);
    expect(service.methods).toEqual(['GET', 'GET', 'PUT']);
    expect(service.text).toBe(record.replace('"online":true', '"online":false'));
  });

  it('shows the difference, and who writes where, on standard error', async () => {
    const service = await assetService(record);
    const words = put.filter((part) => part !== '--json');
    const run = await mar([...words, '--set', 'name=Two', '--unset', 'tags'], service);
    expect(run.stderr).toContain('  name\n    - "One"\n    + "Two"\n  tags\n    - ["x"]\n');
    const { host } = new URL(service.env.MAR_BASE_URL ?? '');
    expect(run.stderr).toContain(` ${host} as ines@northlight.example\n`);
  });

  it('goes on top of what others change between its two reads', async () => {
    const service = await assetService(record);
    service.changeBetweenReads('"dcp":false', '"dcp":true');
    const run = await marOk(['asset', 'put', 'a-1', '--set', 'usage.online=false'], service);
    expect(JSON.parse(service.text).usage).toEqual({ online: false, dcp: true });
    expect(run.stderr).toContain('asset a-1: usage.dcp');
  });

  it('of what others change between its two reads stops with 6, and names both values', async () => {
    const service = await assetService(record);
    service.changeBetweenReads('"One"', '"Theirs"');
    const stderr = await failure(6, mar(['asset', 'put', 'a-1', '--set', 'name=Mine'], service));
    expect(stderr).toContain('name\n    theirs: "Theirs"\n    yours:  "Mine"\n');
    expect(stderr).toContain('--force');
    expect(service.methods).toEqual(['GET', 'GET']);
  });

  it.each([
    ['name=Mine', '"One"', '"Theirs"', 'name'],
    ['previews[0].label=Mine', '"label":"A"', '"label":"Theirs"', 'previews[_id=p-1].label'],
  ])('%s, which others changed since it was shown, stops with 6', async (set, from, to, path) => {
    const service = await shownThenChanged(from, to);
    expect(await conflictsOf([...put, '--set', set], service)).toEqual([
      { path, theirs: 'Theirs', yours: 'Mine' },
    ]);
    expect(service.methods).not.toContain('PUT');
    await marOk([...put, '--set', set, '--force'], service);
    expect(service.text).toContain('"Mine"');
  });

  it.each([
    ['usage.online=false', '"dcp":false', '"dcp":true', '{"online":false,"dcp":true}'],
    [
      'previews[0].label=Mine',
      '"label":"B"',
      '"label":"Theirs"',
      '"label":"Mine"},{"_id":"p-2","label":"Theirs"}',
    ],
  ])('%s is not in the way of a field or element beside it', async (set, from, to, both) => {
    const service = await shownThenChanged(from, to);
    await marOk([...put, '--set', set], service);
    expect(service.text).toContain(both);
  });

  it('of very many fields that others changed shows some, and how many there are', async () => {
    const fields = (value: number) =>
      Array.from({ length: 13 }, (_, index) => `"f${index}":${value}`).join(',');
    const service = await assetService(`{"_id":"a-1",${fields(1)}}`);
    await mar(get, service);
    service.text = `{"_id":"a-1",${fields(2)}}`;
    const argv = ['asset', 'put', '-f', fileWith(`{"_id":"a-1",${fields(1)}}`)];
    const stderr = await failure(6, mar(argv, service));
    expect(stderr.match(/theirs: 2/g)).toHaveLength(10);
    expect(stderr).toMatch(/^ {2}and 3 more$.*--json/ms);
    expect(await conflictsOf([...argv, '--json'], service)).toHaveLength(13);
  });

  it('of a long text that others changed shows where the two differ', async () => {
    const long = 'x'.repeat(300);
    const service = await assetService(record.replace('One', `${long} at 9 o'clock`));
    await mar(get, service);
    service.change(' at 9', ' at 8');
    const argv = ['asset', 'put', 'a-1', '--set', `name=${long} at 7 o'clock`];
    const stderr = await failure(6, mar(argv, service));
    expect(stderr).toContain(`theirs: …${'x'.repeat(12)} at 8 o'clock"\n`);
    expect(stderr).toContain(`yours:  …${'x'.repeat(12)} at 7 o'clock"\n`);
  });

  it('is not stopped by a response to a write that is not the record', async () => {
    const service = await assetService(record);
    const server = await recordingServer(
      ...[record, record, '{"ok":true}', record.replace('One', 'Two')],
      ...[record.replace('One', 'Two'), record.replace('One', 'Two')],
      record.replace('One', 'Three'),
    );
    const env = { ...service.env, ...storedAccount(temporaryFolder(), server.baseUrl) };
    for (const name of ['Two', 'Three']) await marOk([...put, '--set', `name=${name}`], { env });
  });

  it('is not stopped by what this program itself wrote before', async () => {
    const service = await assetService(record);
    await mar(get, service);
    for (const name of ['Two', 'Three']) await marOk([...put, '--set', `name=${name}`], service);
  });

  it('is possible where the service itself sent a field of another type', async () => {
    const service = await assetService('{"_id":"a-1","name":5,"created":"then"}');
    await marOk([...put, '--set', 'slug=x'], service);
    expect(service.text).toBe('{"_id":"a-1","name":5,"created":"then","slug":"x"}');
  });

  it.each([
    ['usage.online=maybe', '--set usage.online=maybe: usage.online: expected a boolean'],
    ['_id=a-2 --force', recordWords.idChanged('a-1')],
    ['name=x --unset _id --force', recordWords.idChanged('a-1')],
  ])('%s is refused, and nothing is written', async (change, message) => {
    const service = await assetService(record);
    const argv = ['asset', 'put', 'a-1', '--set', ...change.split(' ')];
    expect(await failure(2, mar(argv, service))).toContain(message);
    expect(service.methods).not.toContain('PUT');
  });
});

const asset2 = '{"_id":"a-2"}';
it.each([
  // Not taken for a whole record.
  ['asset put --set _id=a-1 --set name=Two', '', '--set path=value'],
  ['asset put -f -', '{"_id":5}', '_id: expected a string, found 5'],
  ['asset put -f -', '{"name":"Two"}', 'the record has no _id'],
  ['asset put a-1 -f -', asset2, 'the record is asset "a-2", not "a-1"'],
  ['asset put -f FILE --base -', asset2, '--base - is asset "a-2", not "a-1"'],
  ['asset put -f - --base -', record, '(-)'],
])('mar %s of %s is refused before anything is read', async (line, stdin, message) => {
  const service = await assetService(record);
  const argv = line.split(' ').map((word) => (word === 'FILE' ? fileWith(record) : word));
  expect(await failure(2, mar(argv, { ...service, stdin }))).toContain(message);
  expect(service.methods).toEqual([]);
});

describe('asset put -f', () => {
  it.each([
    ['a value', '"dcp":false', '"dcp":true', 'usage.dcp'],
    ['a field that they removed', '"tags":["x"],', '', 'tags'],
    [
      'an element that they added',
      '{"_id":"p-2",',
      '{"_id":"p-3"},{"_id":"p-2",',
      'previews[_id=p-3]',
    ],
    ['an element that they removed', ',{"_id":"p-2","label":"B"}', '', 'previews[_id=p-2]'],
    [
      'the order that they gave elements',
      '{"_id":"p-1","label":"A"},{"_id":"p-2","label":"B"}',
      '{"_id":"p-2","label":"B"},{"_id":"p-1","label":"A"}',
      'previews',
    ],
    ['an object that they removed', '"usage":{"online":true,"dcp":false},', '', 'usage'],
  ])('that would undo %s stops with 6, and names it once', async (_what, from, to, place) => {
    const service = await shownThenChanged(from, to);
    const argv = [...put, '-f', fileWith(record.replace('One', 'Mine'))];
    const conflicts = await conflictsOf(argv, service);
    expect(conflicts.map(({ path }: { path: string }) => path)).toEqual([place]);
    // The file is as old after the newest was shown.
    await mar(get, service);
    expect(await conflictsOf(argv, service)).toEqual(conflicts);
  });

  it('of a file that was made from the newest is written as it is', async () => {
    const service = await assetService(record);
    const { stdout } = await mar(get, service);
    const mine = stdout.trim().replace('"One"', '"Mine"');
    await marOk([...put, '-f', fileWith(mine)], service);
    expect(service.text).toBe(mine);
    expect(service.methods).toEqual(['GET', 'GET', 'PUT']);
  });

  it('of a record that was never shown reports that it cannot be guarded', async () => {
    const service = await assetService(record);
    const run = await marOk([...put, '-f', fileWith(record.replace('One', 'Two'))], service);
    expect(run.stderr).toContain('--base FILE');
  });

  it('--base keeps what others changed, and stops only for what both did', async () => {
    const service = await assetService(record);
    const base = fileWith(record);
    const mine = fileWith(record.replace('"One"', '"Mine"').replace('"label":"B"', '"label":"C"'));
    service.change('"label":"A"', '"label":"Theirs"');
    await marOk([...put, '-f', mine, '--base', base], service);
    expect(service.text).toBe(
      record
        .replace('"One"', '"Mine"')
        .replace('"label":"A"', '"label":"Theirs"')
        .replace('"label":"B"', '"label":"C"'),
    );
    service.change('"Mine"', '"Else"');
    expect(await conflictsOf([...put, '-f', mine, '--base', base], service)).toEqual([
      { path: 'name', theirs: 'Else', yours: 'Mine' },
    ]);
    const argv = ['asset', 'put', '-f', mine, '--base', base, '--force'];
    const forced = await marOk(argv, service);
    expect(service.text).toContain('"Mine"');
    expect(forced.stderr).not.toMatch(/Keeping changes by others to .*name/);
  });
});

describe('a tag of the service', () => {
  it('goes back with the write, but not with --force', async () => {
    const service = await assetService(record, { tags: true });
    await marOk([...put, '--set', 'name=Two'], service);
    expect(service.headers['if-match']).toMatch(/^"[0-9a-f]+"$/);
    await marOk([...put, '--set', 'name=Three', '--force'], service);
    expect(service.headers['if-match']).toBeUndefined();
  });

  it('that no longer fits stops the write with 6, and it is not sent again', async () => {
    const service = await assetService(record, { tags: true });
    service.before = (method) => {
      if (method === 'PUT') service.change('"dcp":false', '"dcp":true');
    };
    await failure(6, mar([...put, '--set', 'name=Two'], service));
    expect(service.methods).toEqual(['GET', 'GET', 'PUT']);
    expect(service.text).toContain('"dcp":true');
    expect(service.text).toContain('"One"');
  });
});

describe('what is remembered', () => {
  it('holds nothing of the record, and is readable by its owner alone', async () => {
    const service = await assetService(record);
    await mar(get, service);
    const [state] = memoryOf(service.env).entries('AssetState');
    expect(state?.text).not.toMatch(/One|usage|online|900719/);
    const folder = path.join(service.env.MAR_STATE_DIR ?? '', 'memory');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) {
      expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
    }
  });

  it('survives a closed pipe, so that a write of our own is not taken for one of others', async () => {
    const service = await assetService(record);
    await mar(get, service);
    const run = startMar([...put, '--set', 'name=Three'], service);
    run.stdout.destroy();
    await run.ended;
    expect(service.text).toContain('Three');
    expect((await mar([...put, '--set', 'name=Four'], service)).code).toBe(0);
  });

  it('is nothing with a token from the environment', async () => {
    const service = await assetService(record);
    const { MAR_CONFIG_DIR = '', MAR_STATE_DIR = '', MAR_BASE_URL = '' } = service.env;
    const tokenFile = path.join(MAR_CONFIG_DIR, 'token');
    const account = { MAR_EMAIL: 'ines@northlight.example', MAR_BASE_URL, MAR_STATE_DIR };
    for (const [name, value] of Object.entries({
      MAR_TOKEN: 's3cret',
      MAR_TOKEN_FILE: tokenFile,
    })) {
      const env = { ...account, [name]: value };
      await marOk(get, { env });
      await marOk([...put, '--set', 'name=Two'], { env });
      expect(existsSync(MAR_STATE_DIR)).toBe(false);
    }
  });

  it('of the same content is not the same elsewhere', async () => {
    const service = await assetService(record);
    const states = [];
    for (const state of [temporaryFolder(), temporaryFolder()]) {
      const env = { ...service.env, MAR_STATE_DIR: state };
      await mar(get, { env });
      states.push(...memoryOf(env).entries('AssetState'));
    }
    expect(states).toHaveLength(2);
    expect(states[0]?.text).not.toBe(states[1]?.text);
  });

  it('is not added again while the record stays the same', async () => {
    const service = await assetService(record);
    for (const _ of [1, 2, 3]) await mar(get, service);
    expect(memoryOf(service.env).entries('AssetState')).toHaveLength(1);
  });

  it('that somebody damaged is ignored', async () => {
    const service = await assetService(record);
    const damaged = { kind: 'AssetState', id: 'a-1\tx', text: 'no fingerprint', at: Date.now() };
    await memoryOf(service.env).add([damaged]);
    await marOk([...put, '--set', 'name=Mine'], service);
  });

  it('is no reason to fail where it cannot be', async () => {
    const service = await assetService(record);
    const run = await mar(get, { env: { ...service.env, MAR_STATE_DIR: '/dev/null/state' } });
    expect(run).toMatchObject({ code: 0, stderr: '', stdout: `${record}\n` });
  });
});

describe('a write that changes nothing', () => {
  it('is an answer for programs in a dry run', async () => {
    const service = await assetService(record);
    const argv = ['asset', 'put', 'a-1', '--set', 'name=One', '--dry-run', '--json'];
    const { stdout } = await mar(argv, service);
    expect(JSON.parse(stdout)).toEqual({ changes: [], unchanged: true });
  });

  it.each([
    [['--set', 'name=One']],
    [['-f', 'FILE']],
    [['-f', 'FILE', '--base', 'FILE']],
    [['--set', 'name=One', '--force']],
  ])('%j reports it, exits with 0 and sends nothing', async (flags) => {
    const service = await assetService(record);
    const argv = flags.map((flag) => (flag === 'FILE' ? fileWith(record) : flag));
    const run = await failure(
      0,
      mar(['asset', 'put', 'a-1', ...argv], { ...service, columns: 80 }),
    );
    expect(run).toContain(recordWords.nothingWritten);
    const script = await mar(['asset', 'put', 'a-1', ...argv, '--jq', '._id'], service);
    expect(script).toMatchObject({ code: 0, stdout: 'a-1\n', stderr: '' });
    expect(service.methods).not.toContain('PUT');
  });
});
