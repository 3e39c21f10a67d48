import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listsService } from '../harness/listsService.ts';
import { mar, temporaryFolder } from '../harness/mar.ts';
import { storedAccount } from '../harness/storedAccount.ts';

const users = [
  { _id: 'u-tom', name: 'Tom Okafor', emailNormal: 'tom@northlight.example' },
  { _id: 'u-ines', name: 'Inês Carvalho', emailNormal: 'INES@northlight.example' },
];
const lists = {
  '/session': users,
  '/downloads': [{ _id: 'd-1', user: 'u-tom', file: { name: 'a.mov' } }],
  '/notifications/n-1': 404,
};

async function prepare(changed: Parameters<typeof listsService>[0] = {}) {
  const service = await listsService({ ...lists, ...changed });
  const run = (argv: string[], columns?: number) =>
    mar([...argv, '--no-color'], { env: service.env, columns });
  return { ...service, run };
}

describe('mar whoami', () => {
  it('shows your user, and asks the service only once', async () => {
    const { run, requests } = await prepare();
    const first = await run(['whoami', '--json']);
    expect(JSON.parse(first.stdout)).toMatchObject({
      email: 'ines@northlight.example',
      user: { _id: 'u-ines', name: 'Inês Carvalho' },
    });
    expect(requests).toEqual(['/session 0-99']);
    expect((await run(['whoami'], 80)).stdout).toMatch(/User +Inês Carvalho \(u-ines\)/);
    expect(requests).toHaveLength(1);
    expect((await run(['whoami', '--check'])).stdout).toContain('checked\ttrue');
    expect(requests).toHaveLength(2);
  });

  it('remembers that the account is not in the list', async () => {
    const { run, requests } = await prepare({ '/session': users.slice(0, 1) });
    for (const _ of [1, 2]) {
      expect(JSON.parse((await run(['whoami', '--json'])).stdout)).not.toHaveProperty('user');
    }
    expect(requests).toHaveLength(1);
  });

  it('works when the service refuses or cannot be reached', async () => {
    const { run } = await prepare({ '/session': 403 });
    expect(await run(['whoami', '--json'])).toMatchObject({ code: 0, stderr: '' });
    const env = storedAccount(temporaryFolder(), 'http://127.0.0.1:1/api');
    expect(await mar(['whoami', '--json'], { env })).toMatchObject({ code: 0, stderr: '' });
  });

  it('asks nothing when it may remember nothing, unless --check is given', async () => {
    const { run, env, requests } = await prepare();
    await run(['config', 'set', 'remember-ids', 'off']);
    expect(JSON.parse((await run(['whoami', '--json'])).stdout)).not.toHaveProperty('user');
    expect(requests).toEqual([]);
    expect(JSON.parse((await run(['whoami', '--check', '--json'])).stdout)).toHaveProperty('user');
    expect(() => readdirSync(env.MAR_STATE_DIR ?? '')).toThrow();
  });
});

describe('the name of a user', () => {
  it('takes the place of the id for people after user list, and never for programs', async () => {
    const { run } = await prepare();
    const table = async () =>
      (await run(['downloads', 'list', '--columns', '_id,user'], 80)).stdout;
    expect(await table()).toMatch(/d-1 +u-tom/);
    await run(['user', 'list', '--name', 'tom']);
    expect(await table()).toMatch(/d-1 +Tom Okafor/);
    expect((await run(['downloads', 'list', '--columns', 'user'])).stdout).toBe('u-tom\n');
    expect((await run(['downloads', 'list', '--summary', 'user'], 80)).stdout).toContain(
      'Tom Okafor',
    );
    const summary = await run(['downloads', 'list', '--summary', 'user', '--json']);
    expect(JSON.parse(summary.stdout)).toEqual([{ user: 'u-tom', name: 'Tom Okafor', count: 1 }]);
  });

  it('is looked up in the list of users for a summary, in every format', async () => {
    const { run, requests } = await prepare();
    const summary = ['downloads', 'list', '--summary', 'user'];
    expect((await run(summary)).stdout).toBe('u-tom\tTom Okafor\t1\n');
    expect(requests.filter((request) => request.startsWith('/session'))).toHaveLength(1);
    expect((await run([...summary, '-o', 'csv'])).stdout).toContain('u-tom,Tom Okafor,1');
    // Kept since the first run.
    expect(requests.filter((request) => request.startsWith('/session'))).toHaveLength(1);
  });

  it('is left out of a summary if the service does not list users', async () => {
    const { run } = await prepare({ '/session': 403 });
    const summary = await run(['downloads', 'list', '--summary', 'user']);
    expect(summary).toMatchObject({ code: 0, stdout: 'u-tom\t\t1\n' });
    expect(summary.stderr).toContain('The names of some users are not known: ');
  });

  it('is written only when it is new', async () => {
    const { run, env } = await prepare();
    await run(['user', 'list']);
    const [file = ''] = readdirSync(`${env.MAR_STATE_DIR}/memory`);
    const text = () => readFileSync(`${env.MAR_STATE_DIR}/memory/${file}`, 'utf8');
    const before = text();
    await run(['user', 'list']);
    expect(text()).toBe(before);
    expect(before.trimEnd().split('\n')).toHaveLength(2);
  });
});
