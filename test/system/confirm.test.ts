import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { assetService } from '../harness/assetService.ts';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment } from '../harness/program.ts';
import { openTerminal } from '../harness/terminal.ts';

const record = '{"_id":"a-1","name":"One","usage":{"online":true}}';

async function terminalAt(more: Record<string, string> = {}) {
  const service = await assetService(record);
  const folder = temporaryFolder();
  return { service, terminal: openTerminal(cleanEnvironment(folder, { ...service.env, ...more })) };
}

it('a write on a terminal shows its difference and asks; n, Enter and Ctrl-C write nothing', async () => {
  const { service, terminal } = await terminalAt();
  for (const key of ['n', '', 'C-c']) {
    terminal.clear();
    terminal.type('mar asset put a-1 --set name=Two; echo "code $?"');
    await terminal.until('(y/N)');
    expect(terminal.screen()).toContain('  name\n    - "One"\n    + "Two"');
    if (key === 'C-c') terminal.press('C-c');
    else terminal.type(key);
    await terminal.until('code 130');
  }
  expect(service.text).toBe(record);
});

it('a yes writes, on top of what others wrote while the question stood', async () => {
  const { service, terminal } = await terminalAt();
  terminal.type('mar asset put a-1 --set name=Two; echo "code $?"');
  await terminal.until('(y/N)');
  service.change('"online":true', '"online":false');
  terminal.type('y');
  await terminal.until('code 0');
  expect(service.text).toBe('{"_id":"a-1","name":"Two","usage":{"online":false}}');
});

it('--quiet asks all the same, and shows the difference that the question is about', async () => {
  const { service, terminal } = await terminalAt();
  terminal.type('clear; mar asset put a-1 --set name=Two --quiet; echo "code $?"');
  await terminal.until('(y/N)');
  expect(terminal.screen()).toContain('  name\n    - "One"\n    + "Two"');
  terminal.type('y');
  const screen = await terminal.until('code 0');
  expect(screen).not.toContain('Writing to');
  expect(service.text).toContain('Two');
});

it('--yes and --no-input do not ask', async () => {
  const { service, terminal } = await terminalAt();
  for (const flags of ['name=Two --yes', 'name=3rd --no-input']) {
    terminal.clear();
    terminal.type(`mar asset put a-1 --set ${flags}; echo "code $?"`);
    await terminal.until('code 0');
  }
  expect(service.text).toContain('3rd');
});

it('an editor has the terminal to itself: Ctrl-C in it does not end mar', async () => {
  const folder = temporaryFolder();
  const script = path.join(folder, 'editor.sh');
  writeFileSync(
    script,
    `trap 'echo caught' INT\necho "editor is open"\nread -r name\nsed "s/One/$name/" "$1" > ${folder}/x && cat ${folder}/x > "$1"\n`,
  );
  const { service, terminal } = await terminalAt({ EDITOR: `bash ${script}` });
  terminal.type('mar asset edit a-1; echo "code $?"');
  await terminal.until('editor is open');
  terminal.press('C-c');
  await terminal.until('caught');
  terminal.type('Typed');
  await terminal.until('(y/N)');
  terminal.type('yes');
  await terminal.until('code 0');
  expect(JSON.parse(service.text).name).toBe('Typed');
});
