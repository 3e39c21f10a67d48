import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type CellValue, readXlsx, writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { agentAt } from '../../harness/agent.ts';
import type { FakeRequest, FakeResponse } from '../../harness/fakeService.ts';
import { filesBelow, mar, temporaryFile, temporaryFolder } from '../../harness/mar.ts';

/* What people do in a shell, by an agent without one. */

/** An agent with a folder, at a service whose assets can be changed. */
async function start(
  respond: (request: FakeRequest) => FakeResponse | null = () => null,
  capabilities = {},
) {
  const root = temporaryFolder();
  const asset = { _id: 'a-1', name: 'Trailer' };
  const created: string[] = [];
  const { client, env } = await agentAt(
    (request) => {
      const { method, body, path: where } = request;
      const special = respond(request);
      if (special !== null) return special;
      const id = path.basename(where);
      if (method === 'GET') return JSON.stringify(id === 'a-1' ? asset : { _id: id });
      const record = JSON.parse(body);
      if (method === 'PUT') return JSON.stringify(Object.assign(asset, record));
      created.push(record.language);
      return JSON.stringify({ ...record, _id: `wr-${created.length}` });
    },
    ['--allow-writes', '--root', root],
    capabilities,
  );
  client.answer = { action: 'accept', content: {} };
  const questions = () =>
    client.lines.flatMap((line) => JSON.parse(line).params?.message ?? []) as string[];
  return { client, env, root, asset, created, questions };
}

const bookOf = async (rows: CellValue[][]) =>
  Buffer.from(await writeXlsx({ sheets: [{ name: 'Plan', rows }] }));

it('a workbook is read with map, ordered, and given back with its ids', async () => {
  const { client, root, created } = await start();
  const rows = [
    ['Asset', 'Language', 'Uses', 'Anmerkung'],
    ['a-1', 'French', 'online', 'Two lines'],
    ['a-1', 'German', 'online', ''],
  ];
  writeFileSync(path.join(root, 'plan.xlsx'), await bookOf(rows));
  const fields = { kind: 'wr', file: 'plan.xlsx', map: ['Anmerkung=instructions'] };
  const unmapped = await client.call('batch', { kind: 'wr', file: 'plan.xlsx', check: true });
  expect(unmapped.report.error).toMatchObject({ fields: [{ path: 'Anmerkung' }] });
  expect(unmapped.report.error?.hint).toContain('map');
  const checked = await client.call('batch', { ...fields, check: true });
  expect(checked.report.result, JSON.stringify(checked)).toMatchObject({ rows: 2, valid: 2 });
  const written = await client.write('batch', fields);
  expect(written.report).toMatchObject({ outcome: 'written', result: { done: 2 } });
  expect(created.toSorted()).toEqual(['deu', 'fra']);
  const report = { file: 'plan.xlsx', output: 'done.xlsx' };
  const { token } = (await client.call('batch_report', report)).report;
  const done = path.join(root, 'done.xlsx');
  expect(existsSync(done)).toBe(false);
  const given = await client.call('batch_report', { ...report, token });
  expect(given.report, JSON.stringify(given)).toMatchObject({ result: { file: 'done.xlsx' } });
  const [sheet] = (await readXlsx(readFileSync(done))).sheets;
  expect(sheet?.rows?.[0]?.slice(0, 6)).toEqual([...(rows[0] ?? []), 'Id', 'State']);
  expect(sheet?.rows?.[1]?.slice(4, 6)).toEqual([expect.stringMatching(/^wr-/), 'done']);
  // It replaces nothing.
  const again = await client.write('batch_report', report);
  expect(again.isError).toBe(true);
});

it('the sheet of a journal never has the rows of a file that it names outside the root', async () => {
  const { client, root } = await start();
  const outside = path.join(temporaryFolder(), 'secret.csv');
  const table = 'asset,language,uses.items,instructions\na-1,fra,online,secret\n';
  writeFileSync(outside, table);
  writeFileSync(path.join(root, 'rows.csv'), table);
  await client.write('batch', { kind: 'wr', file: 'rows.csv' });
  const journal = readFileSync(path.join(root, 'rows.csv.mar-journal'), 'utf8');
  mkdirSync(path.join(root, 'moved'));
  const moved = path.join(root, 'moved', 'other.mar-journal');
  writeFileSync(moved, journal.replaceAll(path.join(root, 'rows.csv'), outside));
  const report = { file: 'moved/other.mar-journal', output: 'done.xlsx' };
  await client.write('batch_report', report);
  const done = path.join(root, 'done.xlsx');
  const sheets = existsSync(done) ? (await readXlsx(readFileSync(done))).sheets : [];
  expect(JSON.stringify(sheets)).not.toContain('secret');
});

