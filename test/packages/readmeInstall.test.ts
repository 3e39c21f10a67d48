import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../harness/package.ts';
import { artefacts, releaseFolder, run, version } from './release.ts';

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

/** The commands of the first blocks, and those of the table, for the files of this machine. */
const [first = '', second = ''] = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(
  ([, text]) => text,
);
const ofTable = [...readme.matchAll(/^\|[^|]*\| `((?:npm|apt) install [^`]*)`/gm)].map(
  ([, line = '']) => line.replace(/mar_\S+\.deb/, artefacts.deb),
);

/** Runs lines in a container: the files of this machine, over which all writes are forgotten. */
function inContainer(lines: readonly string[]): string {
  const prepare = [
    ...['set -eu', 'box=$(mktemp -d)', 'mount -t tmpfs tmpfs "$box"'],
    'mkdir "$box/upper" "$box/work" "$box/all"',
    'mount -t overlay overlay -o "lowerdir=/,upperdir=$box/upper,workdir=$box/work" "$box/all"',
    'mount -t proc proc "$box/all/proc"',
    'mount --rbind /dev "$box/all/dev"',
    'exec chroot "$box/all" bash -euc "$SCRIPT"',
  ];
  const flags = ['--mount', '--pid', '--fork', '--kill-child'];
  const SCRIPT = lines.join('\n');
  return run('unshare', [...flags, 'bash', '-c', prepare.join('\n')], { ...process.env, SCRIPT });
}

it('the installation in README works as it is written, from a checkout and from the files', () => {
  const clone = `git clone -q --no-local "${root}" /opt/checkout; cd /opt/checkout`;
  const isInstalled = `test "$(mar --version)" = ${version}`;
  // The last command replaces the shell, which would otherwise collect the sandbox when it ends.
  const checkout = inContainer([clone, first, isInstalled, second, 'mar --version']);
  expect(checkout).toContain('wr-2001');

  expect(ofTable).toHaveLength(2);
  for (const line of ofTable) {
    expect(
      inContainer([`cd "${releaseFolder}"`, line, isInstalled, 'mar asset get --help']),
    ).toContain('asset');
  }
});
