import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A copy of what is committed and of what is not yet, as a repository of its own. */
function copy() {
  const folder = path.join(temporaryFolder(), 'copy');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root });
  execFileSync('mkdir', ['-p', folder]);
  execFileSync(
    'tar',
    ['-C', root, '--null', '-T', '-', '-cf', path.join(folder, '..', 'all.tar')],
    {
      input: files,
    },
  );
  execFileSync('tar', ['-C', folder, '-xf', path.join(folder, '..', 'all.tar')]);
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'all');
  const env = {
    ...process.env,
    GIT_AUTHOR_NAME: 't',
    GIT_AUTHOR_EMAIL: 't@t',
    GIT_COMMITTER_NAME: 't',
    GIT_COMMITTER_EMAIL: 't@t',
  };
  const release = (...args: string[]) =>
    execFileSync(process.execPath, ['scripts/release.mjs', ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  return { folder, git, release, read };
}

test.each([
  ['minor', '0.2.0'],
  ['1.0.0', '1.0.0'],
])(
  'the release %s sets the version, dates the changelog, commits and tags',
  (kind, version) => {
    const { folder, git, release, read } = copy();
    execFileSync('npm', ['version', '0.1.0', '--no-git-tag-version', '--allow-same-version'], {
      cwd: folder,
    });
    git('commit', '-qam', 'before', '--allow-empty');
    expect(release(kind)).toContain('git push --follow-tags');
    expect(JSON.parse(read('package.json')).version).toBe(version);
    expect(read('CHANGELOG.md')).toMatch(
      new RegExp(`^## \\[Unreleased\\]\n\n## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d\n`, 'm'),
    );
    expect(git('log', '-1', '--format=%s').trim()).toBe(`Release ${version}`);
    expect(git('tag', '--points-at', 'HEAD').trim()).toBe(`v${version}`);
    expect(git('status', '--porcelain')).toBe('');
  },
  60_000,
);

test('a release refuses changes that are not committed, and a kind that it does not know', () => {
  const { folder, release } = copy();
  for (const kind of ['huge', '1.0', 'v1.0.0']) {
    expect(() => release(kind)).toThrow('usage: npm run release');
  }
  writeFileSync(path.join(folder, 'README.md'), 'changed');
  expect(() => release('minor')).toThrow('uncommitted');
}, 60_000);
