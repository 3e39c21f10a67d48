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
  return { terminal, setDown };
}

const late = [1, 2, 3, 4, 5, 6].map((number) => hexId(number));
const others = Array.from({ length: 6 }, (_, at) => hexId(at + 11));

const studio = () => ({
  ...Object.fromEntries(
    late.map((id, at) => [id, onBoard(id, { status: 'awaiting-materials', dueInDays: -1 - at })]),
  ),
  ...Object.fromEntries(others.map((id, at) => [id, onBoard(id, { dueInDays: 1 + at })])),
});

describe('wr board in a terminal of 80 columns and 24 lines', () => {
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
});