it('the log lists writes, and undo takes the last change back after a preview', async () => {
  const { client, asset } = await start();
  await client.write('change_asset', { ids: ['a-1'], set: { name: 'New' } });
  const { result } = (await client.call('log')).report;
  expect(result).toMatchObject([{ number: expect.any(Number), state: 'done', id: 'a-1' }]);
  const shown = await client.call('undo');
  expect(shown.report.result).toEqual({
    changes: [{ path: 'name', before: 'New', after: 'Trailer' }],
  });
  expect(asset.name).toBe('New');
  const undone = await client.call('undo', { token: shown.report.token });
  expect(undone.report).toMatchObject({ outcome: 'written' });
  expect(asset.name).toBe('Trailer');
  const log = (await client.call('log')).report.result;
  expect(log).toMatchObject([{ state: 'done' }, { state: 'taken back' }]);
  expect((await client.call('undo', { number: 9 })).report.error).toMatchObject({ kind: 'usage' });
});

it('undo takes a batch back, too', async () => {
  const { client, asset } = await start();
  await client.write('change_asset', { rows: [{ _id: 'a-1', name: 'New' }] });
  expect(asset.name).toBe('New');
  const { token } = (await client.call('undo')).report;
  expect((await client.call('undo', { token })).report).toMatchObject({ outcome: 'written' });
  expect(asset.name).toBe('Trailer');
});

it('undo takes no batch back whose file is outside the root', async () => {
  const { client, env, asset } = await start();
  const file = temporaryFile('_id,name\na-1,New\n', 'assets.csv');
  await mar(['asset', 'put', '--batch', file], { env });
  expect(asset.name).toBe('New');
  const files = filesBelow(path.dirname(file));
  const { error } = (await client.call('undo')).report;
  expect(error).toMatchObject({ kind: 'usage', message: expect.stringContaining('outside') });
  expect(filesBelow(path.dirname(file))).toEqual(files);
});

it('an order of unknown outcome is settled with the work request that arrived', async () => {
  let arrived = '';
  const { client, created } = await start(({ method, path: where, body }) => {
    if (where.endsWith('/wr-7')) return JSON.stringify({ _id: 'wr-7', ...JSON.parse(arrived) });
    if (method !== 'POST') return null;
    arrived = body;
    return undefined;
  });
  const order = { asset: 'a-1', language: 'fra', use: ['online'] };
  const lost = await client.write('create_work_request', order);
  expect(lost.report).toMatchObject({ outcome: 'unknown', error: { outcome: 'unknown' } });
  const unknown = await client.call('log', { unknown: true });
  expect(unknown.report.result).toMatchObject([{ state: 'unknown' }]);
  expect(JSON.stringify(unknown.report)).not.toContain('--');
  await client.write('track', { ids: ['wr-7'] });
  expect((await client.call('log', { unknown: true })).report.result).toEqual([]);
  const again = await client.call('create_work_request', order);
  expect(again.report.error).toMatchObject({ kind: 'placed-before', id: 'wr-7' });
  expect(created).toEqual([]);
});

it('a report of subtitles is written after a token, as a new page in the root', async () => {
  const { client, root } = await start();
  writeFileSync(path.join(root, 'a.eng.srt'), '1\n00:00:01,000 --> 00:00:00,000\nHello\n');
  const fields = { sources: ['a.eng.srt'], report: 'qc.html' };
  const { token } = (await client.call('check_subtitles', fields)).report;
  const page = path.join(root, 'qc.html');
  expect(existsSync(page)).toBe(false);
  const written = await client.call('check_subtitles', { ...fields, token });
  expect(written.isError).toBe(false);
  expect(readFileSync(page, 'utf8')).toContain('a.eng.srt');
});

