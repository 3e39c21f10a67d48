import {
  lstatSync,
  mkdirSync,
  promises,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { replaceFile } from '../../../src/core/files/replaceFile.ts';
import { temporaryFolder } from '../../harness/mar.ts';

const modeOf = (file: string) => lstatSync(file).mode & 0o777;

describe('replaceFile', () => {
  it('writes a new file for its owner alone, and leaves nothing beside it', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'a.json');
    await replaceFile(file, 'text', { sync: true });
    expect(readFileSync(file, 'utf8')).toBe('text');
    expect(modeOf(file)).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('writes bytes unchanged', async () => {
    const file = path.join(temporaryFolder(), 'a');
    await replaceFile(file, Buffer.from([0, 255]));
    expect([...readFileSync(file)]).toEqual([0, 255]);
  });

  it('takes the place of a link, and does not write through it', async () => {
    const folder = temporaryFolder();
    const [victim, link] = [path.join(folder, 'victim'), path.join(folder, 'link')];
    writeFileSync(victim, 'precious');
    symlinkSync(victim, link);
    await replaceFile(link, 'text');
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(lstatSync(link).isFile()).toBe(true);
  });

  it('leaves nothing behind where it fails', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'taken');
    mkdirSync(file);
    await expect(replaceFile(file, 'text')).rejects.toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(folder)).toEqual(['taken']);
    await expect(replaceFile(path.join(folder, 'no', 'a'), 'text')).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  it('keeps the old content when what writes the new one fails', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'a');
    writeFileSync(file, 'old');
    async function* failing() {
      yield 'half';
      throw new Error('the input ended');
    }
    await expect(replaceFile(file, failing())).rejects.toThrow('the input ended');
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('waits for a program that has the file open, as Windows needs it', async () => {
    const file = path.join(temporaryFolder(), 'a');
    writeFileSync(file, 'old');
    const inUse = Object.assign(new Error('in use'), { code: 'EPERM' });
    const rename = vi.spyOn(promises, 'rename').mockRejectedValueOnce(inUse);
    onTestFinished(() => rename.mockRestore());
    await replaceFile(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
  });
});
