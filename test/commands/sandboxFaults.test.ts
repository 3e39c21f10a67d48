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

it('mar sandbox prints its page and its faults, and applies them', async () => {
  const { stdout } = await startSandbox(['--fault', '/assets/* 503', '--fault', '* 20/s']);
  const [, page = ''] = /Page +(http:\S+)/.exec(stdout.text) ?? [];
  expect(stdout.text).toContain('  Fault      /assets/* 503\n  Fault      * 20/s\n');
  expect((await fetch(`${page}api/assets/a-1001`)).status).toBe(503);
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

it('a fault that is invalid is rejected, and nothing is started', async () => {
  const env = { MAR_STATE_DIR: temporaryFolder() };
  const value = '/asset 503';
  const argv = ['sandbox', '--ephemeral', '--fault', value, '--json'];
  const { error } = JSON.parse(await failure(2, mar(argv, { env })));
  expect(error).toMatchObject({ flag: '--fault', value });
});
