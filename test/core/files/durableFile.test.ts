import fs, { readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDurableFile } from '../../../src/core/files/durableFile.ts';
import { temporaryFolder } from '../../harness/mar.ts';

async function openFile() {
  const file = path.join(temporaryFolder(), 'journal');
  writeFileSync(file, '');
  return { file, durable: await openDurableFile(file, 0) };
}

/** Replaces the sync of all open files, so that a test can count calls or let them fail. */
async function replaceSyncs(sync: () => Promise<void>) {
  const handle = await open(import.meta.filename);
  const datasync = vi.spyOn(Object.getPrototypeOf(handle), 'datasync').mockImplementation(sync);
  await handle.close();
  const blocking = vi.spyOn(fs, 'fdatasyncSync').mockImplementation(() => void sync());
  syncBuiltinESMExports();
  return () => ({ parallel: datasync.mock.calls.length, blocking: blocking.mock.calls.length });
}

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe('a durable file', () => {
  it('syncs what was added before it calls it durable', async () => {
    const { file, durable } = await openFile();
    const written: string[] = [];
    await replaceSyncs(async () => {
      written.push(readFileSync(file, 'utf8'));
    });
    durable.add('one');
    await durable.synced();
    expect(written).toEqual(['one\n']);
    durable.add('two');
    await durable.synced();
    expect(written).toEqual(['one\n', 'one\ntwo\n']);
    await durable.close();
  });

  it('shares one sync between lines that are added together', async () => {
    const { durable } = await openFile();
    const count = await replaceSyncs(async () => {});
    await Promise.all(
      ['a', 'b', 'c'].map((line) => {
        durable.add(line);
        return durable.synced();
      }),
    );
    expect(count()).toEqual({ parallel: 1, blocking: 0 });
    await durable.close();
  });

  it('shares a sync between no more than it may', async () => {
    const { file, durable } = await openFile();
    durable.maxTogether = 2;
    const written: string[] = [];
    await replaceSyncs(async () => {
      written.push(readFileSync(file, 'utf8'));
    });
    await Promise.all(['a', 'b', 'c'].map((line) => durable.synced(() => line)));
    expect(written).toEqual(['a\nb\n', 'a\nb\nc\n']);
    await durable.close();
  });

  it('writes a line at once, and a last line when its sync starts', async () => {
    const { file, durable } = await openFile();
    const ends: (() => void)[] = [];
    await replaceSyncs(() => new Promise((end) => ends.push(end)));
    const first = durable.synced((offset) => `first at ${offset}`);
    await expect.poll(() => ends.length).toBe(1);
    const second = durable.synced((offset) => `second at ${offset}`);
    durable.add('added');
    await new Promise(setImmediate);
    expect(readFileSync(file, 'utf8')).toBe('first at 0\nadded\n');
    ends[0]?.();
    await first;
    await expect.poll(() => ends.length).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe('first at 0\nadded\nsecond at 17\n');
    ends[1]?.();
    await second;
    await durable.close();
  });

  it('waits for a fast disk, and for a slow one in parallel', async () => {
    const { durable } = await openFile();
    let now = 0;
    let syncMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const count = await replaceSyncs(async () => {
      now += syncMs;
    });
    for (const [ms, parallel, blocking] of [
      [1, 1, 0],
      [1, 1, 1],
      [50, 1, 2],
      [50, 2, 2],
      [1, 3, 2],
      [1, 3, 3],
    ] as const) {
      syncMs = ms;
      await durable.synced();
      expect(count()).toEqual({ parallel, blocking });
    }
    await durable.close();
  });

  it('is not durable when the disk fails to sync, then or later', async () => {
    const { durable } = await openFile();
    await replaceSyncs(async () => {
      throw Object.assign(new Error('i/o error'), { code: 'EIO' });
    });
    durable.add('one');
    await expect(durable.synced()).rejects.toMatchObject({ code: 'EIO' });
    vi.restoreAllMocks();
    durable.add('two');
    await expect(durable.synced()).rejects.toMatchObject({ code: 'EIO' });
    await durable.close();
  });

  it('is not durable when a fast disk fails to sync', async () => {
    const { durable } = await openFile();
    vi.spyOn(performance, 'now').mockReturnValue(0);
    await replaceSyncs(async () => {});
    await durable.synced();
    vi.spyOn(fs, 'fdatasyncSync').mockImplementation(() => {
      throw Object.assign(new Error('i/o error'), { code: 'EIO' });
    });
    syncBuiltinESMExports();
    await expect(durable.synced()).rejects.toMatchObject({ code: 'EIO' });
    await durable.close();
  });
});
