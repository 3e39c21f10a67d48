import { cp } from 'node:fs/promises';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { startMar, temporaryFolder } from '../../../harness/mar.ts';
import { demoFolder } from '../harness.ts';

/** Folders with data for the sandbox, because writing new demo data takes longer. */
export async function sandboxHome() {
  const folder = temporaryFolder();
  const state = path.join(folder, 'state');
  const env = { MAR_CONFIG_DIR: path.join(folder, 'config'), MAR_STATE_DIR: state, HOME: folder };
  const dataDir = path.join(state, 'sandbox');
  await cp(await demoFolder(), dataDir, { recursive: true });
  return { env, dataDir };
}

/** Starts `mar sandbox` in this process and waits until it is ready. */
export async function startSandbox(env: Record<string, string>, ...flags: string[]) {
  const run = startMar(['sandbox', '--json', '--port', '0', ...flags], { env });
  const stop = async () => {
    run.signal('SIGINT');
    await run.ended;
  };
  onTestFinished(stop);
  // A run that failed says nothing, and ends.
  await Promise.race([run.stdout.until('\n'), run.ended]);
  return { ...JSON.parse(run.stdout.text), run, stop };
}
