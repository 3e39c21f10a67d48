import { describe, expect, it } from 'vitest';
import { fakeService, storedLogin } from '../../harness/fakeService.ts';
import { mar } from '../../harness/mar.ts';
import { factsIn } from '../../harness/marWith.ts';
import { writeService } from '../../harness/writeService.ts';
import { asset, service } from './oneAsset.ts';

const order =
  '{"asset":{"_id":"a-1"},"language":"fra","territory":"FR","uses":{"items":["online"]}}';
const bad = ['null', '[]', '{}', '{"error":"denied"}', '"ok"', '[{"_id":"x-1"}]'];

describe('a response that is no such record', () => {
  it.each(bad)('%s leaves a new order unknown, and the next try says so', async (body) => {
    const { baseUrl } = await writeService(() => ({ body }));
    const env = { ...storedLogin(baseUrl), MAR_LOG: '' };
    const argv = ['wr', 'create', '-f', '-', '--skip-checks', '--json'];
    const run = await mar(argv, { env, stdin: order });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(factsIn(run.stderr)).toMatchObject({ kind: 'unconfirmed', outcome: 'unknown' });
    const again = await mar(argv, { env, stdin: order });
    expect(again.code).toBe(11);
    const { earlier } = factsIn(again.stderr);
    expect(earlier).toMatchObject([{ outcome: 'unknown' }]);
  });

  it('leaves an order of mar api unknown too', async () => {
    const { baseUrl } = await writeService(() => ({ body: '{"error":"denied"}' }));
    const env = { ...storedLogin(baseUrl), MAR_LOG: '' };
    const argv = ['api', 'POST', '/workrequests', '-f', '-'];
    await mar(argv, { env, stdin: order });
    const again = await mar([...argv, '--json'], { env, stdin: order });
    expect(factsIn(again.stderr).earlier).toMatchObject([{ outcome: 'unknown' }]);
  });

  it('is no matter of how the path of mar api is spelled: the order has its id', async () => {
    const { baseUrl } = await fakeService(() => '{"_id":"wr-77"}');
    const env = { ...storedLogin(baseUrl), MAR_LOG: '' };
    await mar(['api', 'POST', '/api//workrequests/', '-f', '-'], { env, stdin: order });
    const again = await mar(['api', 'POST', '/workrequests', '-f', '-', '--json'], {
      env,
      stdin: order,
    });
    expect(factsIn(again.stderr).earlier).toMatchObject([{ id: 'wr-77' }]);
  });

  const writes = ['preview put', 'offline put x-1', 'event put --log off', 'asset put'];
  const cases = writes
    .flatMap((line) => [...bad, '{"_id":"other"}'].map((body) => [line, body] as const))
    // An asset is read again.
    .filter(([line, body]) => line !== 'asset put' || body !== '{}');
  it.each(cases)('fails mar %s with %s', async (line = '', body = '') => {
    const stored = '{"_id":"x-1","name":"a"}';
    const { env } = await fakeService(({ method }) => (method === 'GET' ? stored : body));
    const argv = [...line.split(' '), '-f', '-', '--json', '--skip-checks'];
    const run = await mar(argv, { env, stdin: '{"_id":"x-1","name":"b"}' });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(factsIn(run.stderr)).toMatchObject({ kind: 'unconfirmed', outcome: 'unknown' });
  });

  it('of an asset may be something else, which is then read', async () => {
    const short = () => ({ ok: true });
    const took = await service((body) => body, short);
    expect((await change(took.env, '--unset', 'name')).code).toBe(0);
    const lost = await service(() => asset, short);
    const run = await change(lost.env, '--unset', 'name');
    expect(run.code).toBe(3);
    expect(factsIn(run.stderr).fields).toEqual([{ path: 'name' }]);
  });

  it.each([
    ['empty', () => undefined],
    ['without a record', () => ({ ok: true })],
  ])(
    'of an asset may be %s: the record that is then read is printed and remembered',
    async (_, answer) => {
      const { env } = await service((body) => body, answer);
      await mar(['asset', 'get', 'a-1'], { env });
      const { code, stdout } = await change(env, '--set', 'name=Two');
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toEqual({ ...asset, name: 'Two' });
      expect((await change(env, '--set', 'name=Three')).code).toBe(0);
    },
  );

  it('may be an event without fields, if the event had no _id', async () => {
    const { env } = await fakeService(() => '{}');
    const argv = ['event', 'put', '--type', 'fd', '--file-id', 'f-1', '--log', 'off'];
    expect((await mar(argv, { env })).code).toBe(0);
  });
});

