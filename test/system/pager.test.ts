import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment } from '../harness/program.ts';
import { startService } from '../harness/service.ts';
import { openTerminal } from '../harness/terminal.ts';
import { outputWords } from '../words/output.ts';

/** A terminal of 80 × 24 in which `mar` is logged in to a sandbox. */
async function loggedIn(more: Record<string, string> = {}) {
  const { baseUrl, account } = await startService();
  const folder = temporaryFolder();
  const env = cleanEnvironment(folder, { ...account, MAR_BASE_URL: baseUrl, ...more });
  const terminal = openTerminal(env, { width: 80, height: 24 });
  return { folder, token: account.MAR_TOKEN, terminal };
}

const card = 'mar wr get wr-2001';

describe('output that is longer than the screen', () => {
  it('starts at its top in less, and leaving early is not an error', async () => {
    const { folder, terminal } = await loggedIn();
    const bytes = path.join(folder, 'bytes');
    terminal.record(bytes);
    terminal.type(`clear; ${card}; echo exit=$?`);
    const top = await terminal.until(/q: quit$/);
    expect(top).toMatch(/^Work request wr-2001/);
    terminal.press('q');
    expect(await terminal.until('exit=0')).toContain('Due ');
    // It keeps its colours.
    expect(readFileSync(bytes, 'utf8')).toContain('\x1b[33m');
    expect(terminal.screen()).not.toContain('ESC');
  });

  it('of a list that is still being read ends when the user leaves', async () => {
    const { terminal } = await loggedIn();
    terminal.type('clear; mar downloads list --all; echo exit=$?');
    expect(await terminal.until(/q: quit$/)).toMatch(/^WHEN /);
    // Ctrl-C belongs to the pager, which drops keys until it has handled it.
    terminal.press('C-c');
    while (!/exit=\d/.test(terminal.screen())) terminal.press('q');
    expect(terminal.screen()).toContain('exit=0');
    terminal.press('C-c');
    terminal.type('clear; mar downloads list --limit 60; echo exit=$?');
    await terminal.until(/q: quit$/);
    terminal.press('G');
    await terminal.until('End, q: quit');
    terminal.press('q');
    await terminal.until('exit=0');
  });

  it('goes to PAGER, or to the pager of the settings, without the token', async () => {
    const { folder, token, terminal } = await loggedIn();
    const script = path.join(folder, 'pager.sh');
    const log = path.join(folder, 'log');
    writeFileSync(script, `#!/bin/sh\n{ echo "args $*"; env; cat; } > ${log}\n`, { mode: 0o755 });
    terminal.run(`PAGER="${script} a b" ${card}`);
    const seen = readFileSync(log, 'utf8');
    expect(seen).toMatch(/^args a b\n/);
    expect(seen).toContain('Work request');
    expect(seen).toMatch(/^LESS=FRX/m);
    expect(seen).toMatch(/^LESSSECURE=1$/m);
    expect(token).not.toBe('');
    expect(seen).not.toContain(token);
    expect(seen).not.toContain('MAR_TOKEN');
    terminal.run(`mar config set pager '${script} c'; PAGER=false ${card}`);
    expect(readFileSync(log, 'utf8')).toMatch(/^args c\n/);
  });
});

it('what is not paged is printed whole', async () => {
  const { terminal } = await loggedIn();
  // `run` waits for the end, which a pager would not reach.
  for (const [line, ...printed] of [
    [`${card} --no-pager`, 'Marc Dubois'],
    [`${card} | grep 'user.name.*Marc'`, 'Marc Dubois'],
    [`ACCESSIBLE=1 ${card}`, 'Marc Dubois'],
    [`PAGER=cat ${card}`, 'Marc Dubois'],
    // It fits on the screen.
    ['PAGER=false mar asset get a-1001 a-1002', 'a-1002'],
    // With a warning, because the pager does not exist.
    [`PAGER=no-such-pager ${card}`, 'History', outputWords.noPager('no-such-pager')],
    ['mar downloads list --summary type', 'key-art', '6 types'],
    [`mar config set pager off; ${card}`, 'Marc Dubois'],
  ] as const) {
    const screen = terminal.run(line);
    for (const text of printed) expect(screen).toContain(text);
    expect(screen).not.toMatch(/q: quit$/);
  }
});
