import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { rememberIds, usedIds } from '../../src/config/usedIds.ts';
import { mar, temporaryFolder } from '../harness/mar.ts';
import { recordService, type StoredRecord } from '../harness/recordService.ts';
import { ask, offered } from './harness.ts';

/** A service with records, and folders of our own. */
async function prepare(records: Record<string, StoredRecord>) {
  const folder = temporaryFolder();
  const service = await recordService(records);
  const state = path.join(folder, 'state');
  const own = { MAR_CONFIG_DIR: path.join(folder, 'config'), MAR_STATE_DIR: state };
  const env: Record<string, string> = { ...service.env, ...own };
  return { state, env, run: (...argv: string[]) => mar(argv, { env }) };
}

const wr = (id: string, more = {}) =>
  JSON.stringify({ _id: id, asset: { name: 'Trailer' }, language: 'fra', ...more });

describe('an id that was used', () => {
  it('is offered, with its name, the most recent first, each once', async () => {
    const { env, run } = await prepare({
      '/workrequests/wr-1': wr('wr-1'),
      '/workrequests/wr-2': wr('wr-2', { territory: 'FRA' }),
      '/assets/a-1': '{"_id":"a-1","name":"Film"}',
    });
    for (const id of ['wr-1', 'wr-2', 'wr-1']) await run('wr', 'get', id);
    await run('asset', 'get', 'a-1');
    const { rows } = await ask(['fish', 'wr', 'get', ''], env);
    expect(rows).toEqual(['wr-1\tTrailer, fra', 'wr-2\tTrailer, fra, FRA']);
    expect(await offered(['asset', 'put', ''], env)).toEqual(['a-1']);
    expect(await offered(['wr', 'get', 'wr-1', ''], env)).toEqual(['wr-2']);
  });

  it('is remembered when it was made', async () => {
    const { env, run } = await prepare({ '/workrequests': wr('wr-9') });
    await run('wr', 'create', '--set', 'language=fra');
    expect(await offered(['wr', 'get', ''], env)).toEqual(['wr-9']);
  });

  it('is remembered of several, but not when it failed or came from a file', async () => {
    const { env } = await prepare({
      '/assets/a-1': '{"_id":"a-1"}',
      '/assets/a-2': 404,
      '/assets/a-3': '{"_id":"a-3"}',
    });
    await mar(['asset', 'get', 'a-1', 'a-2', '-'], { env, stdin: 'a-3\n' });
    expect(await offered(['asset', 'get', ''], env)).toEqual(['a-1']);
    expect((await mar(['asset', 'get', 'a-2'], { env })).code).toBe(5);
    expect(await offered(['asset', 'get', ''], env)).toEqual(['a-1']);
  });

  it('is known at its own service alone', async () => {
    const { env, run } = await prepare({ '/assets/a-1': '{"_id":"a-1"}' });
    await run('asset', 'get', 'a-1');
    expect(await offered(['asset', 'get', ''], env)).toEqual(['a-1']);
    const other = { ...env, MAR_BASE_URL: 'https://other.example/api' };
    expect(await offered(['asset', 'get', ''], other)).toEqual([]);
    const flag = ['asset', 'get', '--base-url', env.MAR_BASE_URL ?? '', ''];
    expect(await offered(flag, other)).toEqual(['a-1']);
  });

  it('belongs to the profile that is asked for', async () => {
    const { env, run } = await prepare({ '/assets/a-1': '{"_id":"a-1"}' });
    await run('asset', 'get', 'a-1');
    const { MAR_BASE_URL: baseUrl = '', MAR_CONFIG_DIR = '', MAR_STATE_DIR = '' } = env;
    const profiles = {
      main: { baseUrl, email: 'a@b' },
      other: { baseUrl: 'https://other.example/api', email: 'a@b' },
    };
    mkdirSync(MAR_CONFIG_DIR);
    const config = JSON.stringify({ defaultProfile: 'main', profiles });
    writeFileSync(path.join(MAR_CONFIG_DIR, 'config.json'), config);
    const stored = { MAR_CONFIG_DIR, MAR_STATE_DIR };
    expect(await offered(['asset', 'get', ''], stored)).toEqual(['a-1']);
    expect(await offered(['asset', 'get', '--profile=other', ''], stored)).toEqual([]);
    expect(await offered(['--profile', 'other', 'asset', 'get', ''], stored)).toEqual([]);
  });

  it('brings no control characters of its name', async () => {
    const name = 'Tr\u001b[31mail\u202eer\tA\nB';
    const { env, run } = await prepare({ '/assets/a-1': JSON.stringify({ _id: 'a-1', name }) });
    await run('asset', 'get', 'a-1');
    const { rows } = await ask(['fish', 'asset', 'get', ''], env);
    expect(rows).toEqual(['a-1\tTr␛[31mail\\u{202e}er A B']);
  });

  it('with control characters, written by somebody else, is not offered', async () => {
    const { env, state } = await prepare({});
    mkdirSync(state);
    const origin = new URL(env.MAR_BASE_URL ?? '').origin;
    const lines = ['a\u001b[2J', 'b\nc', '', 'good'].map((id) =>
      JSON.stringify([origin, 'Asset', id, 'x\u0007y']),
    );
    writeFileSync(path.join(state, 'used-ids.jsonl'), ['{broken', '1', ...lines].join('\n'));
    const { rows } = await ask(['fish', 'asset', 'get', ''], env);
    expect(rows).toEqual(['good\tx␇y']);
  });
});

