import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hour } from '../../src/core/values/time.ts';
import { errorOf, order, orderFor, shop } from '../core/orders/shop.ts';
import { fakeService } from '../harness/fakeService.ts';
import { mar, temporaryFolder } from '../harness/mar.ts';
import { demo, tokenOf } from '../modules/sandbox/harness.ts';
import { batchWords } from '../words/batch.ts';
import { requestWords } from '../words/requests.ts';

/** The first request for faults that apply to half of them, which is every second one. */
const other = orderFor('est', 'EST');

const unknownOrder = requestWords.unknownOrders('1 order');

describe('an order with an unknown outcome', () => {
  const cut = '/workrequests reset 50%';

  it('says where to look, and is settled by wr track or --again', async () => {
    const { run, count } = await shop(cut);
    await run(other);
    const before = await count();
    const unknown = await run([...order, '--json']);
    expect(unknown.code).toBe(7);
    expect(errorOf(unknown)).toMatchObject({
      outcome: 'unknown',
      hint: expect.stringMatching(/asset a-1001.*mar wr track ID(?!.*--again)/s),
    });
    const refused = await run([...order, '--json']);
    expect(errorOf(refused)).toMatchObject({
      kind: 'placed-before',
      earlier: [{ outcome: 'unknown' }],
    });
    expect(await count()).toBe(before + 1);
    const listed = JSON.parse((await run(['batch', 'list', '--json'])).stdout);
    expect(listed).toMatchObject([{ state: 'unknown', next: expect.stringContaining('wr track') }]);
    const [first] = JSON.parse((await run(['log', '--unknown', '--json'])).stdout);
    expect(first).toMatchObject({ asset: 'a-1001', language: 'fin', next: listed[0].next });
    for (const argv of [['today'], ['find', 'harbor'], ['find', 'zzzz']]) {
      expect((await run(argv)).stderr, argv.join(' ')).toContain(unknownOrder);
    }
    expect((await run([...order, '--again', '--yes'])).code).toBe(0);
    expect((await run(['batch', 'list', '--json'])).stdout.trim()).toBe('[]');
  });

  it('is settled by the work request that is tracked, if it is the same order', async () => {
    const { run, requests } = await shop(cut);
    await run(other);
    await run(order);
    await run(['wr', 'track', 'wr-2001']);
    expect((await run(['today'])).stderr).toContain(unknownOrder);
    const id = (await requests()).at(-1) ?? '';
    const tracked = await run(['wr', 'track', id]);
    expect(tracked.stdout).toContain(batchWords.settled(4, id));
    expect((await run(['today'])).stderr).not.toContain(unknownOrder);
    expect(errorOf(await run([...order, '--json']))).toMatchObject({ earlier: [{ id }] });
  });

  it('is told from another one of the same work by its time, also after it was sent again', async () => {
    const { run, requests } = await shop(cut);
    await run(other);
    await run(order);
    await run([...other, '--again', '--yes']);
    await run([...order, '--again', '--yes']);
    const log = async () => JSON.parse((await run(['log', '--json'])).stdout);
    const [newer, , older] = await log();
    expect([newer, older]).toMatchObject([
      { state: 'unknown', undo: 'unknown', final: false },
      { state: 'sent again', undo: 'unknown', next: expect.stringContaining('mar wr track ID') },
    ]);
    const [first = '', , second = ''] = (await requests()).slice(-3);
    for (const [id, { number }] of [[first, older] as const, [second, newer] as const]) {
      // Being on the list already makes no difference.
      await run(['wr', 'get', id]);
      expect(JSON.parse((await run(['wr', 'track', id, '--json'])).stdout)).toEqual({
        added: [id],
        settled: [{ id, number }],
      });
      expect((await log()).find((one: { number: number }) => one.number === number)).toMatchObject({
        ...{ id, state: 'done', final: true },
      });
    }
  });

  it('is not settled by a work request that another order created', async () => {
    const { run, requests } = await shop(cut);
    await run(other);
    await run(order);
    await run([...order, '--again', '--yes']);
    const id = (await requests()).at(-1) ?? '';
    const tracked = await run(['wr', 'track', id, '--json']);
    expect(JSON.parse(tracked.stdout)).toEqual({ added: [], settled: [] });
    expect(tracked.stderr).toBe('');
  });

  it('is not settled by an older work request', async () => {
    let sent = '';
    const { env } = await fakeService(({ method, path: where, body }) => {
      if (method === 'GET' && !where.endsWith('/wr-7')) return '{"_id":"a-1001"}';
      if (method === 'GET') {
        const created = Date.now() - hour;
        return { body: JSON.stringify({ ...JSON.parse(sent), _id: 'wr-7', created }) };
      }
      sent = body;
      return undefined;
    });
    const options = { env: { ...env, MAR_LOG: path.join(temporaryFolder(), 'log.jsonl') } };
    expect((await mar(order, options)).code).toBe(7);
    expect((await mar(['wr', 'track', 'wr-7'], options)).stderr).toContain(batchWords.tooOld(2));
    expect(JSON.parse((await mar(['log', '--unknown', '--json'], options)).stdout)).toHaveLength(1);
  });

  it('is settled in CI too, where there is a log but no list', async () => {
    const { run, requests, sandbox, folder } = await shop(cut);
    const env = {
      ...{ MAR_TOKEN: await tokenOf(sandbox), MAR_EMAIL: demo.email },
      ...{ MAR_BASE_URL: sandbox.baseUrl, MAR_LOG: path.join(folder, 'ci.jsonl') },
    };
    await run(other, { env });
    await run(order, { env });
    const id = (await requests()).at(-1) ?? '';
    const tracked = await run(['wr', 'track', id], { env });
    expect(tracked.code, tracked.stderr).toBe(0);
    expect(tracked.stdout).toMatch(new RegExp(`^${batchWords.settled(4, id)}`));
    expect((await run(['wr', 'track', id], { env })).code).toBe(2);
  });
});

