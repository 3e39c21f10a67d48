import { describe, expect, it } from 'vitest';
import { assetService } from '../../harness/assetService.ts';
import { fakeService, storedLogin } from '../../harness/fakeService.ts';
import { mar, marOk, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { factsIn } from '../../harness/marWith.ts';
import { writeService } from '../../harness/writeService.ts';
import { userService } from './userService.ts';

const asset = {
  _id: 'a-1',
  name: 'One',
  usage: { online: true, broadcast: false },
  previews: [{ _id: 'p-1', label: 'first', cdn: { domain: 'x', key: 'K1' } }],
  $links: { self: '//x/1' },
};
const oneAsset = () => assetService(JSON.stringify(asset));
const stored = (service: { text: string }) => JSON.parse(service.text);
const put = ['asset', 'put', '-f', '-'];
/** Variables of a service with these facts. */
const facts = (settings: object) => ({
  MAR_SERVICE: temporaryFile(JSON.stringify(settings), 'service.json'),
});

describe('asset put -f', () => {
  it('keeps the fields that the file does not have', async () => {
    const service = await oneAsset();
    const stdin = '{"_id":"a-1","name":"only","usage":{"online":false}}';
    await marOk(put, { ...service, stdin });
    expect(stored(service)).toEqual({
      ...asset,
      name: 'only',
      usage: { online: false, broadcast: false },
    });
  });

  it('keeps them of a record in a list too, if the file names it by its id', async () => {
    const service = await oneAsset();
    const stdin = '{"_id":"a-1","previews":[{"_id":"p-1","label":"new"},{"_id":"p-2"}]}';
    await marOk(put, { ...service, stdin });
    const [first] = asset.previews;
    expect(stored(service).previews).toEqual([{ ...first, label: 'new' }, { _id: 'p-2' }]);
  });

  it('takes no response with a part of the record for a change by others', async () => {
    let text = JSON.stringify(asset);
    const { baseUrl } = await fakeService(({ method, body }) => {
      if (method !== 'PUT') return text;
      text = body;
      return '{"_id":"a-1"}';
    });
    const env = storedLogin(baseUrl);
    for (const name of ['Two', 'Three']) {
      await marOk(['asset', 'put', 'a-1', '--set', `name=${name}`], { env });
    }
    expect(JSON.parse(text)).toEqual({ ...asset, name: 'Three' });
  });

  it('applies --set and --unset to the whole record', async () => {
    const service = await oneAsset();
    const edits = ['--set', 'previews[0].label=new', '--unset', 'usage.online'];
    await marOk([...put, ...edits], { ...service, stdin: '{"_id":"a-1","name":"Two"}' });
    expect(stored(service)).toMatchObject({
      name: 'Two',
      usage: { broadcast: false },
      previews: [{ label: 'new', cdn: { key: 'K1' } }],
    });
    expect(stored(service).usage).not.toHaveProperty('online');
  });

  it('with --replace sends the file as it is, only with --yes where nobody is asked', async () => {
    const service = await oneAsset();
    const stdin = '{"_id":"a-1","name":"only"}';
    const replace = [...put, '--replace'];
    const refusal = await mar([...replace, '--json'], { ...service, stdin });
    expect(refusal.code).toBe(2);
    expect(factsIn(refusal.stderr)).toMatchObject({ kind: 'usage', flag: '--replace' });
    expect(factsIn(refusal.stderr).message).toContain('usage');
    expect(service.methods).not.toContain('PUT');
    await marOk([...replace, '--yes'], { ...service, stdin });
    expect(stored(service)).toEqual(JSON.parse(stdin));
    const both = await mar([...replace, '--base', 'x.json'], { ...service, stdin });
    expect(both.code).toBe(2);
  });

  it('reports that the service keeps what is removed, if that is set', async () => {
    const service = await oneAsset();
    const env = { ...service.env, ...facts({ put: { missing: 'kept' } }) };
    const before = service.text;
    service.before = (method) => {
      if (method === 'PUT') queueMicrotask(() => (service.text = before));
    };
    const run = await mar(['asset', 'put', 'a-1', '--unset', 'usage.online'], { env });
    expect(run.stderr).toMatch(/put\.missing=kept.*usage\.online/);
  });

  it('fills hidden values in from the record', async () => {
    const service = await assetService(JSON.stringify({ ...asset, password: 'hash' }));
    const stdin = JSON.stringify({ ...asset, name: 'Two', password: '[redacted]' });
    await marOk(put, { ...service, stdin });
    expect(stored(service)).toMatchObject({ name: 'Two', password: 'hash' });
  });

  it('fills hidden values in for the copy of --base, too', async () => {
    const secret = { ...asset, password: 'hash' };
    const service = await assetService(JSON.stringify(secret));
    const base = JSON.stringify({ ...secret, password: '[redacted]' });
    const file = temporaryFile(base, 'base.json');
    const stdin = JSON.stringify({ ...asset, name: 'Two' });
    const argv = [...put, '--base', file];
    const refused = await mar(argv, { ...service, stdin });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('password') });
    await marOk([...argv, '--yes'], { ...service, stdin });
    expect(stored(service)).toMatchObject({ name: 'Two' });
    expect(stored(service)).not.toHaveProperty('password');
  });

  it('takes signed addresses that differ with each read for no change by others', async () => {
    const service = await oneAsset();
    const { stdout } = await marOk(['asset', 'get', 'a-1', '--json', '--show-secrets'], service);
    service.change('K1', 'K2');
    const stdin = stdout.replace('"One"', '"Two"');
    const { stderr } = await marOk(put, { ...service, stdin });
    expect(stored(service).name).toBe('Two');
    expect(stderr).not.toContain('Keeping changes by others');
  });

  it('still refuses to undo a change by others', async () => {
    const service = await oneAsset();
    const { stdout } = await marOk(['asset', 'get', 'a-1', '--json'], service);
    service.change('first', 'theirs');
    const run = await mar(put, { ...service, stdin: stdout.replace('"One"', '"Two"') });
    expect(run.code).toBe(6);
    const part = '{"_id":"a-1","name":"Two"}';
    await marOk(put, { ...service, stdin: part });
    expect(stored(service)).toMatchObject({ name: 'Two', previews: [{ label: 'theirs' }] });
  });

  it('merges signed addresses of a fact of the service', async () => {
    const service = await oneAsset();
    const env = { ...service.env, ...facts({ put: { computed: ['name'] } }) };
    const { stdout } = await marOk(['asset', 'get', 'a-1', '--json', '--show-secrets'], { env });
    service.change('One', 'Other');
    await marOk(put, { env, stdin: stdout.replace('first', 'second') });
    expect(stored(service).previews[0].label).toBe('second');
  });
});

