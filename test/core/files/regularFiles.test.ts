import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendToFile, readRegularFile } from '../../../src/core/files/regularFile.ts';
import { temporaryFolder } from '../../harness/mar.ts';

const fifo = (file: string) => execFileSync('mkfifo', [file]);

describe('readRegularFile', () => {
  it('reads a file, through a link as well', () => {
    const file = path.join(temporaryFolder(), 'a');
    writeFileSync(file, 'ä');
    symlinkSync(file, `${file}.link`);
    expect(readRegularFile(file).toString()).toBe('ä');
    expect(readRegularFile(`${file}.link`).toString()).toBe('ä');
  });

  it.each([
    ['a folder', mkdirSync],
    ['a FIFO that nobody writes to', fifo],
  ])('refuses %s', (_, put) => {
    const file = path.join(temporaryFolder(), 'a');
    put(file);
    expect(() => readRegularFile(file)).toThrow(expect.objectContaining({ kind: 'usage' }));
  });

  it('fails as the system does where there is no file', () => {
    expect(() => readRegularFile('/nonexistent/a')).toThrow(
      expect.objectContaining({ code: 'ENOENT' }),
    );
  });
});

describe('appendToFile', () => {
  it('adds to the end, and returns the size', () => {
    const file = path.join(temporaryFolder(), 'a');
    expect(appendToFile(file, 'ä\n').size).toBe(3);
    expect(appendToFile(file, 'b\n').size).toBe(5);
    expect(readFileSync(file, 'utf8')).toBe('ä\nb\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['a folder', mkdirSync],
    ['a FIFO that nobody reads', fifo],
    ['a link', (file: string) => symlinkSync('/dev/null', file)],
  ])('refuses %s', (_, put) => {
    const file = path.join(temporaryFolder(), 'a');
    put(file);
    expect(() => appendToFile(file, 'text')).toThrow(expect.objectContaining({ kind: 'usage' }));
  });
});