describe('a write of files', () => {
  const canAsk = { elicitation: {} };
  const subtitles = '1\n00:00:01,000 --> 00:00:03,000\nHello  there\n';

  it('asks about the file, with each cue that changes', async () => {
    const { client, root, questions } = await start(undefined, canAsk);
    writeFileSync(path.join(root, 'a.eng.srt'), subtitles);
    const fields = { source: 'a.eng.srt', output: 'fixed.eng.srt' };
    const { report } = await client.write('fix_subtitles', fields);
    expect(report).toMatchObject({ outcome: 'written', result: { file: 'fixed.eng.srt' } });
    const [first, cue] = questions()[0]?.split('\n') ?? [];
    expect(first).toBe(`Write ${path.join(root, 'fixed.eng.srt')} (cues: 1)?`);
    expect(cue).toMatch(/^a\.eng\.srt, cue 1: .*Hello {2}there.* → .*Hello there/);
  });

  it('asks nobody about a file that exists, or a batch that was not started', async () => {
    const { client, root, questions } = await start(undefined, canAsk);
    for (const name of ['a.eng.srt', 'b.eng.srt', 'qc.html', 'done.xlsx', 'rows.csv']) {
      writeFileSync(path.join(root, name), subtitles);
    }
    const calls = [
      ['fix_subtitles', { source: 'a.eng.srt', output: 'b.eng.srt' }],
      ['check_subtitles', { sources: ['a.eng.srt'], report: 'qc.html' }],
      ['check_subtitles', { sources: ['a.eng.srt'], report: '../qc.html' }],
      ['batch_report', { file: 'rows.csv', output: 'done.xlsx' }],
      ['batch_report', { file: 'rows.csv', output: 'new.xlsx' }],
    ] as const;
    for (const [tool, fields] of calls) {
      const { report } = await client.call(tool, fields);
      expect(report, JSON.stringify(fields)).toMatchObject({ outcome: 'nothing' });
      expect(report.token).toBeUndefined();
    }
    expect(questions()).toEqual([]);
  });

  it('lists the problems of several files with details', async () => {
    const { client, root } = await start();
    const bad = subtitles.replace('00:00:03', '00:00:00');
    for (const name of ['a.eng.srt', 'b.eng.srt']) writeFileSync(path.join(root, name), bad);
    const sources = ['a.eng.srt', 'b.eng.srt'];
    const { result } = (await client.call('check_subtitles', { sources, details: true })).report;
    expect(result).toContainEqual(
      expect.objectContaining({ source: 'b.eng.srt', rule: 'duration' }),
    );
  });
});

it('a check of rows has the first orders, and more on request', async () => {
  const { client } = await start();
  const languages = ['fra', 'deu', 'ita', 'spa', 'por'];
  const rows = languages.map((language) => ({ asset: 'a-1', language, use: ['online'] }));
  const ordersOf = async (fields: object) => {
    const { result } = (await client.call('batch', { kind: 'wr', rows, ...fields })).report;
    return (result as { orders: unknown[] }).orders;
  };
  expect((await ordersOf({ check: true })).slice(2)).toEqual([expect.anything(), '… 2 more']);
  expect(await ordersOf({ check: true, show: 5 })).toHaveLength(5);
});

it('warnings are on the second call only if they are new, and a question has no flags', async () => {
  const { client, questions } = await start(undefined, { elicitation: {} });
  const rows = [{ asset: 'a-1', language: 'fra', use: ['online'], due: '2027-01-10' }];
  const { token, warnings } = (await client.call('create_work_request', { rows })).report;
  expect(warnings).toHaveLength(1);
  const { report } = await client.call('create_work_request', { rows, token });
  expect(report).toMatchObject({ outcome: 'written' });
  expect(report.warnings).toBeUndefined();
  await client.write('create_work_request', {
    ...{ asset: 'a-1', language: 'deu', territory: 'XQX', use: ['online'] },
  });
  expect(questions()[1]).toMatch(/\nWarning: .*XQX/);
  expect(questions().join('\n')).not.toContain('--');
});

it('tracking what is tracked writes nothing', async () => {
  const { client } = await start();
  const outcomes = [];
  for (const _ of ['once', 'twice']) {
    outcomes.push((await client.write('track', { ids: ['wr-7'] })).report);
  }
  expect(outcomes).toMatchObject([{ outcome: 'written' }, { outcome: 'nothing' }]);
});
