import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mar, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { recordService, type StoredRecord } from '../../harness/recordService.ts';
import { remembered, storedAccount } from '../../harness/storedAccount.ts';
import { ask, offered } from './harness.ts';

/** A service with records, and folders of our own. */
async function prepare(records: Record<string, StoredRecord>) {
  const service = await recordService(records);
  const env = storedAccount(temporaryFolder(), service.env.MAR_BASE_URL ?? '');
  const { MAR_STATE_DIR: state = '' } = env;
  return { state, env, run: (...argv: string[]) => mar(argv, { env }) };
}

const wr = (id: string, more = {}) =>
  JSON.stringify({ _id: id, asset: { name: 'Trailer' }, language: 'fra', ...more });

const oneAsset = { '/assets/a-1': '{"_id":"a-1"}' };

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

  it.skipIf(process.platform === 'win32')(
    'is not offered if others can change the configuration',
    async () => {
      const { env, run } = await prepare(oneAsset);
      await run('asset', 'get', 'a-1');
      chmodSync(path.join(env.MAR_CONFIG_DIR ?? '', 'config.json'), 0o666);
      expect(await offered(['asset', 'get', ''], env)).toEqual([]);
      expect(await offered(['profile', 'use', ''], env)).toEqual([]);
    },
  );

  it('is remembered when it was made', async () => {
    const { env, run } = await prepare({ '/workrequests': wr('wr-9') });
    await run('wr', 'create', '--skip-checks', '--set', 'language=fra');
    expect(await offered(['wr', 'get', ''], env)).toEqual(['wr-9']);
  });

  it('is remembered of several, but not when it failed or came from a file', async () => {
    const { env } = await prepare({ ...oneAsset, '/assets/a-3': '{"_id":"a-3"}' });
    await mar(['asset', 'get', 'a-1', 'a-2', '-'], { env, stdin: 'a-3\n' });
    expect(await offered(['asset', 'get', ''], env)).toEqual(['a-1']);
    expect((await mar(['asset', 'get', 'a-2'], { env })).code).toBe(5);
    expect(await offered(['asset', 'get', ''], env)).toEqual(['a-1']);
  });

  it('belongs to one base URL and one account', async () => {
    const { env, run } = await prepare(oneAsset);
    await run('asset', 'get', 'a-1');
    const { MAR_BASE_URL: baseUrl = '', ...folders } = env;
    const email = 'ines@northlight.example';
    const profiles = {
      main: { baseUrl, email },
      path: { baseUrl: baseUrl.replace('/api', '/other/api'), email },
      account: { baseUrl, email: 'tom@northlight.example' },
    };
    const config = JSON.stringify({ defaultProfile: 'main', profiles });
    writeFileSync(path.join(folders.MAR_CONFIG_DIR ?? '', 'config.json'), config);
    expect(await offered(['asset', 'get', ''], folders)).toEqual(['a-1']);
    const other = { ...env, MAR_BASE_URL: 'https://other.example/api' };
    expect(await offered(['asset', 'get', ''], other)).toEqual([]);
    expect(await offered(['asset', 'get', '--base-url', baseUrl, ''], other)).toEqual(['a-1']);
    for (const profile of ['path', 'account']) {
      expect(await offered(['asset', 'get', `--profile=${profile}`, ''], folders)).toEqual([]);
      expect(await offered(['--profile', profile, 'asset', 'get', ''], folders)).toEqual([]);
    }
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
    await remembered(env, 'Asset', { 'a\u001b[2J': 'x', 'b\nc': 'x', good: 'x\u0007y' });
    for (const file of filesOf(state)) appendFileSync(file, '{broken\n1\n["Asset","old","x"]\n');
    const { rows } = await ask(['fish', 'asset', 'get', ''], env);
    expect(rows).toEqual(['good\tx␇y']);
  });
});

const filesOf = (state: string) => {
  const folder = path.join(state, 'memory');
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
};

describe('what is remembered', () => {
  it('can be read by its owner alone', async () => {
    const { state, run } = await prepare(oneAsset);
    await run('asset', 'get', 'a-1');
    expect(statSync(state).mode & 0o777).toBe(0o700);
    for (const file of filesOf(state)) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
  });

  it('goes with logout --all and config set remember-ids off, from when on nothing is remembered', async () => {
    const { env, state, run } = await prepare(oneAsset);
    await run('asset', 'get', 'a-1');
    expect(filesOf(state)).not.toEqual([]);
    expect((await run('config', 'set', 'remember-ids', 'off')).code).toBe(0);
    expect(filesOf(state)).toEqual([]);
    await run('asset', 'get', 'a-1');
    expect(filesOf(state)).toEqual([]);
    await run('config', 'set', 'remember-ids', 'on');
    await run('asset', 'get', 'a-1');
    expect(await offered(['asset', 'get', ''], env)).toEqual(['a-1']);
    await run('logout', '--all');
    expect(filesOf(state)).toEqual([]);
  });

  it('is nobody else’s business: a folder that cannot be written changes nothing', async () => {
    const { env } = await prepare(oneAsset);
    const file = temporaryFile('', 'file');
    for (const state of ['/dev/null/state', path.join(file, 'state')]) {
      const run = await mar(['asset', 'get', 'a-1'], { env: { ...env, MAR_STATE_DIR: state } });
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(existsSync(state)).toBe(false);
    }
  });
});
