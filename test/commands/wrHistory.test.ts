import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mar, marOk } from '../harness/mar.ts';
import { recordingServer } from '../harness/recordingServer.ts';

const now = new Date('2026-03-10T12:00:00Z');
const hour = 60 * 60 * 1000;
const ago = (hours: number) => now.getTime() - hours * hour;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => {
  vi.useRealTimers();
});

const ann = { _id: 'u-1', name: 'Ann', groups: [{ _id: 'g-1', name: 'Desk' }] };
const step = (hours: number, status: string, more: object = {}) => ({
  date: ago(hours),
  status,
  user: ann,
  ...more,
});

async function history(record: object, ...more: string[]) {
  const { env } = await recordingServer(JSON.stringify({ _id: 'wr-1', ...record }));
  return mar(['wr', 'history', 'wr-1', ...more], { env });
}

async function picture(record: object, columns = 80): Promise<string[]> {
  const { env } = await recordingServer(JSON.stringify({ _id: 'wr-1', ...record }));
  const run = await marOk(['wr', 'history', 'wr-1'], { env: { ...env, NO_COLOR: '1' }, columns });
  return run.stdout.split('\n');
}

describe('wr history for programs', () => {
  it('has each entry as the service has it, oldest first, with how long it held', async () => {
    const entries = [step(2, 'b', { reason: 'why', big: 1 }), step(50, 'a')];
    const run = await history({ status: 'b', history: entries }, '--json');
    expect(JSON.parse(run.stdout)).toEqual([
      {
        ...entries[1],
        began: '2026-03-08T10:00:00.000Z',
        ended: '2026-03-10T10:00:00.000Z',
        durationMs: 48 * hour,
        isPresent: false,
      },
      {
        ...entries[0],
        began: '2026-03-10T10:00:00.000Z',
        ended: null,
        durationMs: 2 * hour,
        isPresent: true,
      },
    ]);
  });

  it('keeps the digits of numbers that are not to be counted with', async () => {
    const text = '{"_id":"wr-1","history":[{"status":"a","n":9007199254740993}]}';
    const { env } = await recordingServer(text);
    const run = await mar(['wr', 'history', 'wr-1', '--jsonl'], { env });
    expect(run.stdout).toContain('"n":9007199254740993');
  });

  it('is a row an entry in a pipe, with name, group and reason', async () => {
    const run = await history({ status: 'a', history: [step(1, 'a', { reason: 'new' })] });
    expect(run.stdout).toBe('2026-03-10T11:00:00.000Z\ta\t3600000\tAnn\tDesk\tnew\n');
  });

  it('does not guess how long an entry held that is not the present status', async () => {
    const run = await history({ status: 'c', history: [step(5, 'a')] }, '--jq', '.durationMs');
    expect(run.stdout).toBe('null\n');
  });

  it.each([
    ['not dated', [step(3, 'a'), { status: 'b', date: 'yesterday' }]],
    ['not dated before the present one', [{ status: 'a', date: 'yesterday' }, step(3, 'b')]],
    ['no objects', ['created', 7]],
  ])('takes entries that are %s', async (_, entries) => {
    const run = await history({ status: 'b', history: entries }, '--jq', '.durationMs');
    expect(run).toMatchObject({ code: 0, stdout: 'null\nnull\n' });
  });

  it.each([[[]], ['yesterday']])('a history of %j is an empty list, and said', async (none) => {
    const run = await history({ history: none }, '--json');
    expect(run).toMatchObject({ code: 0, stdout: '[]\n' });
    const { stderr } = await history({ history: none });
    expect(stderr).toContain('Work request wr-1 has no history');
  });
});

describe('wr history on a terminal', () => {
  it('marks the present status, and shows where the time went', async () => {
    const lines = await picture({
      status: 'a',
      history: [step(10, 'a'), step(6, 'b', { reason: 'look' }), step(5, 'a')],
    });
    expect(lines.map((line) => line.replace(/ +█.*/, ''))).toEqual([
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
    const { env } = await recordingServer(
      JSON.stringify({ _id: 'wr-1', history: [step(10, 'a')] }),
    );
    const run = await marOk(['wr', 'history', 'wr-1', '--jq', '.status'], { env, columns: 80 });
    expect(run.stdout).toBe('a\n');
  });

  it('does not count the time since it was done', async () => {
    const lines = await picture({
      status: 'complete',
      history: [step(10, 'a'), step(6, 'b'), step(5, 'complete')],
    });
    expect(lines).toContain('  ● complete  5 h ago');
    expect(lines).toContain('  5 h in total: a 4 h, b 1 h');
  });

  it('shows when the record has another status than its history ends with', async () => {
    const lines = await picture({ status: 'c', history: [step(5, 'a')] });
    expect(lines).toContain('  The status is now c, but the history has no entry for it.');
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
