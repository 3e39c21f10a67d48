import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { jsonLines } from '../../harness/jsonLines.ts';
import { marOk, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { workRequestService } from '../../harness/recordService.ts';
import { requestWords } from '../../words/requests.ts';

const now = new Date('2026-03-10T12:00:00Z');
const hour = 60 * 60 * 1000;
const ago = (hours: number) => now.getTime() - hours * hour;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now }));
afterEach(() => void vi.useRealTimers());

const ann = { _id: 'u-1', name: 'Ann', groups: [{ _id: 'g-1', name: 'Desk' }] };
const step = (hours: number, status: string, more: object = {}) => ({
  date: ago(hours),
  status,
  user: ann,
  ...more,
});

async function history(record: object | string, argv: string[] = [], columns?: number) {
  const text = typeof record === 'string' ? record : JSON.stringify({ _id: 'wr-1', ...record });
  const { env } = await recordingServer(text);
  return marOk(['wr', 'history', 'wr-1', ...argv], { env: { ...env, NO_COLOR: '1' }, columns });
}

describe('wr history for programs', () => {
  it('has each entry as the service has it, oldest first, with how long it held', async () => {
    const entries = [step(2, 'b', { reason: 'why', big: 1 }), step(50, 'a')];
    const run = await history({ status: 'b', history: entries }, ['--json']);
    const [first, second] = ['2026-03-08T10:00:00.000Z', '2026-03-10T10:00:00.000Z'];
    const times = { began: first, ended: second, durationMs: 48 * hour };
    expect(JSON.parse(run.stdout)).toEqual([
      { ...entries[1], ...times, isPresent: false },
      { ...entries[0], began: second, ended: null, durationMs: 2 * hour, isPresent: true },
    ]);
  });

  it('has the dates of the service as the times of --times iso', async () => {
    const entries = [step(2, 'b'), step(50, 'a')];
    const argv = ['--times', 'iso', '--jq', '.date'];
    const { stdout } = await history({ status: 'b', history: entries }, argv);
    expect(stdout).toBe('2026-03-08T10:00:00Z\n2026-03-10T10:00:00Z\n');
  });

  it('keeps the digits of numbers that are not to be counted with', async () => {
    const text = '{"_id":"wr-1","history":[{"status":"a","n":9007199254740993}]}';
    expect((await history(text, ['--jsonl'])).stdout).toContain('"n":9007199254740993');
  });

  it('is a row an entry in a pipe, with name, group and reason', async () => {
    const run = await history({ status: 'a', history: [step(1, 'a', { reason: 'new' })] });
    expect(run.stdout).toBe('2026-03-10T11:00:00.000Z\ta\t3600000\tAnn\tDesk\tnew\n');
  });

  it.each([
    ['not the present status', 'c', [step(5, 'a')]],
    ['not dated', 'b', [step(3, 'a'), { status: 'b', date: 'yesterday' }]],
    ['not dated before the present one', 'b', [{ status: 'a', date: 'yesterday' }, step(3, 'b')]],
    ['no objects', 'b', ['created', 7]],
  ])('does not guess how long entries held that are %s', async (_, status, entries) => {
    const run = await history({ status, history: entries }, ['--jq', '.durationMs']);
    expect(run.stdout).toBe('null\n'.repeat(entries.length));
  });

  it.each([[[]], ['yesterday']])('a history of %j is an empty list, and said', async (none) => {
    expect((await history({ history: none }, ['--json'])).stdout).toBe('[]\n');
    expect((await history({ history: none })).stderr).toContain('wr-1 ');
  });
});

describe('wr history on a terminal', () => {
  it('is a table with how long each status held, and shows where the time went', async () => {
    const { stdout, stderr } = await history(
      { status: 'a', history: [step(10, 'a'), step(6, 'b', { reason: 'look' }), step(5, 'a')] },
      [],
      80,
    );
    expect(stdout).toBe(`BEGAN                 STATUS         FOR  WHO  REASON
2026-03-10 02:00 UTC  a              4 h  Ann
2026-03-10 06:00 UTC  b              1 h  Ann  look
2026-03-10 07:00 UTC  a       5 h so far  Ann
`);
    expect(stderr).toBe('10 h in total: a 9 h, b 1 h\n');
  });

  it('does not count the time since it was done', async () => {
    const steps = [step(10, 'a'), step(6, 'b'), step(5, 'complete')];
    const { stdout, stderr } = await history({ status: 'complete', history: steps }, [], 80);
    expect(stdout).toMatch(/complete +5 h ago {2}Ann$/m);
    expect(stderr).toBe('5 h in total: a 4 h, b 1 h\n');
  });

  it('shows when the record has another status than its history ends with', async () => {
    const { stdout, stderr } = await history({ status: 'c', history: [step(5, 'a')] }, [], 80);
    expect(stderr).toContain(requestWords.statusWithoutEntry('c'));
    expect(stdout).not.toContain('so far');
  });

  it('has the due date, and how late it is', async () => {
    const due = { date: ago(5 * 24) };
    const { stderr } = await history({ status: 'a', due, history: [step(480, 'a')] }, [], 80);
    expect(stderr).toContain('Due 2026-03-05 12:00 UTC (overdue 5 d)\n');
  });
});

describe('wr history of several work requests', () => {
  const record = (id: string, language: string) =>
    JSON.stringify({ _id: id, status: 'b', language, history: [step(50, 'a'), step(2, 'b')] });

  async function both(...argv: string[]) {
    const { env } = await workRequestService({
      'wr-1': record('wr-1', 'fra'),
      'wr-2': record('wr-2', 'deu'),
    });
    const list = temporaryFile('wr-1\nwr-2\n', 'team.txt');
    return marOk(['wr', 'history', '--from', list, ...argv], { env });
  }

  it('has the work request of each entry', async () => {
    const { stdout } = await both('--jq', '[.workRequest, .language, .status, .durationMs]');
    expect(jsonLines(stdout)).toEqual([
      ['wr-1', 'fra', 'a', 48 * hour],
      ['wr-1', 'fra', 'b', 2 * hour],
      ['wr-2', 'deu', 'a', 48 * hour],
      ['wr-2', 'deu', 'b', 2 * hour],
    ]);
  });

  it('fills a workbook, with the days in each status on a second sheet', async () => {
    const file = path.join(temporaryFolder(), 'week.xlsx');
    await both('-O', file);
    const { sheets } = await readXlsx(readFileSync(file));
    expect(sheets.map(({ name, rows }) => [name, rows.length])).toEqual([
      ['Wr history', 5],
      ['Summary', 3],
    ]);
    expect(sheets[1]?.charts).toHaveLength(1);
    expect(sheets[1]?.rows).toEqual([
      ['Status', 'Days'],
      ['a', 4],
      ['b', 1 / 6],
    ]);
  });
});
