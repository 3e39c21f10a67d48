import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { asset, service } from '../../core/commands/oneAsset.ts';
import { userService } from '../../core/commands/userService.ts';
import { order, prepare, second } from '../../core/records/datedService.ts';
import { mar, marOk, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { writeService } from '../../harness/writeService.ts';

describe('user put', () => {
  it('--batch changes the fields of each row, reads each user once more, and is undone', async () => {
    const { users, env, requests } = await userService(3);
    const file = temporaryFile('_id,name\nu-1,A\nu-2,B\nu-3,C\n', 'users.csv');
    await marOk(['user', 'put', '--batch', file], { env });
    expect(users.map(({ name }) => name)).toEqual(['A', 'B', 'C']);
    expect(users[1]).toMatchObject({ password: 'hash 2', roles: ['editor'] });
    expect(requests.filter((one) => one.includes('0-99')).length).toBeLessThanOrEqual(3);
    await marOk(['batch', 'undo', file, '--yes'], { env });
    expect(users.map(({ name }) => name)).toEqual(['User 1', 'User 2', 'User 3']);
  });

  it('--unset removes the last field besides the id of an embedded record', async () => {
    const { users, env } = await userService();
    const file = temporaryFile('_id,name,groups\nu-1,A,g-1\n', 'users.csv');
    const unset = ['--unset', 'groups[0].addresses'];
    await marOk(['user', 'put', '--batch', file, ...unset], { env });
    expect(users[0]).toMatchObject({ name: 'A' });
    expect(users[0]?.groups).toEqual([{ _id: 'g-1' }]);
  });

  it.each([
    ['table', '_id,name,groups\nu-1,A,g-1\nu-2,B,g-1;g-2\n', '--batch'],
    ['file', '{"name":"A","groups":[{"_id":"g-1"}]}', '-f'],
  ])('keeps what an embedded record has if a %s names it by its id', async (_, text, flag) => {
    const { users, env } = await userService(2);
    const group = { _id: 'g-1', addresses: [{ postalCode: 75001 }] };
    const put = ['user', 'put', ...(flag === '-f' ? ['u-1'] : [])];
    await marOk([...put, flag, temporaryFile(text, `users.${flag === '-f' ? 'json' : 'csv'}`)], {
      env,
    });
    expect(users[0]).toMatchObject({ name: 'A', groups: [group] });
    if (flag === '--batch') expect(users[1]).toMatchObject({ groups: [group, { _id: 'g-2' }] });
  });
});

describe('a record that cannot be read', () => {
  it('a batch names the fields that are sent', async () => {
    const service = await writeService();
    const file = temporaryFile('_id,label\np-1,a\np-2,b\n', 'previews.csv');
    const { stderr } = await marOk(['preview', 'put', '--batch', file], service);
    expect(stderr).toMatch(/warning: .*2 previews.*drop.*_id, label/s);
  });
});

describe('a field that did not take', () => {
  it('fails the row of a batch, and an undo names what it could not take back', async () => {
    let isMerging = false;
    let isDeaf = false;
    let kept: object = asset;
    const { env } = await service((body) => {
      if (!isDeaf) kept = isMerging ? { ...kept, ...body } : body;
      return kept;
    });
    const rows = '_id,name,slug\na-1,Two,x\n';
    const done = temporaryFile(rows, 'assets.csv');
    expect((await mar(['asset', 'put', '--batch', done], { env })).code).toBe(0);
    isMerging = true;
    const undo = await mar(['batch', 'undo', done, '--yes'], { env });
    expect(undo).toMatchObject({ code: 8, stdout: '1 row: 0 done, 1 failed\n' });
    expect(undo.stderr).toMatch(/Row 1 .*: slug$/m);
    isDeaf = true;
    const lost = temporaryFile('_id,name,type\na-1,Three,promo\n', 'others.csv');
    const run = await mar(['asset', 'put', '--batch', lost], { env });
    expect(run).toMatchObject({ code: 8, stdout: '1 row: 0 done, 1 failed\n' });
    expect(run.stderr).toMatch(/Row 1 .*: name$/m);
  });

  it('fails a row that an undo takes back as far as it took', async () => {
    const { env, methods } = await service((body) => ({ ...body, name: 'One' }));
    const file = temporaryFile('_id,name,slug\na-1,Two,x\n', 'assets.csv');
    expect((await mar(['asset', 'put', '--batch', file], { env })).code).toBe(8);
    expect((await mar(['batch', 'undo', file, '--yes'], { env })).code).toBe(0);
    const { stdout } = await mar(['asset', 'get', 'a-1', '--json'], { env });
    expect(JSON.parse(stdout)).toEqual(asset);
    expect(methods.filter((one) => one === 'PUT')).toHaveLength(2);
  });
});

describe('a time that is sent', () => {
  it('is one of many in a batch', async () => {
    const { dates, env } = await prepare();
    const file = temporaryFile('due.date\n2026-12-01T18:00Z\n2026-12-01T18:00:01Z\n', 'rows.csv');
    const journal = ['--journal', path.join(temporaryFolder(), 'journal')];
    const batch = [...order.slice(0, -2), '--batch', file, ...journal];
    await marOk(batch, { env });
    expect(dates.sort()).toEqual([`${second}000`, `${second + 1}000`]);
  });
});
