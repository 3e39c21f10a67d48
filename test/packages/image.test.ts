import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { artefact, filesIn, filesWithMachinePath, run, version } from './release.ts';

describe('the container image', () => {
  it('runs mar as a user without rights', () => {
    const storage = temporaryFolder();
    // Works inside a container too, where CI may run.
    const folders = ['--root', `${storage}/root`, '--runroot', `${storage}/run`];
    const flags = [...folders, '--storage-driver=vfs'];
    const buildah = (...args: string[]) => run('buildah', [...flags, ...args]).trim();
    buildah('pull', `docker-archive:${artefact('image')}`);
    const container = buildah('from', '--pull-never', `localhost/mar:${version}`);
    const inside = (...args: string[]) =>
      buildah('run', '--isolation=chroot', container, '--', '/usr/bin/mar', ...args);
    expect(inside('--version')).toBe(version);
    expect(inside('config', 'set', 'pager', 'off')).toBe('pager is now off');
    const { config } = JSON.parse(buildah('inspect', '--format={{.Config}}', container));
    expect(config).toMatchObject({
      User: '65532:65532',
      Entrypoint: ['/usr/bin/mar'],
    });
    const mounted = buildah('mount', container);
    const settings = statSync(`${mounted}/home/mar/.config/mar/config.json`);
    expect(settings).toMatchObject({ uid: 65532, gid: 65532 });
  });

  it('contains the program, libraries, certificates and licences, and nothing of the machine', () => {
    const archive = temporaryFolder();
    run('tar', ['-C', archive, '-xf', artefact('image')]);
    const [{ Layers }] = JSON.parse(readFileSync(path.join(archive, 'manifest.json'), 'utf8'));
    const layer = path.join(archive, Layers[0]);
    const others = filesIn(run('tar', ['-tzf', layer])).filter(
      (name) => !/^usr\/(lib|lib64)\/.*\.so(\.[\w.]+)?$/.test(name),
    );
    expect(others).toEqual([
      'bin',
      'etc/group',
      'etc/passwd',
      'etc/ssl/certs/ca-certificates.crt',
      'lib',
      'lib64',
      'usr/bin/mar',
      'usr/share/doc/mar/copyright',
      'usr/share/doc/mar/notices.gz',
      'var/lib/dpkg/status.d/ca-certificates',
      'var/lib/dpkg/status.d/libc6',
      'var/lib/dpkg/status.d/libgcc-s1',
      'var/lib/dpkg/status.d/libstdc++6',
    ]);
    const files = temporaryFolder();
    run('tar', ['-C', files, '-xzf', layer]);
    expect(filesWithMachinePath(files)).toEqual([]);
  });
});
