import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentAt, type LineClient, withBothClients } from '../../harness/agent.ts';
import type { FakeRequest, FakeResponse } from '../../harness/fakeService.ts';
import { temporaryFile } from '../../harness/mar.ts';
import { lookupWords } from '../../words/lookup.ts';

withBothClients(() => {
  type Asset = Record<string, unknown> & { _id: string };

  /** A service with three assets, which creates work requests. */
  async function startWriter(respond: (request: FakeRequest) => FakeResponse | null = () => null) {
    const ids = ['a-1', 'a-2', 'a-3'];
    const assets = new Map<string, Asset>(
      ids.map((_id) => [_id, { _id, name: `Old ${_id}`, usage: { online: false, dcp: true } }]),
    );
    const created: string[] = [];
    const { client } = await agentAt((request) => {
      const special = respond(request);
      if (special !== null) return special;
      const id = path.basename(request.path);
      if (request.method === 'GET') return JSON.stringify(assets.get(id) ?? { _id: id });
      const body = JSON.parse(request.body);
      if (request.method === 'PUT') assets.set(body._id, body);
      else created.push(body.language);
      return JSON.stringify({ _id: `wr-${created.length}`, ...body });
    });
    return { client, assets, created };
  }

  const write = async (client: LineClient, tool: string, fields: object) =>
    (await client.write(tool, fields)).report;

  const row = (language: string) => ({ asset: 'a-1', language, 'uses.items': ['dcp'] });

  describe('rows in a call', () => {
    it.each([
      ['create_work_request', {}],
      ['batch', { kind: 'wr' }],
    ])('%s creates them, and none twice', async (tool, fields) => {
      const { client, created } = await startWriter();
      const wrong = { ...fields, rows: [row('fra'), row('Norwegain'), row('deu')] };
      const refused = await client.call(tool, wrong);
      expect(refused.report.error).toMatchObject({ rows: [{ row: 2, suggestion: 'nor' }] });
      expect(refused.report.error?.message).not.toContain('standard input');
      const right = { ...fields, rows: [row('fra'), row('nor'), row('deu')] };
      const { result } = await write(client, tool, right);
      expect(result).toMatchObject({ rows: 3, done: 3, ids: { 1: 'wr-1', 3: 'wr-3' } });
      const again = await client.call(tool, right);
      expect(again.report).toMatchObject({ result: { changes: [], unchanged: true } });
      expect(again.report.token).toBeUndefined();
      const more = await client.call(tool, { ...fields, rows: [row('deu')] });
      expect(more.report).toMatchObject({ result: { changes: [], unchanged: true } });
      expect(JSON.stringify(more.report.warnings)).toContain('from agent test');
      expect(created.sort()).toEqual(['deu', 'fra', 'nor']);
    });

    it('show how many, by language and asset, the first three, and more on request', async () => {
      const { client } = await startWriter();
      const rows = ['fra', 'deu', 'ita', 'spa', 'fra'].map((one, at) => ({
        ...row(one),
        reason: `${at}`,
      }));
      const { result } = (await client.call('create_work_request', { rows })).report;
      expect(result).toMatchObject({ rows: 5, language: { fra: 2, deu: 1 }, asset: { 'a-1': 5 } });
      expect((result as { first: object[] }).first).toHaveLength(3);
      const all = (await client.call('create_work_request', { rows, show: 5 })).report;
      expect((all.result as { first: object[] }).first).toHaveLength(5);
    });

    it('fill in a copy of another work request', async () => {
      const like = '{"_id":"wr-9","asset":{"_id":"a-1"},"language":"eng","uses":{"items":["dcp"]}}';
      const { client, created } = await startWriter((request) =>
        request.path.endsWith('/wr-9') ? like : null,
      );
      const rows = [{ language: 'fra' }, { language: 'deu' }];
      await write(client, 'create_work_request', { like: 'wr-9', rows });
      expect(created.sort()).toEqual(['deu', 'fra']);
    });

    it.each([
      ['create_work_request', { rows: [{ ...row('fra'), _id: 'a-1' }] }],
      ['create_work_request', { asset: 'a-1', language: 'fra', set: { _id: 'x' } }],
      ['create_work_request', { file: 'rows.csv', rows: [row('fra')] }],
      ['batch', { kind: 'wr', rows: [{ ...row('fra'), _id: 'a-1' }] }],
      ['batch', { kind: 'undo', file: 'rows.csv', check: true, skip_invalid: true }],
      ['change_asset', { ids: ['a-1'], rows: [{ _id: 'a-1', name: 'x' }] }],
      // A file of names of assets is not taken for new work requests.
      ['batch', { kind: 'wr', file: 'NAMES' }],
    ])('%s refuses %j', async (tool, fields) => {
      const { client } = await startWriter();
      const names = temporaryFile('_id,asset,language,auto\na-1,a-1,fra,yes\n', 'names.csv');
      const file = 'file' in fields ? { file: fields.file?.replace('NAMES', names) } : {};
      const { isError, report } = await client.call(tool, { ...fields, ...file });
      expect(isError).toBe(true);
      expect(report.token).toBeUndefined();
    });
  });

  describe('assets', () => {
    it('change in one call, by ids or by rows, and back', async () => {
      const { client, assets } = await startWriter();
      const names = () => [...assets.values()].map(({ name }) => name);
      const rows = [
        { _id: 'a-1', name: 'New' },
        { _id: 'a-2', 'usage.online': true },
      ];
      const { result } = await write(client, 'change_asset', { rows });
      expect(names()).toEqual(['New', 'Old a-2', 'Old a-3']);
      expect(assets.get('a-2')).toMatchObject({ usage: { online: true, dcp: true } });
      const { journal } = result as { journal: string };
      await write(client, 'batch', { kind: 'undo', file: journal });
      expect(names()).toEqual(['Old a-1', 'Old a-2', 'Old a-3']);
      // What was taken back can be written again.
      await write(client, 'change_asset', { rows });
      expect(names()).toEqual(['New', 'Old a-2', 'Old a-3']);
      const both = { ids: ['a-1', 'a-3'], set: { name: 'Same' } };
      const same = await write(client, 'change_asset', both);
      expect(same.result).toMatchObject({ done: 2, ids: { 1: 'a-1', 2: 'a-3' } });
      expect(names()).toEqual(['Same', 'Old a-2', 'Same']);
    });

    it('are shown with the changes alone, before and after a write', async () => {
      const { client } = await startWriter();
      const fields = { ids: ['a-1'], set: { 'usage.online': true } };
      const shown = await client.call('change_asset', fields);
      const change = { path: 'usage.online', before: false, after: true };
      expect(shown.report.result).toEqual({ changes: [change] });
      const written = await client.call('change_asset', { ...fields, token: shown.report.token });
      expect(written.report.result).toEqual({ _id: 'a-1', usage: { online: true } });
      const same = await client.call('change_asset', { ...fields });
      expect(same.report).toMatchObject({ result: { changes: [], unchanged: true } });
      expect(same.report.token).toBeUndefined();
    });
  });

  it('rows of unknown outcome are resolved', async () => {
    const { client, created } = await startWriter(({ method, body }) =>
      method === 'POST' && body.includes('deu') ? undefined : null,
    );
    const sent = await write(client, 'batch', { kind: 'wr', rows: [row('fra'), row('deu')] });
    expect(sent.error?.kind).toBe('batch');
    const { journal: file } = sent.result as { journal: string };
    // Only shows what is to be decided.
    const shown = await write(client, 'batch', { kind: 'resolve', file });
    expect(shown).toMatchObject({ outcome: 'nothing' });
    const fields = { kind: 'resolve', file, decisions: ['2=created:wr-7'] };
    const status = await write(client, 'batch', fields);
    expect(status.result).toMatchObject({ rows: 2, done: 2, unknown: 0 });
    expect((await client.call('batch_status', { file })).report.result).toMatchObject({ done: 2 });
    expect(created).toEqual(['fra']);
  });

  describe('subtitles', () => {
    const text = '1\n00:00:01,000 --> 00:00:03,000\nHello  there\n';
    const lines = [
      { number: 1, text: 'Hello  there', startTime: '00:00:01,000', stopTime: '00:00:03,000' },
    ];
    const translation = { language: 'eng', lines };
    const request = JSON.stringify({ _id: 'wr-1', language: 'eng', translation });

    it.each([
      ['a work request', { source: 'wr-1' }],
      ['text', { text, language: 'eng' }],
      ['a file', { source: 'FILE' }],
    ])('of %s are fixed, and nothing is written', async (_what, fields) => {
      const { client } = await startWriter(({ path: where }) =>
        where.endsWith('/wr-1') ? request : null,
      );
      const file = temporaryFile(text, 'movie.eng.srt');
      const given = 'source' in fields && fields.source === 'FILE' ? { source: file } : fields;
      const { isError, report } = await client.call('fix_subtitles', given);
      expect(isError).toBe(false);
      expect(report.token).toBeUndefined();
      expect(report.result).toContain('\nHello there\n');
      expect(readFileSync(file, 'utf8')).toBe(text);
    });

    it('with problems that are left are no failure, and say that nothing was changed', async () => {
      const { client } = await startWriter(() => request.replace('Hello  there', ''));
      const { isError, content, report } = await client.call('fix_subtitles', { source: 'wr-1' });
      expect(isError).toBe(false);
      expect(report.error?.kind).toBe('check');
      expect(content[0]?.text).toContain(lookupWords.nothingChanged);
    });
  });
});