const filesOf = (folder: string) =>
  readdirSync(folder).filter((name) => name.startsWith('used-ids'));

describe('what is remembered', () => {
  it('can be read by its owner alone', async () => {
    const { state, run } = await prepare({ '/assets/a-1': '{"_id":"a-1"}' });
    await run('asset', 'get', 'a-1');
    expect(statSync(state).mode & 0o777).toBe(0o700);
    for (const file of filesOf(state)) {
      expect(statSync(path.join(state, file)).mode & 0o777).toBe(0o600);
    }
  });

  it('goes with config set remember-ids off, and nothing is remembered from then on', async () => {
    const { env, state, run } = await prepare({ '/assets/a-1': '{"_id":"a-1"}' });
    await run('asset', 'get', 'a-1');
    expect(filesOf(state)).not.toEqual([]);
    expect((await run('config', 'set', 'remember-ids', 'off')).code).toBe(0);
    expect(filesOf(state)).toEqual([]);
    await run('asset', 'get', 'a-1');
    expect(filesOf(state)).toEqual([]);
    await run('config', 'set', 'remember-ids', 'on');
    await run('asset', 'get', 'a-1');
    expect(await offered(['asset', 'get', ''], env)).toEqual(['a-1']);
  });

  it('goes with logout --all', async () => {
    const { env, state, run } = await prepare({ '/assets/a-1': '{"_id":"a-1"}' });
    await run('asset', 'get', 'a-1');
    await mar(['logout', '--all'], { env });
    expect(filesOf(state)).toEqual([]);
  });

  it('is nobody else’s business: a folder that cannot be written changes nothing', async () => {
    const { env } = await prepare({ '/assets/a-1': '{"_id":"a-1"}' });
    const file = path.join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const state of ['/dev/null/state', path.join(file, 'state')]) {
      const run = await mar(['asset', 'get', 'a-1'], { env: { ...env, MAR_STATE_DIR: state } });
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(existsSync(state)).toBe(false);
    }
  });

  it('is a few hundred of each resource, and those of one do not push out another’s', async () => {
    const folder = temporaryFolder();
    const assets = { origin: 'https://media.example', resource: 'Asset' };
    const users = { ...assets, resource: 'User' };
    await rememberIds(folder, [{ ...users, id: 'u-1', name: '' }]);
    for (let count = 0; count < 3000; count += 1) {
      await rememberIds(folder, [{ ...assets, id: `a-${count}`, name: 'n'.repeat(100) }]);
    }
    const ids = usedIds(folder, assets).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 300 }, (_, at) => `a-${2999 - at}`));
    expect(usedIds(folder, users).map(({ id }) => id)).toEqual(['u-1']);
    const sizes = readdirSync(folder).map((file) => statSync(path.join(folder, file)).size);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(100_000);
  });

  it('survives a run that was killed while it tidied up', async () => {
    const folder = temporaryFolder();
    const assets = { origin: 'https://media.example', resource: 'Asset' };
    const left = JSON.stringify([assets.origin, assets.resource, 'a-left', '']);
    writeFileSync(path.join(folder, 'used-ids.moved.jsonl'), `${left}\n`);
    const ids = () => usedIds(folder, assets).map(({ id }) => id);
    expect(ids()).toEqual(['a-left']);
    const name = 'n'.repeat(80);
    for (let count = 0; count < 600; count += 1) {
      await rememberIds(folder, [{ ...assets, id: `a-${count % 10}`, name }]);
    }
    expect(ids()).toHaveLength(11);
    expect(ids()).toContain('a-left');
    expect(readdirSync(folder)).not.toContain('used-ids.moved.jsonl');
  });

  it('loses nothing when several write at once', async () => {
    const folder = temporaryFolder();
    const assets = { origin: 'https://media.example', resource: 'Asset' };
    const name = 'n'.repeat(80);
    await Promise.all(
      Array.from({ length: 20 }, async (_, writer) => {
        for (let count = 0; count < 40; count += 1) {
          const id = `a-${writer}-${count % 10}`;
          await rememberIds(folder, [{ ...assets, id, name }]);
        }
      }),
    );
    expect(usedIds(folder, assets)).toHaveLength(200);
  });
});
