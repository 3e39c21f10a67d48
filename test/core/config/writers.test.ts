import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Config, configFile } from '../../../src/core/config/configFile.ts';
import { withLock } from '../../../src/core/files/lock.ts';
import { temporaryFolder } from '../../harness/mar.ts';
import { bundled, root } from '../../modules/sandbox/bundle.ts';

const profile = { baseUrl: 'https://media.example/api', email: 'a@b', store: 'file' } as const;

const addProfile = (name: string) => (config: Config) => {
  config.profiles = { ...config.profiles, [name]: profile };
};

const namesIn = (folder: string): string[] =>
  Object.keys(JSON.parse(readFileSync(path.join(folder, 'config.json'), 'utf8')).profiles);

const numbered = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** The lock of a process of this machine. */
const lockOf = (pid: number) => JSON.stringify({ pid, host: hostname(), since: 'then' });
/** Above the highest process id of Linux. */
const endedPid = 2 ** 22 + 1;

describe('a lock', () => {
  it('lets one in at a time, and each gets its result', async () => {
    const lock = path.join(temporaryFolder(), 'a.lock');
    let inside = 0;
    let most = 0;
    const results = await Promise.all(
      numbered(10, 'job').map((name) =>
        withLock(lock, async () => {
          inside += 1;
          most = Math.max(most, inside);
          // Work that gives others the chance to come in.
          for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
          inside -= 1;
          return name;
        }),
      ),
    );
    expect(most).toBe(1);
    expect(results).toEqual(numbered(10, 'job'));
    expect(existsSync(lock)).toBe(false);
  });

  it('is let go when the work under it fails', async () => {
    const lock = path.join(temporaryFolder(), 'a.lock');
    const fail = () => Promise.reject(new Error('no'));
    await expect(withLock(lock, fail)).rejects.toThrow('no');
    expect(existsSync(lock)).toBe(false);
    expect(await withLock(lock, async () => 'again')).toBe('again');
  });

  it('of a process that runs is waited for, and left alone', async () => {
    const folder = temporaryFolder();
    const lock = path.join(folder, 'config.json.lock');
    writeFileSync(lock, lockOf(process.ppid));
    let done = false;
    const update = configFile(folder)
      .update(addProfile('a'))
      .then(() => {
        done = true;
      });
    // More file work than an update that does not wait would need.
    for (let turn = 0; turn < 300; turn += 1) {
      statSync(lock);
      await new Promise(setImmediate);
    }
    expect(done).toBe(false);
    expect(readFileSync(lock, 'utf8')).toBe(lockOf(process.ppid));
    expect(existsSync(path.join(folder, 'config.json'))).toBe(false);

    rmSync(lock);
    await update;
    expect(namesIn(folder)).toEqual(['a']);
  });

  it('that cannot be made shows where', async () => {
    const lock = path.join(temporaryFolder(), 'missing', 'a.lock');
    await expect(withLock(lock, async () => {})).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining(lock),
    });
  });
});

/** Writes one profile after the other, saying each on a line once it is written. */
const writing = `
  import { configFile } from ${JSON.stringify(path.join(root, 'src/core/config/configFile.ts'))};
  const [folder, prefix, count] = process.argv.slice(2);
  const profile = ${JSON.stringify(profile)};
  for (let index = 0; index < Number(count); index += 1) {
    await configFile(folder).update((config) => {
      config.profiles = { ...config.profiles, [prefix + '-' + index]: profile };
    });
    process.stdout.write(prefix + '-' + index + '\\n');
  }
`;

function start(script: string, ...args: (string | number)[]) {
  const child = spawn(process.execPath, [script, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let said = '';
  child.stdout.on('data', (data) => {
    said += data;
  });
  const stderr = text(child.stderr);
  return {
    child,
    ended: once(child, 'close').then(async ([code, signal]) => ({
      code,
      signal,
      stderr: await stderr,
    })),
    /** The whole lines that it has written. */
    said: () => said.split('\n').slice(0, -1),
  };
}

/**
 * Takes one abandoned lock after the other, each at the time that all such processes wait for, and says
 * so when somebody else is there too.
 */
const takingOver = `
  import { open, rm } from 'node:fs/promises';
  import { withLock } from ${JSON.stringify(path.join(root, 'src/core/files/lock.ts'))};
  const [folder, rounds, start] = process.argv.slice(2);
  async function enter(lock) {
    try {
      await (await open(lock + '.inside', 'wx')).close();
    } catch {
      return process.stdout.write('two at once in ' + lock + '\\n');
    }
    await rm(lock + '.inside');
  }
  for (let round = 0; round < Number(rounds); round += 1) {
    const lock = folder + '/' + round;
    while (Date.now() < Number(start) + round * 50);
    await Promise.all([1, 2, 3].map(() => withLock(lock, () => enter(lock))));
  }
`;

describe('writers in several processes', () => {
  it('lose nothing of each other, and a reader never sees half a file', async () => {
    const writer = await bundled(writing);
    const folder = temporaryFolder();
    const writers = ['a', 'b', 'c', 'd'].map((name) => start(writer, folder, name, 15));
    let busy = true;
    const ended = Promise.all(writers.map((one) => one.ended)).finally(() => {
      busy = false;
    });
    while (busy) {
      await configFile(folder).read();
      await new Promise(setImmediate);
    }
    expect(await ended).toEqual(writers.map(() => ({ code: 0, signal: null, stderr: '' })));
    const names = ['a', 'b', 'c', 'd'].flatMap((name) => numbered(15, name));
    expect(namesIn(folder).sort()).toEqual(names.sort());
    expect(readdirSync(folder)).toEqual(['config.json']);
  });

  it('may be killed at any time: what they wrote stays, and others go on', async () => {
    const writer = await bundled(writing);
    const folder = temporaryFolder();
    for (const [round, lines] of [2, 3, 5].entries()) {
      const { child, ended, said } = start(writer, folder, `r${round}`, 100_000);
      while (said().length < lines) await once(child.stdout, 'data');
      child.kill('SIGKILL');
      expect((await ended).signal).toBe('SIGKILL');
      expect(namesIn(folder)).toEqual(expect.arrayContaining(said()));
      await configFile(folder).update(addProfile(`after-${round}`));
      expect(namesIn(folder)).toContain(`after-${round}`);
    }
  });

  it('that find a lock left behind at the same time go in one by one', async () => {
    const script = await bundled(takingOver);
    const folder = temporaryFolder();
    const rounds = 30;
    for (let round = 0; round < rounds; round += 1) {
      writeFileSync(path.join(folder, String(round)), lockOf(endedPid));
    }
    const begin = Date.now() + 500;
    const runs = [1, 2, 3, 4].map(() => start(script, folder, rounds, begin));
    const ends = await Promise.all(runs.map(({ ended }) => ended));
    expect(ends).toEqual(runs.map(() => ({ code: 0, signal: null, stderr: '' })));
    expect(runs.flatMap(({ said }) => said())).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
