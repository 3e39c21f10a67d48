import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../src/core/files/makeFolder.ts';
import { temporaryFolder } from '../../harness/mar.ts';

const modeOf = (folder: string) => statSync(folder).mode & 0o777;

describe('makeFolder', () => {
  it('makes a folder and its missing parents for their owner alone', () => {
    const base = temporaryFolder();
    makeFolder(path.join(base, 'a', 'b', 'c'));
    for (const each of ['a', 'a/b', 'a/b/c']) expect(modeOf(path.join(base, each))).toBe(0o700);
  });

  it('leaves a folder that is there unchanged', () => {
    const folder = path.join(temporaryFolder(), 'open');
    mkdirSync(folder, 0o755);
    makeFolder(folder);
    expect(modeOf(folder)).toBe(0o755);
  });

  it('follows a link to a folder', () => {
    const base = temporaryFolder();
    mkdirSync(path.join(base, 'real'));
    symlinkSync('real', path.join(base, 'link'));
    makeFolder(path.join(base, 'link', 'inner'));
    expect(statSync(path.join(base, 'real', 'inner')).isDirectory()).toBe(true);
  });

  it.each([
    ['below /proc', () => '/proc/x/y/z', 'ENOENT'],
    // Node 20 says ENOTDIR.
    ['below a device', () => '/dev/null/x', expect.stringMatching(/^(?:ENOTDIR|EEXIST)$/)],
    [
      'in place of a file',
      (base: string) => {
        writeFileSync(path.join(base, 'file'), '');
        return path.join(base, 'file');
      },
      'EEXIST',
    ],
    [
      'behind a link to nowhere',
      (base: string) => {
        symlinkSync('/nonexistent/folder', path.join(base, 'link'));
        return path.join(base, 'link', 'x');
      },
      'EEXIST',
    ],
  ])('fails %s', (_, place, code) => {
    const folder = place(temporaryFolder());
    expect(() => makeFolder(folder)).toThrow(expect.objectContaining({ code }));
  });
});
