import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { artefact, filesIn, filesWithMachinePath, minimalRoot, run, version } from './release.ts';

const dependencies = ['libc6', 'libgcc-s1', 'libstdc++6'];

/** A root folder in which Debian's package manager knows the dependencies, at this machine's versions. */
function debianRoot(): string {
  const root = minimalRoot(dependencies);
  const database = path.join(root, 'var/lib/dpkg');
  for (const name of ['info', 'updates', 'triggers'])
    mkdirSync(path.join(database, name), { recursive: true });
  const format = [
    `Package: \${Package}`,
    'Status: install ok installed',
    'Maintainer: nobody',
    `Architecture: \${Architecture}`,
    `Version: \${Version}`,
    'Description: none',
    '\n',
  ].join('\n');
  writeFileSync(
    path.join(database, 'status'),
    run('dpkg-query', ['--show', `--showformat=${format}`, ...dependencies]),
  );
  return root;
}

describe('the .deb', () => {
  it('installs, runs, and leaves nothing when it is removed', () => {
    const root = debianRoot();
    const before = readdirSync(root, { recursive: true }).filter((name) => !/dpkg/.test(`${name}`));
    run('dpkg', [`--root=${root}`, '--install', artefact('deb')]);
    const env = { PATH: process.env.PATH, HOME: '/home' };
    expect(run('chroot', [root, '/usr/bin/mar', '--version'], env)).toBe(`${version}\n`);
    run('dpkg', [`--root=${root}`, '--purge', 'mar']);
    const after = readdirSync(root, { recursive: true }).filter((name) => !/dpkg/.test(`${name}`));
    expect(after.sort()).toEqual(before.sort());
  });

  it('contains the program, man pages, completions and licences, and nothing of the machine', () => {
    const folder = temporaryFolder();
    run('dpkg-deb', ['--extract', artefact('deb'), folder]);
    const files = filesIn(run('find', [folder, '-type', 'f', '-printf', '%P\n']));
    expect(files.filter((name) => !name.startsWith('usr/share/man/man1/mar'))).toEqual([
      'usr/bin/mar',
      'usr/share/bash-completion/completions/mar',
      'usr/share/doc/mar/changelog.gz',
      'usr/share/doc/mar/copyright',
      'usr/share/doc/mar/notices.gz',
      'usr/share/fish/vendor_completions.d/mar.fish',
      'usr/share/lintian/overrides/mar',
      'usr/share/zsh/vendor-completions/_mar',
    ]);
    expect(files).toContain('usr/share/man/man1/mar-wr-create.1.gz');
    expect(filesWithMachinePath(folder)).toEqual([]);
  });

  it('depends on the oldest libraries that its program runs with', () => {
    const symbols = run('objdump', ['-p', artefact('program')]);
    const versions = (name: string) =>
      [...symbols.matchAll(new RegExp(`\\b${name}_([\\d.]+)$`, 'gm'))]
        .map(([, one = '']) => one)
        .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    expect(versions('GLIBC').at(-1)).toBe('2.28');
    // Came with GCC 5.
    expect(versions('GLIBCXX').at(-1)).toBe('3.4.21');
    expect(run('dpkg-deb', ['--field', artefact('deb'), 'Depends']).trim()).toBe(
      'libc6 (>= 2.28), libgcc-s1 (>= 3.4), libstdc++6 (>= 5.2)',
    );
  });

  it('passes lintian', () => {
    // Two checks that take most of the time look for typing errors in Node.
    const slow = '--dont-check-part=binaries/spelling,files/contents';
    const flags = [slow, '--fail-on=error,warning', '--allow-root', '--no-cfg'];
    expect(run('lintian', [...flags, artefact('deb')])).toBe('');
  });
});
