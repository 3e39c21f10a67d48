import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mar, marOk } from '../../harness/mar.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
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

const picture = async (record: object) => (await history(record, [], 80)).stdout.split('\n');

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
  it('marks the present status, and shows where the time went', async () => {
    const lines = await picture({
      status: 'a',
      history: [step(10, 'a'), step(6, 'b', { reason: 'look' }), step(5, 'a')],
    });
    expect(lines).toEqual([
      'Work request wr-1  a',
      '',
      '  ○ a  4 h',
      '  │ 2026-03-10 02:00 UTC, Ann (Desk)',
      '  ○ b  1 h',
      '  │ 2026-03-10 06:00 UTC, Ann (Desk)',
      '  │ look',
      '  ● a  5 h so far',
      '    2026-03-10 07:00 UTC, Ann (Desk)',
      '',
      '  10 h in total: a 9 h, b 1 h',
      '',
    ]);
  });

  it('is no timeline with --jq', async () => {
    const run = await history({ history: [step(10, 'a')] }, ['--jq', '.status'], 80);
    expect(run.stdout).toBe('a\n');
  });

  it('does not count the time since it was done', async () => {
    const steps = [step(10, 'a'), step(6, 'b'), step(5, 'complete')];
    const lines = await picture({ status: 'complete', history: steps });
    expect(lines).toContain('  ● complete  5 h ago');
    expect(lines).toContain('  5 h in total: a 4 h, b 1 h');
  });

  it('shows when the record has another status than its history ends with', async () => {
    const lines = await picture({ status: 'c', history: [step(5, 'a')] });
    expect(lines).toContain(`  ${requestWords.statusWithoutEntry('c')}`);
    expect(lines.join('\n')).not.toContain('●');
  });
});

describe('the due date on the timeline', () => {
  const due = (daysAgo: number) => ({ date: ago(daysAgo * 24) });

  const timeline = async (record: object) =>
    (await picture(record)).filter((line) => /^ {2}[○●◆]/.test(line));

  it('comes after the steps that began before it', async () => {
    const lines = await timeline({
      status: 'awaiting-approval',
      due: due(5),
      history: [step(480, 'incomplete'), step(216, 'in-progress'), step(48, 'awaiting-approval')],
    });
    expect(lines.map((line) => line.replace(/ {2,}\d.*/, ''))).toEqual([
      '  ○ incomplete',
      '  ○ in-progress',
      '  ◆ due: overdue 5 d',
      '  ● awaiting-approval',
    ]);
  });

  it.each([
    [20, 'done 5 d early'],
    [30, 'done 5 d late'],
  ])('shows how early or late a finished request was (due %i days ago)', async (days, words) => {
    const history = [step(40 * 24, 'incomplete'), step(25 * 24, 'complete')];
    const lines = await timeline({ status: 'complete', due: due(days), history });
    expect(lines.join('\n')).toContain(`due: ${words}`);
  });
});

it('wr history has no boxes and columns for screen readers', async () => {
  const steps = [step(480, 'incomplete'), step(216, 'in-progress')];
  const record = { _id: 'wr-1', status: 'in-progress', due: { date: ago(120) }, history: steps };
  const { env } = await recordingServer(JSON.stringify(record));
  const line = ['wr', 'history', 'wr-1'];
  /** Drawing, and spaces that make columns. */
  const drawing = /[│─●○◆]|\S {2,}\S/;
  expect((await mar(line, { env, columns: 100 })).stdout).toMatch(drawing);
  const run = await mar(line, { env: { ...env, ACCESSIBLE: '1' }, columns: 100 });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).not.toMatch(drawing);
});
