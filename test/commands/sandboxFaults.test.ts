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
  expect(stdout.text).toContain('  Seed       42 (the same requests fail with --fault-seed 42)\n');
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
  const { stderr } = await startSandbox(['--open'], { BROWSER: path.join(folder, 'none') });
  await stderr.until('warning: cannot open the browser');
});

it.each([
  [['--fault', 'POST /workrequests 5030'], '"POST /workrequests 5030": 5030 is not a status'],
  [
    ['--fault', 'GET /assets 503'],
    '"GET /assets 503": the API has no GET /assets (did you mean GET /assets/*?)',
  ],
  [['--rate-limit', 'fast'], 'must be a number of requests per s, m or h'],
  [['--fault-seed', 'x'], 'takes a whole number of 0 or more, not "x"'],
])('%j is rejected, and nothing is started', async (flags, message) => {
  const env = { MAR_STATE_DIR: temporaryFolder() };
  const stderr = await failure(2, mar(['sandbox', '--ephemeral', ...flags], { env }));
  expect(stderr).toContain(`error: ${flags[0]} ${message}`);
});
