// The .deb: the one-file program, its man pages, and completions for three shells.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { copyright, notices } from './copyright.mjs';
import { commitTime, gzip, run, writeBelow } from './files.mjs';
import { fillTemplate } from './templates.mjs';

/**
 * @param {object} parts
 * @param {import('./systems.mjs').System} parts.system
 * @param {import('./bundle.mjs').Bundle} parts.bundle
 * @param {string} parts.program
 * @param {{ version: string, site: string, host: string }} parts.release
 * @param {string} parts.output
 */
export function makeDeb({ system, bundle, program, release, output }) {
  const root = path.resolve('build/package', `deb-${system.name}`);
  rmSync(root, { recursive: true, force: true });
  writeBelow(root, {
    'usr/share/bash-completion/completions/mar': readFileSync('completions/mar.bash'),
    'usr/share/zsh/vendor-completions/_mar': readFileSync('completions/_mar'),
    'usr/share/fish/vendor_completions.d/mar.fish': readFileSync('completions/mar.fish'),
    'usr/share/doc/mar/copyright': copyright(system, bundle),
    'usr/share/doc/mar/notices.gz': gzip(notices(system, bundle)),
    'usr/share/doc/mar/changelog.gz': gzip(
      fillTemplate('debian-changelog', {
        ...release,
        date: run('date', ['-uR', `-d@${commitTime}`])
          .toString()
          .trim(),
      }),
    ),
    'usr/share/lintian/overrides/mar': fillTemplate('lintian-overrides', {}),
    ...manPages(),
  });
  mkdirSync(path.join(root, 'usr/bin'), { recursive: true });
  copyFileSync(program, path.join(root, 'usr/bin/mar'));
  const installedKb = run('du', ['-sk', '--apparent-size', root]).toString().split('\t')[0];
  writeBelow(root, {
    'DEBIAN/md5sums': checksums(root),
    'DEBIAN/control': fillTemplate('debian-control', {
      ...release,
      architecture: system.debian ?? '',
      installedKb: installedKb ?? '',
    }),
  });
  run('chmod', ['-R', 'u=rwX,go=rX', root]);
  // More than one thread would cut the content where this machine's number of cores says.
  const flags = ['--root-owner-group', '--threads-max=1', '-Zxz', '-z1'];
  run('dpkg-deb', [...flags, '--build', root, output]);
}

const manPages = () =>
  Object.fromEntries(
    readdirSync('dist/man').map((name) => [
      `usr/share/man/man1/${name}.gz`,
      gzip(readFileSync(path.join('dist/man', name))),
    ]),
  );

/** @param {string} root */
const checksums = (root) =>
  run('sh', ['-c', 'find usr -type f -print0 | sort -z | xargs -0 md5sum'], { cwd: root });
