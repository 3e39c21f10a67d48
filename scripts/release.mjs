// Commits and tags a release: `npm run release -- minor`, or `-- 1.0.0`. It publishes nothing, and prints
// the command that does.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const kinds = ['major', 'minor', 'patch'];
const kind = process.argv[2] ?? '';

/** @param {string[]} words */
const outputOf = ([command = '', ...args]) =>
  execFileSync(command, args, { encoding: 'utf8' }).trim();
/** @param {string[]} words */
const run = ([command = '', ...args]) => execFileSync(command, args, { stdio: 'inherit' });

/** @param {string} problem */
function stop(problem) {
  console.error(problem);
  process.exit(1);
}

if (!kinds.includes(kind) && !/^\d+\.\d+\.\d+$/.test(kind))
  stop(`usage: npm run release -- ${kinds.join('|')}|VERSION, such as 1.0.0`);
if (outputOf(['git', 'status', '--porcelain']))
  stop('there are uncommitted changes. Commit or stash them first');

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const unreleased = /^## \[Unreleased\]\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog)?.[1] ?? '';
if (!unreleased.trim())
  stop('CHANGELOG.md has nothing under [Unreleased]. Describe the changes there first');

const fileNames = /\b(mar(?:-cli)?[-_])\d+\.\d+\.\d+/g;
const version = outputOf(['npm', 'version', kind, '--no-git-tag-version']).replace(/^.*v/s, '');
const today = new Date().toISOString().slice(0, 10);
const heading = '## [Unreleased]';
writeFileSync(
  'CHANGELOG.md',
  changelog.replace(heading, `${heading}\n\n## [${version}] - ${today}`),
);
// The pages name the files of this version.
for (const page of outputOf(['git', 'ls-files', 'README.md', 'docs/*.md']).split('\n')) {
  const text = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    text.replaceAll(fileNames, (_, name) => `${name}${version}`),
  );
}
run(['git', 'commit', '--all', '--message', `Release ${version}`]);
run(['git', 'tag', '--annotate', `v${version}`, '--message', `mar ${version}`]);
console.log(`
mar ${version} is committed and tagged. When .ci/run passes, publish it:
  git push --follow-tags
The workflow in .github/workflows/release.yml then builds, publishes and installs everything.`);
