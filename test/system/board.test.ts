import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hexId, onBoard } from '../commands/boardRecords.ts';
import { fakeService } from '../harness/fakeService.ts';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment } from '../harness/program.ts';
import { storedAccount } from '../harness/storedAccount.ts';
import { openTerminal } from '../harness/terminal.ts';

/** A terminal of 80 columns and 24 lines, and a service whose records the test can change. */
async function openBoard(records: Record<string, string>) {
  let isDown = false;
  const { baseUrl } = await fakeService(({ path }) =>
    isDown ? 503 : (records[path.split('/').at(-1) ?? ''] ?? 404),
  );
  const folder = temporaryFolder();
  const environment: NodeJS.ProcessEnv = cleanEnvironment(folder, storedAccount(folder, baseUrl));
  const { CI, ACCESSIBLE, NO_COLOR, FORCE_COLOR, ...clean } = environment;
  const terminal = openTerminal(clean, { width: 80, height: 24 });
  const setDown = (down: boolean) => {
    isDown = down;
  };
  return { terminal, folder, setDown };
}

const late = [1, 2, 3, 4, 5, 6].map((number) => hexId(number));
const others = Array.from({ length: 6 }, (_, at) => hexId(at + 11));

const studio = () => ({
  ...Object.fromEntries(
    late.map((id, at) => [
      id,
      onBoard(id, {
        status: 'awaiting-materials',
        dueInDays: -1 - at,
        missing: ['script'],
        reason: 'Waiting for the list',
      }),
    ]),
  ),
  ...Object.fromEntries(others.map((id, at) => [id, onBoard(id, { dueInDays: 1 + at })])),
});

describe('wr board in a terminal of 80 columns and 24 lines', () => {
  it('shows on one screen what is late and why, with ids of 24 characters', async () => {
    const { terminal } = await openBoard(studio());
    terminal.type(`clear; mar wr board ${[...others, ...late].join(' ')}; echo "code $?"`);
    const screen = await terminal.until('code 0');
    const lines = screen.split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.slice(0, 4)).toEqual([
      '  ID                        DUE          LANG  TERR  ASSET',
      'Late (6)',
      '  507f1f77bcf86cd799439006  overdue 6 d  fra   FRA   Harbor Lights, Trailer 2',
      '    awaiting-materials for 7 d; missing script; Waiting for the list',
    ]);
    expect(screen).toContain('12 requests: 6 late, 6 missing materials');
    // Without ids, a person gets the recently used ones, and a note that says so.
    terminal.type('clear; mar wr board; echo "exit $?"');
    const again = await terminal.until('exit 0');
    const rows = lines.slice(
      6,
      lines.findIndex((line) => line.startsWith('12 requests')),
    );
    expect(again).toContain(rows.join('\n'));
    expect(again).toContain('mar wr track ID');
  });

  it('prints the board again on a clear screen, in the size of the screen, also while the service is down', async () => {
    const records = studio();
    const { terminal, setDown } = await openBoard(records);
    const ids = [...late, ...others.slice(1)].join(' ');
    terminal.type(`mar wr board ${ids} --watch --interval 100ms --retries 0; echo "code $?"`);
    await terminal.until('11 requests: 6 late');
    await terminal.until(/^Work requests at [\d:]+ \S+, every 100ms \(Ctrl-C stops\)\n/);
    const [id = ''] = late;
    records[id] = onBoard(id, { status: 'complete', dueInDays: -1, sinceDays: 0 });
    await terminal.until('11 requests: 5 late');
    await terminal.until(
      new RegExp(`\\* ${id} +done .*\\n +changed: status awaiting-materials → complete`),
    );
    terminal.resize(60, 12);
    const small = await terminal.until(/… \d+ more\n11 requests: 5 late/);
    expect(small.split('\n').length).toBeLessThanOrEqual(12);
    expect(small).toMatch(/^Work requests at .*\n {2}ID /);
    setDown(true);
    await terminal.until('11 work requests not updated');
    setDown(false);
    terminal.resize(80, 24);
    await terminal.until(others[5] ?? '');
    terminal.press('C-c');
    const after = await terminal.until('code 130');
    expect(after).toContain('11 requests: 5 late');
  });

  it('leaves the cursor and the screen in order when it is suspended or hung up', async () => {
    const { terminal } = await openBoard(studio());
    terminal.type(`mar wr board ${late[0]} --watch --interval 100ms`);
    await terminal.until('1 request: 1 late');
    terminal.press('C-z');
    await terminal.until(/Stopped/);
    expect(terminal.isCursorShown()).toBe(true);
    terminal.type('kill -HUP %1; fg; echo "code $?"');
    expect(await terminal.until('code 143')).toContain('1 request: 1 late');
    expect(terminal.isCursorShown()).toBe(true);
  });

  it.each(['ACCESSIBLE=1', 'TERM=dumb'])('clears nothing with %s', async (variable) => {
    const records = studio();
    const { terminal, folder } = await openBoard(records);
    const recording = path.join(folder, 'bytes');
    terminal.record(recording);
    const [id = ''] = late;
    terminal.type(
      `${variable} mar wr board ${id} --watch --interval 50ms --no-color; echo "code $?"`,
    );
    await terminal.until('1 request: 1 late');
    records[id] = onBoard(id, { status: 'complete', dueInDays: -1, sinceDays: 0 });
    await terminal.until(/\d\d:\d\d:\d\d \S+ {2}1 work request changed/);
    await terminal.until('1 request: none late, 1 done');
    terminal.press('C-c');
    await terminal.until('code 130');
    expect(readFileSync(recording, 'utf8')).not.toContain('\u001b[H');
  });
});
