import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Config, configFile } from '../../../../src/core/config/configFile.ts';
import { mar, temporaryFile } from '../../../harness/mar.ts';
import { failure } from '../../../harness/marWith.ts';
import { otherService } from '../../../harness/otherService.ts';
import { removeTemplate } from '../harness.ts';
import { sandboxHome, startSandbox as start } from './sandboxHome.ts';

afterAll(removeTemplate);

const { file } = otherService;
const first = ['--reset', '--service', file];

async function home() {
  const { env, dataDir } = await sandboxHome();
  const run = (...argv: string[]) => mar(argv, { env });
  return {
    env,
    dataDir,
    run,
    profiles: (): Config['profiles'] => configFile(env.MAR_CONFIG_DIR).read().profiles,
    /** The file that `mar sandbox status` names. */
    service: async () => JSON.parse((await run('sandbox', 'status', '--json')).stdout).service,
    /** The status of a work request of the demo data, read with the token of the sandbox. */
    status: async () => {
      const read = await run('wr', 'get', 'wr-2002', '--jq', '.status', '--profile', 'sandbox');
      return read.stdout.trim();
    },
  };
}

describe('mar sandbox --service', () => {
  it('with --login, the profile knows the file, whatever the folder', async () => {
    const { env, profiles, service, status } = await home();
    const relative = path.relative(process.cwd(), file);
    await start(env, '--reset', '--login', '--service', relative);
    expect(profiles()?.sandbox).toMatchObject({ serviceFile: file });
    expect(await service()).toBe(file);
    expect(await status()).toBe('needs-files');
  });

  it('without --login, no profile is told', async () => {
    const { env, profiles, service } = await home();
    const { stop } = await start(env, '--login');
    await stop();
    await start(env, ...first);
    expect(profiles()?.sandbox).not.toHaveProperty('serviceFile');
    expect(await service()).toBe(file);
  });

  it('is kept by a restart and by mar sandbox reset, running or stopped', async () => {
    const { env, run, profiles, service, status } = await home();
    await (await start(env, ...first)).stop();
    const second = await start(env, '--login');
    expect(profiles()?.sandbox).toMatchObject({ serviceFile: file });
    expect(await status()).toBe('needs-files');
    expect(await run('sandbox', 'reset', '--yes')).toMatchObject({ code: 0 });
    expect(await status()).toBe('needs-files');
    await second.stop();
    expect(await run('sandbox', 'reset', '--yes')).toMatchObject({ code: 0 });
    await start(env);
    expect([await service(), await status()]).toEqual([file, 'needs-files']);
  });

  it.each([[[]], [['--login']]])('ends with --reset %s', async (flags) => {
    const { env, profiles, service, status } = await home();
    await (await start(env, ...first, '--login')).stop();
    const second = await start(env, '--reset', ...flags);
    expect(profiles()?.sandbox).not.toHaveProperty('serviceFile');
    expect([await service(), await status()]).toEqual([undefined, 'awaiting-materials']);
    await second.stop();
    await start(env);
    expect(await service()).toBeUndefined();
  });

  it('is refused for data that exists, which stays', async () => {
    const { env, run, service } = await home();
    const stderr = await failure(2, run('sandbox', '--service', file));
    expect(stderr).toContain('--reset');
    expect(await service()).toBeUndefined();
    await start(env);
  });

  it.each([
    ['is no JSON', 'no'],
    ['has an unknown setting', '{"colour": {"sky": "blue"}}'],
    ['has an invalid value', '{"status": {"shipped": "perhaps"}}'],
  ])('refuses a file that %s, and deletes nothing', async (_, content) => {
    const { env, run, service } = await home();
    const named = temporaryFile(content, 'service.json');
    const stderr = await failure(2, run('sandbox', '--reset', '--service', named));
    expect(stderr).toContain(named);
    expect(await service()).toBeUndefined();
    expect((await start(env)).records.Download).toBe(300);
  });
});
