import fs, { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLog, type LogKind, LogWriter, lineAt } from '../../../src/core/log/logFile.ts';
import { temporaryFolder } from '../../harness/mar.ts';

const kind: LogKind = { noun: 'log', version: 1, start: '{"first":', repair: '', replace: '' };
const lock = { isHeld: () => true, release: () => {} };
const line = (text: string) => `{"text":${JSON.stringify(text)}`;

async function openFile() {
  const file = path.join(temporaryFolder(), 'log');
  const writer = new LogWriter(file, kind, await createLog(file, kind, '{"first":1'), lock);
  /** The texts of all lines that were added. */
  const texts = () => {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    return lines.slice(1).map((one) => JSON.parse(one).text);
  };
  return { file, writer, texts };
}

/** Replaces the sync of all open files, so that a test can count calls or let them fail. */
function replaceSyncs(sync: () => Promise<void>) {
  const parallel = vi
    .spyOn(fs, 'fdatasync')
    .mockImplementation((_, done) => void sync().then(() => done(null), done));
  const blocking = vi.spyOn(fs, 'fdatasyncSync').mockImplementation(() => void sync());
  syncBuiltinESMExports();
  return () => ({ parallel: parallel.mock.calls.length, blocking: blocking.mock.calls.length });
}

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe('the writer of a log', () => {
  it('syncs what was added before it calls it durable', async () => {
    const { writer, texts } = await openFile();
    const written: string[][] = [];
    replaceSyncs(async () => {
      written.push(texts());
    });
    writer.add(line('one'));
    await writer.synced();
    expect(written).toEqual([['one']]);
    writer.add(line('two'));
    await writer.synced();
    expect(written).toEqual([['one'], ['one', 'two']]);
    await writer.close();
  });

  it('shares one sync between lines that are added together', async () => {
    const { writer } = await openFile();
    const count = replaceSyncs(async () => {});
    await Promise.all(
      ['a', 'b', 'c'].map((one) => {
        writer.add(line(one));
        return writer.synced();
      }),
    );
    expect(count()).toEqual({ parallel: 1, blocking: 0 });
    await writer.close();
  });

  it('shares a sync between no more than it may', async () => {
    const { writer, texts } = await openFile();
    writer.maxTogether = 2;
    const written: string[][] = [];
    replaceSyncs(async () => {
      written.push(texts());
    });
    await Promise.all(['a', 'b', 'c'].map((one) => writer.synced(() => line(one))));
    expect(written).toEqual([
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]);
    await writer.close();
  });

  it('writes a line at once, and a last line when its sync starts', async () => {
    const { writer, texts } = await openFile();
    const ends: (() => void)[] = [];
    replaceSyncs(() => new Promise((end) => ends.push(end)));
    const first = writer.synced(() => line('first'));
    await expect.poll(() => ends.length).toBe(1);
    const second = writer.synced(() => line('second'));
    writer.add(line('added'));
    await new Promise(setImmediate);
    expect(texts()).toEqual(['first', 'added']);
    ends[0]?.();
    await first;
    await expect.poll(() => ends.length).toBe(2);
    expect(texts()).toEqual(['first', 'added', 'second']);
    ends[1]?.();
    await second;
    await writer.close();
  });

  it('waits for a fast disk, and for a slow one in parallel', async () => {
    const { writer } = await openFile();
    let now = 0;
    let syncMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const count = replaceSyncs(async () => {
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
      await writer.synced();
      expect(count()).toEqual({ parallel, blocking });
    }
    await writer.close();
  });

  it('is not durable when the disk fails to sync, then or later', async () => {
    const { writer } = await openFile();
    replaceSyncs(async () => {
      throw Object.assign(new Error('i/o error'), { code: 'EIO' });
    });
    writer.add(line('one'));
    await expect(writer.synced()).rejects.toMatchObject({ cause: { code: 'EIO' } });
    vi.restoreAllMocks();
    writer.add(line('two'));
    await expect(writer.synced()).rejects.toMatchObject({ cause: { code: 'EIO' } });
    await writer.close();
  });

  it('is not durable when a fast disk fails to sync', async () => {
    const { writer } = await openFile();
    vi.spyOn(performance, 'now').mockReturnValue(0);
    replaceSyncs(async () => {});
    await writer.synced();
    vi.spyOn(fs, 'fdatasyncSync').mockImplementation(() => {
      throw Object.assign(new Error('i/o error'), { code: 'EIO' });
    });
    syncBuiltinESMExports();
    await expect(writer.synced()).rejects.toMatchObject({ cause: { code: 'EIO' } });
    await writer.close();
  });
});

it('a log that cannot be read is a failure of this machine, not of the service', () => {
  const file = path.join(temporaryFolder(), 'none');
  expect(() => lineAt(file, 0)).toThrow(expect.objectContaining({ kind: 'local' }));
});
