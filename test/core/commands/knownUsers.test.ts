import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listsService } from '../../harness/listsService.ts';
import { mar } from '../../harness/mar.ts';
import { requestWords } from '../../words/requests.ts';

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
  const run = (argv: string, columns?: number) =>
    mar([...argv.split(' '), '--no-color'], { env: service.env, columns });
  const json = async (argv: string) => JSON.parse((await run(`${argv} --json`)).stdout);
  const userLists = () => service.requests.filter((one) => one.startsWith('/session')).length;
  return { ...service, run, json, userLists };
}

describe('mar whoami', () => {
  it('asks the service only with --check, and then shows your user', async () => {
    const { run, json, requests } = await prepare();
    const account = { email: 'ines@northlight.example' };
    expect(await json('whoami')).toMatchObject(account);
    expect(requests).toEqual([]);
    const user = { _id: 'u-ines', name: 'Inês Carvalho' };
    expect(await json('whoami --check')).toMatchObject({ ...account, user, checked: true });
    expect(requests).toEqual(['/session 0-99']);
    expect((await run('whoami', 80)).stdout).toMatch(/User +Inês Carvalho \(u-ines\)/);
    expect(requests).toHaveLength(1);
  });

  it('shows no user if the account is not in the list', async () => {
    const { json } = await prepare({ '/session': users.slice(0, 1) });
    expect(await json('whoami --check')).not.toHaveProperty('user');
  });

  it('remembers nothing when it may not', async () => {
    const { run, json, env } = await prepare();
    await run('config set remember-ids off');
    expect(await json('whoami --check')).toHaveProperty('user');
    expect(() => readdirSync(env.MAR_STATE_DIR ?? '')).toThrow();
  });
});

describe('the name of a user', () => {
  it('in a filter is not an id if users cannot be listed', async () => {
    const { run } = await prepare({ '/session': 400 });
    const list = (user: string) => mar(['downloads', 'list', '--user', user], { env });
    const { env } = await prepare({ '/session': 400 });
    expect((await list('Tom Okafor')).stderr).toContain('warning: --user Tom Okafor is none of');
    expect((await run('downloads list --user u-tom')).stderr).not.toContain('warning');
  });

  it('takes the place of the id for people after user list, and never for programs', async () => {
    const { run } = await prepare();
    const table = async () => (await run('downloads list --columns _id,user', 80)).stdout;
    expect(await table()).toMatch(/d-1 +u-tom/);
    await run('user list --name tom');
    expect(await table()).toMatch(/d-1 +Tom Okafor/);
    expect((await run('downloads list --columns user')).stdout).toBe('u-tom\n');
    expect((await run('downloads list --summary user', 80)).stdout).toContain('Tom Okafor');
  });

  it('is looked up once for a summary, in every format', async () => {
    const { run, json, userLists } = await prepare();
    const summary = 'downloads list --summary user';
    expect((await run(summary)).stdout).toBe('u-tom\tTom Okafor\t1\n');
    expect((await run(`${summary} -o csv`)).stdout).toContain('u-tom,Tom Okafor,1');
    expect(await json(summary)).toEqual([{ user: 'u-tom', name: 'Tom Okafor', count: 1 }]);
    expect(userLists()).toBe(1);
  });

  it('is left out of a summary if the service does not list users', async () => {
    const { run } = await prepare({ '/session': 403 });
    const summary = await run('downloads list --summary user');
    expect(summary).toMatchObject({ code: 0, stdout: 'u-tom\t\t1\n' });
    expect(summary.stderr).toContain(requestWords.noUserNames);
  });

  it('is written only when it is new', async () => {
    const { run, env } = await prepare();
    await run('user list');
    const [file = ''] = readdirSync(`${env.MAR_STATE_DIR}/memory`);
    const text = () => readFileSync(`${env.MAR_STATE_DIR}/memory/${file}`, 'utf8');
    const before = text();
    await run('user list');
    expect(text()).toBe(before);
    expect(before.trimEnd().split('\n')).toHaveLength(2);
  });
});
