import { expect, it } from 'vitest';
import { prepare } from '../../core/commands/checkedOrder.ts';
import { fetched, service } from '../../core/commands/orderService.ts';
import { startAgent } from '../../harness/agent.ts';
import { requestWords } from '../../words/requests.ts';

it.each<[object, string | RegExp]>([
  [{ territory: 'ROW' }, 'territory ROW '],
  [{ language: 'fre' }, /language fre.* fra$/m],
  [{ dialogue: ['dubbed'] }, 'dialogue treatment "dubbed"'],
  [{ due: 'tomorrow', tz: 'Berlin' }, '23:59'],
])('what could be a mistake is a warning for agents: %j', async (fields, message) => {
  const { env } = await prepare();
  const { client } = await startAgent(['--allow-writes'], env);
  const called = { asset: 'a-1', language: 'fra', use: ['online'], ...fields };
  const { report } = await client.call('create_work_request', called);
  expect(report.warnings?.join('\n'), JSON.stringify(report)).toMatch(message);
});

it('an order that is not whole is refused', async () => {
  const { env, bodies } = await service();
  const { client } = await startAgent(['--allow-writes'], env);
  const call = await client.call('create_work_request', { asset: 'a-1', use: ['online'] });
  expect(call.isError).toBe(true);
  expect(JSON.stringify(call.report)).toContain(requestWords.missing('language'));
  expect(bodies).toEqual([]);
});

it('a refusal that rests on an assumption says so, and names the setting that ends it', async () => {
  const { env } = await prepare();
  const { client } = await startAgent(['--allow-writes'], env);
  const fields = { asset: 'a-1', language: 'fra', use: ['online'], due: '2020-01-01' };
  const { report } = await client.call('create_work_request', fields);
  expect(report.error?.hint).toMatch(/assumed.* order\.due-past=ok$/m);
  const unknown = await client.call('change_asset', {
    ids: ['a-1'],
    set: { name: '' },
    unset: ['x'],
  });
  expect(unknown.report.error?.hint ?? '').not.toContain('assumed');
});

it('an agent gets what a copy drops, and all of the old language', async () => {
  const { env } = await service();
  const { client } = await startAgent(['--allow-writes'], env);
  const call = await client.call('create_work_request', { like: 'wr-1', language: 'deu' });
  const text = JSON.stringify(call.report);
  expect(text).toContain(' wr-1: _id, status');
  expect(text).toContain(fetched.instructions);
});
