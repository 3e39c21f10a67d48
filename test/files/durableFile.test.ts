import fs, { readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDurableFile } from '../../src/files/durableFile.ts';
import { temporaryFolder } from '../harness/mar.ts';

async function openFile() {
  const file = path.join(temporaryFolder(), 'journal');
  writeFileSync(file, '');
  return { file, durable: await openDurableFile(file, 0) };
}

/** Replaces Node's own syncs, so that a test can count them or let them fail. */
function replaceSyncs(sync: () => void) {
  const now = vi.spyOn(fs, 'fdatasyncSync').mockImplementation(sync);
  const later = vi.spyOn(fs, 'fdatasync').mockImplementation((_descriptor, done) => {
    try {
      sync();
      done(null);
    } catch (error) {
      done(error as NodeJS.ErrnoException);
    }
  });
  syncBuiltinESMExports();
  return () => ({ blocking: now.mock.calls.length, background: later.mock.calls.length });
}

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe('a durable file', () => {
  it('syncs what was added before it calls it durable', async () => {
    const { file, durable } = await openFile();
    const written: string[] = [];
    replaceSyncs(() => written.push(readFileSync(file, 'utf8')));
    durable.add('one');
    await durable.flushed();
    expect(written).toEqual(['one\n']);
    durable.add('two');
    await durable.flushed();
    expect(written).toEqual(['one\n', 'one\ntwo\n']);
    await durable.close();
  });

  it('shares one sync between lines that are added together', async () => {
    const { durable } = await openFile();
    const count = replaceSyncs(() => {});
    await Promise.all(
      ['a', 'b', 'c'].map((line) => {
        durable.add(line);
        return durable.flushed();
      }),
    );
    expect(count()).toEqual({ blocking: 1, background: 0 });
    await durable.close();
  });

  it('syncs in the background while the disk is slow', async () => {
    const { durable } = await openFile();
    let isSlow = true;
    const count = replaceSyncs(() => {
      const end = performance.now() + (isSlow ? 2 : 0);
      while (performance.now() < end);
    });
    const flush = async (times: number) => {
      const before = count();
      for (let time = 0; time < times; time += 1) {
        durable.add('line');
        await durable.flushed();
      }
      const { blocking, background } = count();
      return {
        blocking: blocking - before.blocking,
        background: background - before.background,
      };
    };
    expect(await flush(3)).toEqual({ blocking: 3, background: 0 });
    expect(await flush(50)).toEqual({ blocking: 0, background: 50 });
    expect(await flush(51)).toEqual({ blocking: 1, background: 50 });
    isSlow = false;
    expect(await flush(10)).toEqual({ blocking: 10, background: 0 });
    await durable.close();
  });

  it('blocks again after a single slow sync', async () => {
    const { durable } = await openFile();
    let syncs = 0;
    const count = replaceSyncs(() => {
      syncs += 1;
      const end = performance.now() + (syncs === 5 ? 50 : 0);
      while (performance.now() < end);
    });
    for (let time = 0; time < 20; time += 1) {
      durable.add('line');
      await durable.flushed();
    }
    expect(count()).toEqual({ blocking: 20, background: 0 });
    await durable.close();
  });

  it('is not durable when the disk fails to sync, then or later', async () => {
    const { durable } = await openFile();
    replaceSyncs(() => {
      throw Object.assign(new Error('i/o error'), { code: 'EIO' });
    });
    durable.add('one');
    await expect(durable.flushed()).rejects.toMatchObject({ code: 'EIO' });
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    durable.add('two');
    await expect(durable.flushed()).rejects.toMatchObject({ code: 'EIO' });
    await durable.close();
  });
});
