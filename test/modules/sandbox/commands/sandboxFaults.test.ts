import { expect, it, onTestFinished } from 'vitest';
import { mar, startMar, temporaryFolder } from '../../../harness/mar.ts';
import { failure } from '../../../harness/marWith.ts';

/** Starts the sandbox in this process, and waits until it has printed everything. */
async function startSandbox(flags: readonly string[]) {
  const folder = temporaryFolder();
  const env = { MAR_STATE_DIR: folder, MAR_CONFIG_DIR: folder };
  const run = startMar(['sandbox', '--ephemeral', '--port', '0', ...flags], { env });
  onTestFinished(async () => {
    run.signal('SIGINT');
    await run.ended;
  });
  await run.stdout.until('mar sandbox --background --login');
  return run;
}

it('mar sandbox prints its page and its faults, and applies them', async () => {
  const { stdout } = await startSandbox(['--fault', '/assets/* 503', '--fault', '* 20/s']);
  const [, page = ''] = /Page +(http:\S+)/.exec(stdout.text) ?? [];
  expect(stdout.text).toContain('  Fault      /assets/* 503\n  Fault      * 20/s\n');
  expect((await fetch(`${page}api/assets/a-1001`)).status).toBe(503);
});

it('a fault that is invalid is rejected, and nothing is started', async () => {
  const env = { MAR_STATE_DIR: temporaryFolder() };
  const value = '/asset 503';
  const argv = ['sandbox', '--ephemeral', '--fault', value, '--json'];
  const { error } = JSON.parse(await failure(2, mar(argv, { env })));
  expect(error).toMatchObject({ flag: '--fault', value });
});
