import { EventEmitter, once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { agentAt, type LineClient, startAgent, type ToolResult } from '../../harness/agent.ts';
import { type FakeRequest, fakeService } from '../../harness/fakeService.ts';
import { temporaryFile } from '../../harness/mar.ts';
import { lookupWords } from '../../words/lookup.ts';

/** An agent at a service with assets, which records the writes. */
async function startWriter({
  respond = (_request: FakeRequest): string | undefined => undefined,
  capabilities = {},
} = {}) {
  const writes: FakeRequest[] = [];
  const asset = { _id: 'a-1', name: 'Trailer' };
  const { env } = await fakeService((request) => {
    if (request.method !== 'GET') writes.push(request);
    const special = respond(request);
    if (special !== undefined) return special;
    if (request.method === 'GET') return JSON.stringify(asset);
    return JSON.stringify({ ...JSON.parse(request.body), _id: `wr-${76 + writes.length}` });
  });
  const { client } = await startAgent(['--allow-writes'], env, capabilities);
  return { client, writes, asset };
}

const order = { asset: 'a-1', language: 'fra', use: ['online'], due: '+14d' };

/** Makes the first call, and returns its token. */
async function tokenOf(client: LineClient, tool: string, fields: object): Promise<string> {
  const { report, content } = await client.call(tool, fields);
  expect(report.token, content[1]?.text).toBeDefined();
  return report.token ?? '';
}

const textOf = ({ content }: { content: { text: string }[] }) =>
  content.map(({ text }) => text).join('\n');

afterEach(() => {
  vi.useRealTimers();
});

describe('a write', () => {
  it('shows the request first, and sends exactly that with the token', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-16T10:00:00Z') });
    const { client, writes } = await startWriter();
    const shown = await client.call('create_work_request', order);
    expect(writes).toEqual([]);
    expect(textOf(shown)).toContain(lookupWords.nothingYet);
    const { token, result } = shown.report ?? {};
    const { new: body } = result as { new: object };
    expect(body).toMatchObject({ language: 'fra' });
    // A date such as +14d means the one that was shown.
    vi.setSystemTime(new Date('2026-11-16T10:09:00Z'));
    const { isError, report } = await client.call('create_work_request', { ...order, token });
    expect(isError).toBe(false);
    // A whole work request is long, and the agent has seen what it contains.
    expect(report.result).toMatchObject({ _id: 'wr-77', language: 'fra' });
    expect(report.result).not.toHaveProperty('uses');
    expect(writes.map((write) => JSON.parse(write.body))).toEqual([body]);
  });

  it('needs a token that this server has made', async () => {
    const { client, writes } = await startWriter();
    const token = '4f0c2a0e-0000-4000-8000-000000000000';
    const refused = await client.call('create_work_request', { ...order, token });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain(lookupWords.unknownToken);
    expect(writes).toEqual([]);
  });

  it('is sent once for a token, even by two calls at the same time', async () => {
    const { client, writes } = await startWriter();
    const token = await tokenOf(client, 'create_work_request', order);
    const call = () => client.call('create_work_request', { ...order, token });
    const results = [...(await Promise.all([call(), call()])), await call()];
    expect(results.map(({ isError }) => isError)).toEqual([false, true, true]);
    expect(textOf(results[2] as ToolResult)).toContain(lookupWords.usedAndWritten);
    expect(writes).toHaveLength(1);
  });

  it('is not sent ten minutes later', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-16T10:00:00Z') });
    const { client, writes } = await startWriter();
    const token = await tokenOf(client, 'create_work_request', order);
    vi.setSystemTime(new Date('2026-11-16T10:10:01Z'));
    const late = await client.call('create_work_request', { ...order, token });
    expect(textOf(late)).toContain(lookupWords.tooOld);
    expect(writes).toEqual([]);
  });

  it.each([
    ['create_work_request', { ...order, language: 'deu' }],
    ['create_work_request', { asset: 'a-1', language: 'fra', use: ['online'] }],
    ['create_work_request', { ...order, set: { reason: 'more' } }],
    ['notify_people', { work_request: 'wr-1' }],
  ])('is not sent for another request: %s %j', async (tool, fields) => {
    const { client, writes } = await startWriter();
    const token = await tokenOf(client, 'create_work_request', order);
    const refused = await client.call(tool, { ...fields, token });
    expect(textOf(refused)).toContain(lookupWords.otherRequest);
    expect(writes).toEqual([]);
  });

  it('is not sent if it is no longer what was shown', async () => {
    const { client, writes, asset } = await startWriter();
    const fields = { ids: ['a-1'], set: { name: 'New' } };
    const token = await tokenOf(client, 'change_asset', fields);
    asset.name = 'Changed by a colleague';
    const refused = await client.call('change_asset', { ...fields, token });
    expect(refused.report.error).toMatchObject({ kind: 'changed' });
    expect(writes).toEqual([]);
  });

  it.each([
    // The second read is the last look, when the connection for the write is open.
    ['change_asset', { ids: ['a-1'], set: { name: 'New' } }, ['GET', 'GET', 'PUT']],
    // The first one checks the asset of the order.
    ['create_work_request', order, ['GET', 'POST']],
  ])('reads, plans and sends once: %s', async (tool, fields, expected) => {
    const requests: string[] = [];
    const { client } = await startWriter({ respond: ({ method }) => void requests.push(method) });
    await client.write(tool, fields);
    expect(requests).toEqual(expected);
  });

  const change = { ids: ['a-1'], set: { name: 'New' } };

  it.each([
    ['create_work_request', order, undefined, 'written'],
    ['create_work_request', order, '{"message":"no"}', 'unknown'],
    ['create_work_request', order, 'not JSON', 'unknown'],
    ['create_work_request', order, 409, 'refused'],
    ['create_work_request', order, 503, 'unknown'],
    ['change_asset', change, undefined, 'written'],
    ['change_asset', change, { changed: 'Mine' }, 'nothing'],
    ['change_asset', change, { changed: 'New' }, 'nothing'],
    ['change_asset', { rows: [{ _id: 'a-1', name: 'New' }] }, 409, 'refused'],
  ])('says what it did: %s %j with %j: %s', async (tool, fields, response, outcome) => {
    const asset = { _id: 'a-1', name: 'Trailer' };
    const { client } = await agentAt(({ method, body }) => {
      if (method === 'GET') return JSON.stringify(asset);
      if (typeof response === 'string' || typeof response === 'number') return response;
      return JSON.stringify({ _id: 'wr-1', ...JSON.parse(body) });
    });
    const shown = await client.call(tool, fields);
    expect(shown.report).not.toHaveProperty('outcome');
    if (typeof response === 'object') asset.name = response.changed;
    const { token } = shown.report;
    const { report, content } = await client.call(tool, { ...fields, token });
    expect(report, content[1]?.text).toMatchObject({ outcome });
    const text = content.map((one) => one.text).join('\n');
    expect(text.includes(lookupWords.withoutQuestion)).toBe(outcome === 'written');
  });

  it('of a batch is not sent if its file has changed', async () => {
    const { client, writes } = await startWriter();
    const file = temporaryFile('asset,language,auto\na-1,fra,yes\n', 'rows.csv');
    const checked = await client.call('batch', { kind: 'wr', file, check: true });
    expect(checked.report.result).toMatchObject({ rows: 1, valid: 1 });
    expect(checked.report.token).toBeUndefined();
    const first = await tokenOf(client, 'batch', { kind: 'wr', file });
    writeFileSync(file, 'asset,language,auto\na-1,fra,yes\na-1,deu,yes\n');
    const refused = await client.call('batch', { kind: 'wr', file, token: first });
    expect(textOf(refused)).toContain(lookupWords.otherContent);
    const again = await client.call('batch', { kind: 'wr', file, token: first });
    expect(again.report).toMatchObject({ outcome: 'nothing' });
    expect(writes).toEqual([]);
    await client.write('batch', { kind: 'wr', file });
    expect(writes).toHaveLength(2);
    const { report } = await client.call('batch_status', { file });
    expect(report.result).toMatchObject({ rows: 2, done: 2 });
  });

  it('waits for the one before, because both would lock the journal', async () => {
    const { client } = await startWriter();
    const file = temporaryFile('asset,language,auto\na-1,fra,yes\n', 'rows.csv');
    const show = () => client.call('batch', { kind: 'wr', file });
    const shown = await Promise.all([show(), show(), show()]);
    expect(shown.map(({ isError }) => isError)).toEqual([false, false, false]);
  });

  it('of a subtitle file takes a token too', async () => {
    const { client } = await startWriter();
    const subtitles = '1\n00:00:01,000 --> 00:00:03,000\nHello  there\n';
    const file = temporaryFile(subtitles, 'movie.eng.srt');
    const output = path.join(path.dirname(file), 'fixed.eng.srt');
    const token = await tokenOf(client, 'fix_subtitles', { source: file, output });
    expect(existsSync(output)).toBe(false);
    await client.call('fix_subtitles', { source: file, output, token });
    expect(readFileSync(output, 'utf8')).toContain('Hello there');
  });

  it('that failed says so, and is not repeated', async () => {
    const { client, writes } = await startWriter({
      respond: ({ method }) => (method === 'POST' ? 'not JSON' : undefined),
    });
    const token = await tokenOf(client, 'create_work_request', order);
    const failed = await client.call('create_work_request', { ...order, token });
    expect(failed).toMatchObject({
      isError: true,
      report: { error: { kind: 'service', outcome: 'unknown' } },
    });
    const again = await client.call('create_work_request', { ...order, token });
    expect(textOf(again)).toContain(lookupWords.usedAndFailed);
    expect(writes).toHaveLength(1);
  });

  it('that was cancelled has an unknown outcome', async () => {
    const arrived = new EventEmitter();
    const { env } = await fakeService(async ({ method }) => {
      if (method === 'GET') return '{"_id":"a-1"}';
      arrived.emit('write');
      return new Promise<undefined>(() => {});
    });
    const { client, stderr } = await startAgent(['--allow-writes'], env);
    const token = await tokenOf(client, 'create_work_request', order);
    const fields = { ...order, token };
    const call = client.request('tools/call', { name: 'create_work_request', arguments: fields });
    await once(arrived, 'write');
    client.send({ method: 'notifications/cancelled', params: { requestId: call.requestId } });
    // Writes take turns, so the next one waits until the cancelled one has ended.
    await client.call('create_work_request', order);
    const again = await client.call('create_work_request', fields);
    expect(textOf(again)).toContain(' POST ');
    expect(JSON.parse((again as ToolResult).content[1]?.text ?? '').outcome).toBe('unknown');
    expect(stderr.text).toBe('');
  });
});

it.each([
  ['decline', 'declined'],
  ['cancel', 'cancelled'],
])('nothing is written after %s, and the result says so', async (action, said) => {
  const { client, writes } = await startWriter({ capabilities: { elicitation: {} } });
  const token = await tokenOf(client, 'create_work_request', order);
  client.answer = { action };
  const { isError, report } = await client.call('create_work_request', { ...order, token });
  expect(isError).toBe(true);
  expect(report).toMatchObject({ outcome: 'nothing', error: { outcome: 'not-sent' } });
  expect(report.error?.message).toContain(said);
  client.answer = { action: 'accept', content: {} };
  const again = await client.call('create_work_request', { ...order, token });
  expect(textOf(again)).toContain(said);
  expect(writes).toEqual([]);
});