const change = (env: Record<string, string>, ...edits: string[]) =>
  mar(['asset', 'put', 'a-1', '--json', '--skip-checks', ...edits], { env });

describe('a field that did not take', () => {
  it.each([
    ['an ignored field', (body: typeof asset) => ({ ...body, name: 'One' }), ['--set', 'name=Two']],
    ['another value', (body: typeof asset) => ({ ...body, name: 'Three' }), ['--set', 'name=Two']],
    ['a field that is gone', ({ name: _, ...rest }: typeof asset) => rest, ['--set', 'name=Two']],
    ['a merging service', (body: typeof asset) => ({ ...asset, ...body }), ['--unset', 'name']],
  ])('is named: %s', async (_, store, edits) => {
    const { env } = await service(store);
    const run = await change(env, ...edits, '--set', 'usage.online=true');
    expect(run).toMatchObject({ code: 3, stdout: '' });
    expect(factsIn(run.stderr)).toMatchObject({ kind: 'did-not-take', fields: [{ path: 'name' }] });
  });

  it.each([
    ['another case', { type: 'TRAILER' }],
    ['another unit', { created: 1_796_230_801 }],
    ['an embedded record', { project: { _id: 'p-2', name: 'P' } }],
    ['another order', { tags: ['c', 'a', 'b'] }],
    ['a computed field', { $embargo: false }],
    ['an omitted password', { password: undefined }],
  ])('is not one that the service writes in its own way: %s', async (_, own) => {
    const { env } = await service((body) => ({ ...body, ...own }));
    const edits = ['type=trailer', 'created=1796230801000', 'project=p-2', 'tags[+]=c'];
    const sets = [...edits, '$embargo=true', 'password=hash'].flatMap((one) => ['--set', one]);
    const run = await change(env, ...sets);
    expect(run.code, run.stderr).toBe(0);
  });

  it('is looked up if the response has only a part of the record', async () => {
    const short = () => ({ _id: 'a-1' });
    const took = await service((body) => body, short);
    expect((await change(took.env, '--set', 'name=Two')).code).toBe(0);
    expect(took.methods.at(-1)).toBe('GET');
    const lost = await service(() => asset, short);
    const run = await change(lost.env, '--set', 'name=Two');
    expect(run.code).toBe(3);
    expect(factsIn(run.stderr).fields).toEqual([{ path: 'name' }]);
  });

  it('may not be repeated if the look fails, because the write was carried out', async () => {
    let isWritten = false;
    const { env } = await fakeService(({ method }) => {
      if (method === 'GET') return isWritten ? 503 : JSON.stringify(asset);
      isWritten = true;
      return '{"_id":"a-1"}';
    });
    const run = await change(env, '--set', 'tags[+]=c', '--retries', '0');
    const { outcome, retryable, hint } = factsIn(run.stderr);
    expect({ outcome, retryable }).toEqual({ outcome: 'unknown', retryable: undefined });
    expect(hint).toMatch(/before you send it again.*mar asset get a-1/s);
  });

  it('of a preview counts only if the response has another value', async () => {
    const answers = ['{"_id":"p-1"}', '{"_id":"p-1","label":"old"}'];
    const codes = [];
    for (const answer of answers) {
      const { env } = await fakeService(() => answer);
      const stdin = '{"_id":"p-1","label":"new"}';
      codes.push((await mar(['preview', 'put', '-f', '-'], { env, stdin })).code);
    }
    expect(codes).toEqual([0, 3]);
  });
});
