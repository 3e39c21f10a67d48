import path from 'node:path';
import { describe, expect, it } from 'vitest';
import examples from '../../../src/core/api/examples.json' with { type: 'json' };
import { agentAt } from '../../harness/agent.ts';
import { type FakeRequest, rangeOf } from '../../harness/fakeService.ts';
import { temporaryFile } from '../../harness/mar.ts';
import { lookupWords } from '../../words/lookup.ts';

/** The records that the API's documentation shows, under any id. */
function respond(request: FakeRequest) {
  const { method, body } = request;
  const [, collection = '', id] = request.path.split(/[/?]/);
  if (method !== 'GET') return JSON.stringify({ _id: 'new-1', ...JSON.parse(body) });
  const { asset, workRequest, notification, user, file, download } = examples;
  const one = { assets: asset, workrequests: workRequest, notifications: notification }[collection];
  if (one && id !== 'workflowNotify') {
    const translation = { _id: 't-1', language: 'eng', lines: [] };
    return JSON.stringify({ ...JSON.parse(one), translation, status: 'complete', _id: id });
  }
  const listed = { session: user, files: file, downloads: download }[collection] ?? asset;
  return rangeOf(request).from === 0 ? `[${listed}]` : '[]';
}

interface ListedTool {
  name: string;
  inputSchema: { properties: Record<string, { description?: string }> };
}

async function startWriter() {
  const bodies: unknown[] = [];
  const { client } = await agentAt(
    (request) => {
      if (request.method !== 'GET') bodies.push(JSON.parse(request.body));
      return respond(request);
    },
    ['--allow-writes'],
  );
  const { result } = await client.request('tools/list');
  return { client, bodies, tools: result?.tools as ListedTool[] };
}

const subtitles = '1\n00:00:01,000 --> 00:00:03,000\nHello\n';
const table = 'asset,language,auto\na-1,fra,yes\n';

/** The least that each tool needs. */
const least: Record<string, (sentFile: string) => object> = {
  log: () => ({}),
  batch_status: (file) => ({ file }),
  batch_report: (file) => ({ file, output: path.join(path.dirname(file), 'done.xlsx') }),
  undo: () => ({}),
  track: () => ({ ids: ['wr-1'] }),
  find: () => ({ words: ['trailer'] }),
  get: () => ({ kind: 'wr', ids: ['wr-1'] }),
  today: () => ({}),
  wait: () => ({ ids: ['wr-1'], status: ['complete'] }),
  downloads: () => ({}),
  files: () => ({}),
  check_subtitles: () => ({ sources: [temporaryFile(subtitles, 'movie.eng.srt')] }),
  fix_subtitles: () => ({ source: temporaryFile(subtitles, 'movie.eng.srt') }),
  describe: () => ({ topic: 'wr' }),
  create_work_request: () => ({ asset: 'a-1', language: 'fra', use: ['online'] }),
  change_asset: () => ({ ids: ['a-1'], set: { name: 'New' } }),
  batch: () => ({ kind: 'wr', file: temporaryFile(table.replace('fra', 'deu'), 'rows.csv') }),
  notify_people: () => ({ work_request: 'wr-1', notify_user: [JSON.parse(examples.user)._id] }),
};

it('each tool works with the least that it needs', async () => {
  const { client, tools } = await startWriter();
  const sentFile = temporaryFile(table, 'rows.csv');
  await client.write('batch', { kind: 'wr', file: sentFile });
  for (const { name } of tools) {
    const fields = least[name]?.(sentFile);
    expect(fields, `${name} needs a call in this test`).toBeDefined();
    const shown = await client.call(name, fields);
    expect(shown.isError, `${name}: ${JSON.stringify(shown.content)}`).toBe(false);
    const { token } = shown.report;
    if (token === undefined) continue;
    const written = await client.call(name, { ...fields, token });
    expect(written.isError, `${name}: ${JSON.stringify(written.content)}`).toBe(false);
  }
});

it("rows follow the schema's own example, and are sent in the documented form", async () => {
  const { client, bodies, tools } = await startWriter();
  const tool = tools.find(({ name }) => name === 'create_work_request');
  const { description = '' } = tool?.inputSchema.properties.rows ?? {};
  const row = JSON.parse(description.slice(description.indexOf('{')));
  const { report } = await client.call('create_work_request', { rows: [row] });
  expect(JSON.stringify(report.warnings)).not.toContain('asset');
  await client.call('create_work_request', { rows: [row], token: report.token });
  const [body] = bodies as { due: object }[];
  expect(body).toMatchObject({
    asset: { _id: row.asset },
    language: row.language,
    due: { date: expect.any(Number), tz: row.tz },
    uses: { items: row.use },
  });
});

it('rows of assets that do not exist are refused, and the file is not blamed', async () => {
  const { client } = await agentAt((request) =>
    request.path.endsWith('/a-9') ? 404 : '{"_id":"a-1"}',
  );
  const rows = ['a-1', 'a-9'].map((asset) => ({ asset, language: 'fra', use: ['online'] }));
  const { report, isError } = await client.call('create_work_request', { rows });
  expect(isError).toBe(true);
  expect(report.error).toMatchObject({ rows: [{ row: 2, field: 'asset' }], outcome: 'not-sent' });
  expect(JSON.stringify(report.error)).not.toMatch(/\bfile\b/);
});

describe('an error names the field, what it takes, and the nearest name', () => {
  it.each([
    ['get', { kind: 'wrs', ids: ['wr-1'] }, ['kind: "wrs"', 'notification', '"wr"']],
    ['get', { kind: 'wr', id: ['wr-1'] }, ['"id"', '"ids"', 'ids is missing']],
    ['get', { kind: 'wr', ids: 'wr-1' }, ['ids: "wr-1"', 'array']],
    ['downloads', { summary: 'usr' }, ['summary: "usr"', 'project', '"user"']],
    ['today', { zzz: 1 }, ['"zzz"', 'waits_for']],
    ['check_subtitles', { sources: ['-x'] }, ['sources.0: "-x"', 'work request ids']],
    ['batch', { kind: 'wr', file: 'rows.txt' }, ['file: "rows.txt"', 'csv']],
  ])('%s %j', async (tool, fields, words) => {
    const { client } = await startWriter();
    const { isError, content } = await client.call(tool, fields);
    expect(isError).toBe(true);
    for (const word of words) expect(content[0]?.text).toContain(word);
    expect(content[0]?.text).toContain(lookupWords.invalidFields);
  });
});
