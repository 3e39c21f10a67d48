import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { logIn, openDesktop, openHome } from '../harness/desktop.ts';
import { fakeService } from '../harness/fakeService.ts';
import { contentRange, listService } from '../harness/listService.ts';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment } from '../harness/program.ts';
import { isolated } from '../harness/service.ts';
import { openTerminal } from '../harness/terminal.ts';

/** A terminal of a person, even if the tests run in CI. */
function openScreen({ CI, ACCESSIBLE, NO_COLOR, FORCE_COLOR, ...env }: NodeJS.ProcessEnv) {
  return openTerminal(env, { width: 80, height: 24 });
}

const isSpinner = /Waiting|Retrying|[⠀-⣿]/;

describe('on a terminal of 80 columns, a spinner', () => {
  it('appears below the records while the next page takes long, and gives way to them', async () => {
    let sendPage = () => {};
    const { env } = await listService({
      size: 30,
      headers: contentRange(30),
      onPage: (from) =>
        from < 20
          ? undefined
          : new Promise((resolve) => {
              sendPage = resolve;
            }),
    });
    const terminal = openScreen(isolated(env));
    terminal.type(
      'clear; mar file list --all --page-size 10 --columns _id -o tsv --no-pager; echo "code $?"',
    );
    const waiting = await terminal.until('20 of 30 records');
    expect(waiting.split('\n').at(-1)).toMatch(/^[⠀-⣿] 20 of 30 records, 66 %/);
    expect(waiting.split('\n').at(-2)).toBe('f-19');
    sendPage();
    const lines = (await terminal.until('code 0')).split('\n');
    const ids = Array.from({ length: 22 }, (_, index) => `f-${index + 8}`);
    expect(lines).toEqual([...ids, 'code 0', '$']);
  });

  it('appears while the keychain is silent, and is gone when it responds', async () => {
    const { env: home, sandbox } = await openHome();
    const { env, pid } = await openDesktop(home);
    await logIn(env, sandbox);
    const terminal = openScreen(env);
    const line = 'clear; mar asset get a-1001 --columns _id; echo "code $?"';
    terminal.type(line);
    const fast = await terminal.until('code 0');
    process.kill(pid, 'SIGSTOP');
    terminal.type(line);
    await terminal.until(/ keychain… \d s/);
    process.kill(pid, 'SIGCONT');
    expect(await terminal.until('code 0')).toBe(fast);
  });
});

it.each([
  ['mar asset get a-1', true],
  ['NO_COLOR=1 mar asset get a-1', false],
  ['mar asset get a-1 --no-color', false],
])('the spinner and the record of "%s" are in colour: %s', async (line, isColoured) => {
  const folder = temporaryFolder();
  const recording = path.join(folder, 'bytes');
  const bytes = () => readFileSync(recording, 'utf8');
  const { env } = await fakeService(async () => {
    await expect.poll(bytes).toMatch(isSpinner);
    return '{"_id":"a-1","name":"Trailer"}';
  });
  const terminal = openScreen(cleanEnvironment(folder, env));
  terminal.record(recording);
  terminal.type(`${line}; echo "code $?"`);
  await expect.poll(bytes).toContain('code 0');
  expect(bytes()).toContain('Trailer');
  expect(
    bytes()
      .split('\u001b')
      .some((part) => /^\[\d+m/.test(part)),
  ).toBe(isColoured);
});