describe('rows of a batch with an unknown outcome', () => {
  const rows = ['fin,FIN', 'est,EST', 'lav,LVA', 'lit,LTU'].map(
    (place) => `a-1001,${place},2031-12-12,Europe/Paris,online`,
  );
  const sheet = `asset,language,territory,due.date,due.tz,use\n${rows.join('\n')}\n`;

  async function sentRows() {
    const { run, requests, file } = await shop('/workrequests reset 50%');
    const path = file('rows.csv', sheet);
    const flags = ['--concurrency', '1', '--skip-checks=due'];
    const { code, stdout } = await run(['wr', 'create', '--batch', path, ...flags]);
    expect([code, stdout]).toEqual([8, '4 rows: 2 done, 2 unknown\n']);
    const [, second = '', , fourth = ''] = (await requests()).slice(-4);
    return { run, path, second, fourth };
  }

  it('are put on the list of today when they are decided', async () => {
    const { run, path, second, fourth } = await sentRows();
    await run(['batch', 'resolve', path, `2=created:${second}`, '4=retry']);
    const { stdout } = await run(['today', '--batch', path, '--jq', '._id']);
    expect(stdout).toContain(second);
    expect(stdout).not.toContain(fourth);
    expect(stdout.trim().split('\n')).toHaveLength(3);
  });

  it('are no batch without a problem, and count as orders of unknown outcome', async () => {
    const { run, path: file, second, fourth } = await sentRows();
    const next = `mar batch status ${file}`;
    for (const argv of [['today'], ['today', '--batch', file]]) {
      const { stdout, stderr } = await run(argv, { columns: 200 });
      expect(stdout).not.toContain(requestWords.nothingToDo);
      expect(stdout).not.toContain(requestWords.calmBatches(1));
      expect(stderr).toMatch(/rows\.csv: 2 done, 2 unknown/);
      expect(stderr).toContain(next);
      expect(stderr).toContain(requestWords.unknownOrders('2 orders'));
    }
    expect((await run(['find', 'harbor'])).stderr).toContain(
      requestWords.unknownOrders('2 orders'),
    );
    await run(['batch', 'resolve', file, `2=created:${second}`, `4=created:${fourth}`]);
    const { stdout, stderr } = await run(['today'], { columns: 200 });
    expect(stdout).toContain(`${requestWords.calmBatches(1)}: rows.csv`);
    expect(stdout).toContain(requestWords.nothingToDo);
    expect(stderr).not.toContain(next);
  });

  it('are named by wr track for the work request that may be one of them', async () => {
    const { run, path: file, second } = await sentRows();
    const tracked = await run(['wr', 'track', second]);
    expect(tracked.stderr).toContain(requestWords.mayBeRow(second, '2', file));
    expect(tracked.stderr).toContain(`mar batch resolve ${file} 2=created:${second}`);
    await run(['batch', 'resolve', file, `2=created:${second}`]);
    expect((await run(['wr', 'track', second])).stderr).toBe('');
  });
});
