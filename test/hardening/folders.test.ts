import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, program } from '../harness/program.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { runWithinLimit } from '../harness/timeLimit.ts';

/** Root reads and writes everything, unless it gives up these rights. */
const unprivileged: typeof program =
  process.getuid?.() === 0
    ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', ...program]
    : program;

/** Folders that cannot be made or used, each in a way of its own. */
const unusable: [string, (folder: string) => string][] = [
  ['below a folder of /proc that is not there', () => '/proc/x/y'],
  ['below a device', () => '/dev/null/x/y'],
  [
    'below a file',
    (folder) => {
      writeFileSync(path.join(folder, 'file'), '');
      return path.join(folder, 'file', 'x');
    },
  ],
  [
    'that is a FIFO',
    (folder) => {
      execFileSync('mkfifo', [path.join(folder, 'fifo')]);
      return path.join(folder, 'fifo');
    },
  ],
  [
    'in a folder that may not be read',
    (folder) => {
      const closed = path.join(folder, 'closed');
      mkdirSync(closed);
      chmodSync(closed, 0);
      return path.join(closed, 'x');
    },
  ],
];

async function setUp(make: (folder: string) => string, names: readonly string[]) {
  const folder = temporaryFolder();
  const { env } = await recordingServer('{"_id":"a-1"}');
  const bad = make(folder);
  const all: NodeJS.ProcessEnv = cleanEnvironment(folder, { ...env, EDITOR: 'true' });
  for (const name of names) {
    // A variable of the program's own counts for more than those of the system.
    if (!name.startsWith('MAR_')) {
      delete all.MAR_CONFIG_DIR;
      delete all.MAR_STATE_DIR;
      delete all.MAR_CACHE_DIR;
    }
    all[name] = bad;
  }
  return {
    bad,
    run: (...argv: string[]) => runWithinLimit(argv, all, unprivileged),
  };
}

const getAsset = ['asset', 'get', 'a-1', '--json'];
const tab = ['complete-words', 'zsh', 'asset', 'get', ''];

describe.each(unusable)('a folder %s', (_, make) => {
  it.each([
    ['MAR_CACHE_DIR', 'MAR_STATE_DIR'],
    ['XDG_CACHE_HOME', 'XDG_STATE_HOME'],
  ])('is not used, and not missed, as %s and %s', async (...names) => {
    const { run } = await setUp(make, names);
    const shown = { code: 0, stdout: '{"_id":"a-1"}\n', stderr: '' };
    expect(await run(...getAsset)).toEqual(shown);
    expect(await run('config', 'set', 'output', 'json')).toMatchObject({ code: 0 });
    expect(await run(...tab)).toMatchObject({ code: 0 });
  });

  it.each(['MAR_CONFIG_DIR', 'HOME', 'XDG_CONFIG_HOME'])(
    'is named where the settings are to be there, as %s',
    async (name) => {
      const { bad, run } = await setUp(make, [name]);
      const written = await run('config', 'set', 'output', 'json');
      expect(written.stderr).toMatch(/^error: cannot /);
      expect(written.stderr).toContain(bad);
      expect(written.code).toBe(2);
      const { code, stderr } = await run(...getAsset);
      expect([0, 2], stderr).toContain(code);
      expect(stderr).not.toContain('bug');
      if (code === 2) expect(stderr).toContain(bad);
    },
  );

  it('is named where the settings are listed, and not missed by Tab', async () => {
    const { bad, run } = await setUp(make, ['MAR_CONFIG_DIR']);
    const { code, stderr } = await run('config', 'list');
    expect([0, 2], stderr).toContain(code);
    if (code === 2) expect(stderr).toContain(bad);
    expect(await run(...tab)).toMatchObject({ code: 0 });
  });

  it('is named where a draft is to be kept, as MAR_STATE_DIR, and as --data', async () => {
    const { bad, run } = await setUp(make, ['MAR_STATE_DIR']);
    const edited = await run('asset', 'edit', 'a-1');
    expect(edited.stderr).toMatch(new RegExp(`^error: cannot .* ${path.join(bad, 'drafts')}`));
    expect(edited.stderr).toContain('MAR_STATE_DIR');
    const sandbox = await run('sandbox', '--data', bad);
    expect(sandbox.stderr).toMatch(new RegExp(`^error: cannot .* ${bad}`));
    expect([edited.code, sandbox.code]).toEqual([2, 2]);
  });
});

it.each(['folder', 'file'])('a log whose %s is read-only sends nothing', async (part) => {
  const folder = temporaryFolder();
  const log = path.join(folder, 'shared', 'log.jsonl');
  mkdirSync(path.dirname(log));
  const service = await recordingServer('{"_id":"wr-1"}');
  const env = cleanEnvironment(folder, { ...service.env, MAR_LOG: log });
  const order = (language: string) => {
    const argv = ['wr', 'create', '--asset', 'a-1', '--language', language, '--skip-checks'];
    return runWithinLimit(argv, env, unprivileged);
  };
  expect(await order('fra')).toMatchObject({ code: 0 });
  const isFile = part === 'file';
  chmodSync(isFile ? log : path.dirname(log), isFile ? 0o400 : 0o500);
  const { code, stderr } = await order('deu');
  expect([code, stderr]).toEqual([2, expect.stringContaining(log)]);
  expect(service.requests).toHaveLength(1);
});
