import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withLock } from '../../../src/core/files/lock.ts';
import { temporaryFolder } from '../../harness/mar.ts';

const newLock = () => path.join(temporaryFolder(), 'a.lock');

describe('a lock', () => {
  it('is left alone once another process has taken it over', async () => {
    const lock = newLock();
    await withLock(lock, async () => writeFileSync(lock, 'another process'));
    expect(readFileSync(lock, 'utf8')).toBe('another process');
  });

  it('may be removed in the meantime', async () => {
    const lock = newLock();
    expect(await withLock(lock, async () => rmSync(lock))).toBe(undefined);
    expect(existsSync(lock)).toBe(false);
  });

  it.each([
    ['killed before it wrote its name', ''],
    ['cut off with the power', '\0\0\0'],
  ])('of a process that was %s is taken over', async (_, content) => {
    const lock = newLock();
    writeFileSync(lock, content);
    expect(await withLock(lock, async () => 'mine')).toBe('mine');
    expect(existsSync(lock)).toBe(false);
  });
});
