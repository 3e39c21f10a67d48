// Debian's packages of the libraries that Node needs, and of the CA certificates.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { run } from './files.mjs';

const names = ['libc6', 'libgcc-s1', 'libstdc++6', 'ca-certificates'];

/**
 * Downloads the current packages for an architecture. apt checks Debian's signature. It gets lists of its
 * own, so that the architectures of this machine stay as they are.
 * @param {string} architecture
 * @returns {Map<string, string>} the file of each package
 */
export function fetchDebianPackages(architecture) {
  const folder = path.resolve('build/cache', `debian-${architecture}`);
  const packages = path.join(folder, 'packages');
  rmSync(packages, { recursive: true, force: true });
  for (const name of [packages, `${folder}/lists/partial`, `${folder}/archives/partial`])
    mkdirSync(name, { recursive: true });
  const settings = {
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    'APT::Sandbox::User': 'root',
    'Dir::State::Lists': `${folder}/lists`,
    'Dir::State::Status': '/dev/null',
    'Dir::Cache': `${folder}/archives`,
  };
  const flags = Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  run('apt-get', ['-qq', ...flags, 'update']);
  run('apt-get', ['-qq', ...flags, 'download', ...names], { cwd: packages });
  return new Map(
    readdirSync(packages)
      .sort()
      .map((file) => [file.split('_')[0] ?? '', path.join(packages, file)]),
  );
}
