import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { copyOfCheckout } from './checkout.ts';

/** A copy of what is committed and of what is not yet, as a repository of its own. */
function copy() {
  const folder = copyOfCheckout();
  const who = { GIT_AUTHOR_NAME: 't', GIT_AUTHOR_EMAIL: 't@t' };
  const env = { ...process.env, ...who, GIT_COMMITTER_NAME: 't', GIT_COMMITTER_EMAIL: 't@t' };
  const run = (file: string, ...args: string[]) =>
    execFileSync(file, args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
  const git = (...args: string[]) => run('git', ...args);
  const release = (kind: string) => run(process.execPath, 'scripts/release.mjs', kind);
  git('add', '-A');
  git('commit', '-qm', 'all');
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  return { folder, run, git, release, read };
}

test.each([
  ['minor', '0.2.0'],
  ['1.0.0', '1.0.0'],
])(
  'the release %s sets the version, dates the changelog, commits and tags',
  (kind, version) => {
    const { folder, run, git, release, read } = copy();
    run('npm', 'version', '0.1.0', '--no-git-tag-version', '--allow-same-version');
    // Neither a kind that it does not know nor changes that are not committed are released.
    for (const wrong of ['huge', '1.0', 'v1.0.0']) {
      expect(() => release(wrong)).toThrow('usage: npm run release');
    }
    writeFileSync(path.join(folder, 'README.md'), 'changed');
    expect(() => release(kind)).toThrow('uncommitted');
    git('commit', '-qam', 'before');
    expect(release(kind)).toContain('git push --follow-tags');
    expect(JSON.parse(read('package.json')).version).toBe(version);
    expect(read('CHANGELOG.md')).toMatch(
      new RegExp(`^## \\[Unreleased\\]\n\n## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d\n`, 'm'),
    );
    expect(read('docs/ci.md')).toContain(`./mar-cli-${version}.tgz`);
    expect(git('log', '-1', '--format=%s').trim()).toBe(`Release ${version}`);
    expect(git('tag', '--points-at', 'HEAD').trim()).toBe(`v${version}`);
    expect(git('status', '--porcelain')).toBe('');
  },
  60_000,
);