describe('user put', () => {
  it('changes one field of a user, who is read from the list', async () => {
    const { users, env } = await userService(12);
    const { stderr } = await marOk(['user', 'put', 'u-12', '--set', 'name=X'], { env });
    expect(users[11]).toMatchObject({ _id: 'u-12', name: 'X', password: 'hash 12', invite: null });
    expect(stderr).toMatch(/User 12/);
  });

  it('keeps what a file does not have, and writes a user back as the service sent it', async () => {
    const { users, env } = await userService();
    await marOk(['user', 'put', 'u-1', '-f', '-'], { env, stdin: '{"name":"X"}' });
    expect(users[0]).toMatchObject({ name: 'X', roles: ['editor'], password: 'hash 1' });
    const { stdout } = await marOk(['user', 'list', '--jsonl'], { env });
    expect(stdout).toContain('[redacted]');
    const stdin = stdout.replace('"X"', '"Y"');
    await marOk(['user', 'put', 'u-1', '-f', '-'], { env, stdin });
    expect(users[0]).toMatchObject({ name: 'Y', password: 'hash 1', invite: null });
    expect(JSON.stringify(users[0])).toContain('75001');
  });

  it('refuses an unknown column before anything is sent, and undo none after it', async () => {
    const { users, requests, ...service } = await userService();
    const env = { ...service.env, MAR_LOG: `${temporaryFolder()}/log` };
    // Strict checks know only documented fields.
    users[0] = { _id: 'u-1', name: 'User 1' };
    const strict = ['--strict', '--columns', 'nope'];
    const put = ['user', 'put', 'u-1', '--set', 'name=X'];
    expect(await mar([...put, ...strict], { env })).toMatchObject({ code: 2 });
    expect(requests).toEqual([]);
    await marOk(put, { env });
    const undone = await marOk(['undo', '--yes', ...strict], { env });
    expect(undone.stderr).toContain('nope');
    expect(users[0]).toMatchObject({ name: 'User 1' });
  });

  it('sends a user who is not listed as new', async () => {
    const { requests, env, service } = await userService();
    service.answer = '{"_id":"u-9","name":"X"}';
    const run = await marOk(['user', 'put', 'u-9', '-f', '-'], { env, stdin: '{"name":"X"}' });
    expect(requests).toContain('PUT /session/u-9');
    expect(run.stderr).toMatch(/u-9 does not exist yet/);
  });
});

describe('a record that cannot be read', () => {
  it.each(['preview put', 'offline put x-1', 'event put'])(
    'mar %s warns that fields may be dropped, until the service is known to keep them',
    async (line) => {
      const service = await writeService();
      const argv = [...line.split(' '), '-f', '-'];
      const stdin = '{"_id":"x-1","created":1}';
      const { stderr } = await marOk([...argv, '--json'], { ...service, stdin });
      const { warning } = JSON.parse(stderr.trim().split('\n')[0] ?? '');
      expect(warning).toMatchObject({ code: 'whole-record' });
      expect(warning.message).toContain('mar config set put.missing=kept');
      const env = { ...service.env, ...facts({ put: { missing: 'kept' } }) };
      const kept = await marOk([...argv, ...(line === 'event put' ? ['--again'] : [])], {
        env,
        stdin,
      });
      expect(kept.stderr).not.toContain('drop');
    },
  );
});
