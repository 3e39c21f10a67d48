import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorOf, order, orderFor, shop } from '../core/orders/shop.ts';
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
    expect(tracked.stdout).toContain(batchWords.settled(id));
    expect((await run(['today'])).stderr).not.toContain(unknownOrder);
    expect(errorOf(await run([...order, '--json']))).toMatchObject({ earlier: [{ id }] });
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
    expect(tracked.stdout).toMatch(new RegExp(`^${batchWords.settled(id)}`));
    expect((await run(['wr', 'track', id], { env })).code).toBe(2);
  });
});
