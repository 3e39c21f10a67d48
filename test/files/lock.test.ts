import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockOwner, releaseLock, takeLock, withLock } from '../../src/files/lock.ts';
import { temporaryFolder } from '../harness/mar.ts';

const newLock = () => path.join(temporaryFolder(), 'a.lock');

describe('withLock', () => {
  it('leaves a lock alone that another process took over in the meantime', async () => {
    const lock = newLock();
    await withLock(lock, async () => writeFileSync(lock, 'another process'));
    expect(readFileSync(lock, 'utf8')).toBe('another process');
  });

  it('does not mind that its lock was removed in the meantime', async () => {
    const lock = newLock();
    expect(await withLock(lock, async () => releaseLock(lock, await lockOwner(lock)))).toBe(
      undefined,
    );
    expect(existsSync(lock)).toBe(false);
  });
});

describe('a lock that is taken', () => {
  it('names its owner and keeps others out until its owner releases it', async () => {
    const lock = newLock();
    expect(await takeLock(lock, 'first')).toBe(true);
    expect(await takeLock(lock, 'second')).toBe(false);
    expect(await lockOwner(lock)).toBe('first');
    await releaseLock(lock, 'second');
    expect(await lockOwner(lock)).toBe('first');
    await releaseLock(lock, 'first');
    expect(await takeLock(lock, 'second')).toBe(true);
  });

  it('has no owner where there is no lock, or something else in its place', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'b.lock'));
    expect(await lockOwner(path.join(folder, 'a.lock'))).toBe('');
    expect(await lockOwner(path.join(folder, 'b.lock'))).toBe('');
  });

  it('cannot be taken where there is no folder', async () => {
    const lock = path.join(temporaryFolder(), 'missing', 'a.lock');
    await expect(takeLock(lock, 'first')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
