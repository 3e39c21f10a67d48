import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { mar, startMar, temporaryFolder } from '../harness/mar.ts';
import { failure } from '../harness/marWith.ts';

/** Starts the sandbox in this process, and waits until it has printed everything. */
async function startSandbox(flags: readonly string[], more: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const env = { MAR_STATE_DIR: folder, MAR_CONFIG_DIR: folder, ...more };
  const run = startMar(['sandbox', '--ephemeral', '--port', '0', ...flags], { env });
  onTestFinished(async () => {
    run.signal('SIGINT');
    await run.ended;
  });
  await run.stdout.until(flags.includes('--json') ? '}\n' : '--insecure-storage');
  return run;
}

it('mar sandbox prints its page, its faults and their seed, and applies them', async () => {
  const flags = ['--fault', 'GET /assets/* 503', '--fault', 'POST * 500 5%'];
  const { stdout } = await startSandbox([...flags, '--fault-seed', '42', '--rate-limit', '20/s']);
  const [, page = ''] = /Page +(http:\S+)/.exec(stdout.text) ?? [];
  expect(stdout.text).toContain('  Fault      GET /assets/* 503\n  Fault      POST * 500 5%\n');
  expect(stdout.text).toMatch(/^ {2}Seed {7}42 \(.* --fault-seed 42\)$/m);
  expect(stdout.text).toContain('  Limit      20/s\n');
  const response = await fetch(`${page}api/assets/a-1001`);
  expect(response.status).toBe(503);
  const settings = await (await fetch(`${page}_sandbox/faults`)).json();
  expect(settings).toMatchObject({ seed: 42, rateLimit: '20/s', faults: [{ applied: 1 }, {}] });
});

it('with --json, the seed is a field if there are faults', async () => {
  const { stdout } = await startSandbox(['--json', '--fault', 'GET /assets/* 503 1%']);
  expect(JSON.parse(stdout.text).faultSeed).toBeTypeOf('number');
});

it('--open opens the page; a browser that is missing is only a warning', async () => {
  const folder = temporaryFolder();
  const browser = path.join(folder, 'browser');
  const opened = path.join(folder, 'opened');
  writeFileSync(browser, `#!/bin/sh\necho "$1" > '${opened}'\n`, { mode: 0o755 });
  const { stdout } = await startSandbox(['--open'], { BROWSER: browser });
  const [, page = ''] = /Page +(http:\S+)/.exec(stdout.text) ?? [];
  await expect.poll(() => readFileSync(opened, 'utf8')).toBe(`${page}\n`);
  const BROWSER = path.join(folder, 'none');
  const { stderr } = await startSandbox(['--open', '--json'], { BROWSER });
  await stderr.until('{"warning":{"code":"browser",');
});

it.each([
  ['--fault', 'GET /assets 503'],
  ['--rate-limit', 'fast'],
  ['--fault-seed', 'x'],
])('%s %s is rejected, and nothing is started', async (flag, value) => {
  const env = { MAR_STATE_DIR: temporaryFolder() };
  const argv = ['sandbox', '--ephemeral', flag, value, '--json'];
  const { error } = JSON.parse(await failure(2, mar(argv, { env })));
  expect(error).toMatchObject({ flag, value });
});
