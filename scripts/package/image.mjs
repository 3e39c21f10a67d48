// The container image: an archive that `docker load`, `podman load` and `buildah pull` read. It has the
// one-file program, the libraries that it needs from Debian, CA certificates, and a user without rights.
import { copyFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { copyright, notices } from './copyright.mjs';
import { fetchDebianPackages } from './debianPackages.mjs';
import { gzip, run, tarFlags, writeBelow } from './files.mjs';
import { writeImageArchive } from './imageArchive.mjs';

/** The id of the user and of the group, the same as in Google's images without a shell. */
const userId = '65532';
const home = 'home/mar';

/**
 * @param {object} parts
 * @param {import('./systems.mjs').System} parts.system
 * @param {import('./bundle.mjs').Bundle} parts.bundle
 * @param {string} parts.program
 * @param {{ version: string, description: string }} parts.release
 * @param {string} parts.output
 */
export async function makeImage({ system, bundle, program, release, output }) {
  const folder = path.resolve('build/package', `image-${system.name}`);
  rmSync(folder, { recursive: true, force: true });
  const root = path.join(folder, 'root');
  extractLibraries(root, system);
  copyFileSync(program, path.join(root, 'usr/bin/mar'));
  writeBelow(root, {
    'usr/share/doc/mar/copyright': copyright(system, bundle),
    'usr/share/doc/mar/notices.gz': gzip(notices(system, bundle)),
    'etc/passwd': `root:x:0:0:root:/root:/none\nmar:x:${userId}:${userId}:mar:/${home}:/none\n`,
    'etc/group': `root:x:0:\nmar:x:${userId}:\n`,
  });
  const layer = path.join(folder, 'layer.tar');
  writeLayer(root, layer);
  await writeImageArchive({
    layer,
    folder: path.join(folder, 'archive'),
    architecture: system.debian ?? '',
    version: release.version,
    description: release.description,
    config: {
      User: `${userId}:${userId}`,
      Env: ['PATH=/usr/bin', `HOME=/${home}`],
      Entrypoint: ['/usr/bin/mar'],
      WorkingDir: `/${home}`,
    },
    output,
  });
}

/**
 * @param {string} root
 * @param {import('./systems.mjs').System} system
 */
function extractLibraries(root, system) {
  for (const name of ['bin', 'lib', 'lib64']) {
    mkdirSync(path.join(root, 'usr', name), { recursive: true });
    symlinkSync(`usr/${name}`, path.join(root, name));
  }
  const packages = fetchDebianPackages(system.debian ?? '');
  for (const [name, file] of packages) {
    const files = { input: run('dpkg-deb', ['--fsys-tarfile', file]) };
    if (name === 'ca-certificates') {
      const certificates = run('tar', ['-xO', '--wildcards', '*.crt'], files);
      writeBelow(root, { 'etc/ssl/certs/ca-certificates.crt': certificates });
    } else {
      const unneeded = ['./usr/share', './etc', '*/gconv', '*/audit'];
      const excluded = unneeded.map((pattern) => `--exclude=${pattern}`);
      run('tar', ['-C', root, '-x', '--keep-directory-symlink', ...excluded], files);
    }
    // Tools that look for known vulnerabilities read the versions here.
    const control = run('dpkg-deb', ['--field', file]);
    writeBelow(root, { [`var/lib/dpkg/status.d/${name}`]: control });
  }
}

/**
 * Everything belongs to root, except the user's own folders.
 * @param {string} root
 * @param {string} layer
 */
function writeLayer(root, layer) {
  const asRoot = ['--owner=0', '--group=0', '--mode=u=rwX,go=rX'];
  run('tar', [...tarFlags, ...asRoot, '-C', root, '-cf', layer, '.']);
  for (const folder of [home, 'tmp']) mkdirSync(path.join(root, folder), { recursive: true });
  const asUser = [`--owner=${userId}`, `--group=${userId}`, '--mode=0755'];
  run('tar', [...tarFlags, ...asUser, '-C', root, '-rf', layer, `./${home}`]);
  const forAll = ['--owner=0', '--group=0', '--mode=1777'];
  run('tar', [...tarFlags, ...forAll, '-C', root, '-rf', layer, './tmp']);
}
