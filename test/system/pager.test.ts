import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../harness/program.ts';
import { loggedInSandbox } from '../harness/service.ts';
import { openTerminal } from '../harness/terminal.ts';

/** A terminal of 80 × 24 in which `mar` is logged in to a sandbox. */
async function loggedIn(more: Record<string, string> = {}) {
  const { folder, env, sandbox } = await loggedInSandbox(more);
  const { baseUrl, email, password } = sandbox;
  const account = ['login', '--base-url', baseUrl, '--email', email, '--password-stdin'];
  const printToken = async () =>
    (await runProgram([...account, '--print-token'], env, password)).stdout;
  return { folder, sandbox, printToken, terminal: openTerminal(env, { width: 80, height: 24 }) };
}

const card = 'mar wr get wr-2001';

describe('output that is longer than the screen', () => {
  it('starts at its top in less, and leaving early is not an error', async () => {
    const { terminal } = await loggedIn();
    terminal.type(`clear; ${card}; echo exit=$?`);
    const top = await terminal.until(/\n:$/);
    expect(top).toMatch(/^Work request wr-2001/);
    terminal.press('q');
    expect(await terminal.until('exit=0')).toContain('Due ');
  });

  it('of a list that is still being read ends when the user leaves', async () => {
    const { terminal } = await loggedIn();
    terminal.type('clear; mar downloads list --all; echo exit=$?');
    expect(await terminal.until(/\n:$/)).toMatch(/^WHEN /);
    // Ctrl-C belongs to the pager, which drops keys until it has handled it.
    terminal.press('C-c');
    while (!/exit=\d/.test(terminal.screen())) terminal.press('q');
    expect(terminal.screen()).toContain('exit=0');
    terminal.press('C-c');
    terminal.type('clear; mar downloads list --limit 60; echo exit=$?');
    await terminal.until(/\n:$/);
    terminal.press('G');
    await terminal.until('(END)');
    terminal.press('q');
    await terminal.until('exit=0');
  });

  it('keeps its colours and links', async () => {
    const { folder, terminal } = await loggedIn({ FORCE_HYPERLINK: '1' });
    const bytes = path.join(folder, 'bytes');
    terminal.record(bytes);
    terminal.type(`clear; ${card}`);
    await terminal.until(/\n:$/);
    terminal.press('q');
    await terminal.until(/\$$/);
    const seen = readFileSync(bytes, 'utf8');
    expect(seen).toContain('\x1b]8;;https://desk.media.example/work-requests/wr-2001');
    expect(seen).toContain('\x1b[33m');
    expect(terminal.screen()).not.toContain('ESC');
  });

  it('or would fit on it has its totals at the end', async () => {
    const { terminal } = await loggedIn();
    const screen = terminal.run('mar downloads list --summary type');
    expect(screen.indexOf('key-art')).toBeGreaterThan(0);
    expect(screen.indexOf('6 types')).toBeGreaterThan(screen.indexOf('key-art'));
  });

  it('is printed whole with --no-pager, in a pipe, for screen readers, and with pager off', async () => {
    const { terminal } = await loggedIn();
    const lines = [
      `${card} --no-pager`,
      `${card} | grep 'user.name.*Marc'`,
      `ACCESSIBLE=1 ${card}`,
      `PAGER=cat ${card}`,
      `mar config set pager off; ${card}`,
    ];
    // `run` waits for the end, which a pager would not reach.
    for (const line of lines) {
      const screen = terminal.run(line);
      expect(screen).toContain('Marc Dubois');
      expect(screen).not.toMatch(/\n:$/);
    }
  });

  it('goes to PAGER, or to the pager of the settings, without the token', async () => {
    const { folder, sandbox, printToken, terminal } = await loggedIn();
    const script = path.join(folder, 'pager.sh');
    const log = path.join(folder, 'log');
    writeFileSync(script, `#!/bin/sh\n{ echo "args $*"; env; cat; } > ${log}\n`, { mode: 0o755 });
    const token = (await printToken()).trim();
    const identity = `MAR_TOKEN=${token} MAR_EMAIL=${sandbox.email} MAR_BASE_URL=${sandbox.baseUrl}`;
    terminal.run(`${identity} PAGER="${script} a b" ${card}`);
    const seen = readFileSync(log, 'utf8');
    expect(seen).toMatch(/^args a b\n/);
    expect(seen).toContain('Work request');
    expect(seen).toMatch(/^LESS=FRX$/m);
    expect(token).not.toBe('');
    expect(seen).not.toContain(token);
    expect(seen).not.toContain('MAR_TOKEN');
    terminal.run(`mar config set pager '${script} c'; PAGER=false ${card}`);
    expect(readFileSync(log, 'utf8')).toMatch(/^args c\n/);
  });

  it('is printed if the pager does not exist', async () => {
    const { terminal } = await loggedIn();
    const screen = terminal.run(`PAGER=no-such-pager ${card}`);
    expect(screen).toContain('warning: pager not found: no-such-pager');
    expect(screen).toContain('History');
  });
});

it('output that fits on the screen is not paged', async () => {
  const { terminal } = await loggedIn({ PAGER: 'false' });
  expect(terminal.run('mar asset get a-1001 a-1002')).toContain('a-1002');
});
