import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { lock, logIn, openDesktop, openHome } from '../harness/desktop.ts';
import { listening } from '../harness/listening.ts';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment } from '../harness/program.ts';
import { openTerminal } from '../harness/terminal.ts';

const size = { width: 80, height: 24 };
/** The tests may run in CI, and for a developer with a screen reader. */
const forPeople = { CI: '', ACCESSIBLE: '', NO_COLOR: '', FORCE_COLOR: '' };

type Reaction = (response: ServerResponse, count: number) => void;

/** A terminal in which `mar` uses a service, and a file with every byte that the terminal got. */
async function terminalWith(react: Reaction, more: Record<string, string> = {}) {
  const arrivals: number[] = [];
  const server = createServer((_request, response) => {
    arrivals.push(Date.now());
    react(response, arrivals.length);
  });
  const { baseUrl, env } = await listening(server);
  const folder = temporaryFolder();
  const terminal = openTerminal(cleanEnvironment(folder, { ...env, ...forPeople, ...more }), size);
  const recording = path.join(folder, 'bytes');
  terminal.record(recording);
  return { terminal, folder, arrivals, recording, host: new URL(baseUrl).host };
}

const record = '{"_id":"a-1","name":"Trailer"}';
const get = 'mar asset get a-1; echo "code $?"';
const slowly =
  (ms: number, body = record): Reaction =>
  (response) =>
    setTimeout(() => response.end(body), ms);

const spinner = /Waiting|Retrying|records|[⠀-⣿]/;

describe('on a terminal of 80 columns, a spinner', () => {
  it('appears while a service takes 4 s, and is gone when the record appears', async () => {
    const { terminal, arrivals, host } = await terminalWith((response, count) =>
      slowly(count === 1 ? 0 : 4000)(response, count),
    );
    const fast = terminal.run(get);
    terminal.type(`clear; ${get}`);
    await terminal.until(`Waiting for ${host}… 1 s`);
    console.log('SEEN', Date.now() - (arrivals[1] ?? 0));
    const waiting = await terminal.until(`Waiting for ${host}… 3 s`);
    expect(waiting).not.toContain('Trailer');
    expect(await terminal.until('code 0')).toBe(fast);
  });
});
