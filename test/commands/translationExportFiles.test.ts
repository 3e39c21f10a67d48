import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  fillTemplate,
  safeName,
  writeNamedFile,
} from '../../src/commands/translation/exportFiles.ts';
import { temporaryFolder } from '../harness/mar.ts';

describe('a file name from service values', () => {
  it.each([
    ['The Harbor Light – Trailer A', 'The Harbor Light – Trailer A'],
    ['狐の嫁入り', '狐の嫁入り'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['..', '_'],
    ['.', '_'],
    ['', '_'],
    ['/etc/passwd', '_etc_passwd'],
    ['C:\\Windows', 'C_Windows'],
    ['a:b*c?"<>|', 'a_b_c_'],
    ['con', '_con'],
    ['NUL.txt', '_NUL.txt'],
    ['com1', '_com1'],
    ['.bashrc', 'bashrc'],
    ['-rf', 'rf'],
    ['name. ', 'name'],
    ['a\u0000b\nc\u001b[31m', 'a_b_c_[31m'],
    ['a\u202egnp.exe', 'a_gnp.exe'],
    ['e\u0301', 'é'],
  ])('%j becomes %j', (name, safe) => {
    expect(safeName(name)).toBe(safe);
  });

  it('is cut to 80 bytes between two characters', () => {
    const name = safeName('漢'.repeat(200));
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(80);
    expect(name).toMatch(/^漢+$/);
  });

  it('stays in the folder of the template', () => {
    const name = fillTemplate('out/{project}/{id}.srt', { project: '..', id: '../../x' });
    expect(path.normalize(name)).toBe(path.join('out', '_', '_.._x.srt'));
  });
});

describe('writing a named file', () => {
  it('replaces the whole file and keeps its mode', async () => {
    const file = path.join(temporaryFolder(), 'a.srt');
    writeFileSync(file, 'old', { mode: 0o640 });
    const { ino } = statSync(file);
    await writeNamedFile(file, 'new');
    // A new file took its place, so it was never half written.
    expect(statSync(file).ino).not.toBe(ino);
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(path.dirname(file))).toEqual(['a.srt']);
  });

  it('writes the target of a symbolic link and keeps the link', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'real.srt'), 'old');
    symlinkSync('real.srt', path.join(folder, 'link.srt'));
    await writeNamedFile(path.join(folder, 'link.srt'), 'new');
    expect(readFileSync(path.join(folder, 'real.srt'), 'utf8')).toBe('new');
    expect(lstatSync(path.join(folder, 'link.srt')).isSymbolicLink()).toBe(true);
  });

  it('writes to a device instead of replacing it', async () => {
    await writeNamedFile('/dev/null', 'text');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('names a file that cannot be written, and leaves nothing behind', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'a.srt'));
    await expect(writeNamedFile(path.join(folder, 'a.srt'), 'text')).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('a.srt'),
    });
    await expect(writeNamedFile(path.join(folder, 'no', 'b.srt'), 'text')).rejects.toMatchObject({
      kind: 'usage',
      message: `cannot write ${folder}/no/b.srt: no such folder`,
    });
    expect(readdirSync(folder)).toEqual(['a.srt']);
    expect(existsSync(path.join(folder, 'no'))).toBe(false);
  });
});
