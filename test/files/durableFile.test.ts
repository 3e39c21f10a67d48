import { readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDurableFile } from '../../src/files/durableFile.ts';
import { temporaryFolder } from '../harness/mar.ts';

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
  return () => datasync.mock.calls.length;
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a durable file', () => {
  it('syncs what was added before it calls it durable', async () => {
    const { file, durable } = await openFile();
    const written: string[] = [];
    await replaceSyncs(async () => {
      written.push(readFileSync(file, 'utf8'));
    });
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
    const count = await replaceSyncs(async () => {});
    await Promise.all(
      ['a', 'b', 'c'].map((line) => {
        durable.add(line);
        return durable.flushed();
      }),
    );
    expect(count()).toBe(1);
    await durable.close();
  });

  it('waits for more lines to share a sync with', async () => {
    const { durable } = await openFile();
    const count = await replaceSyncs(async () => {});
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    durable.add('one');
    const first = durable.flushed(2);
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    expect(count()).toBe(0);
    durable.add('two');
    const second = durable.flushed();
    vi.advanceTimersByTime(2);
    await Promise.all([first, second]);
    expect(count()).toBe(1);
    await durable.close();
  });

  it('is not durable when the disk fails to sync, then or later', async () => {
    const { durable } = await openFile();
    await replaceSyncs(async () => {
      throw Object.assign(new Error('i/o error'), { code: 'EIO' });
    });
    durable.add('one');
    await expect(durable.flushed()).rejects.toMatchObject({ code: 'EIO' });
    vi.restoreAllMocks();
    durable.add('two');
    await expect(durable.flushed()).rejects.toMatchObject({ code: 'EIO' });
    await durable.close();
  });
});
