// Makes a release of what is committed: `npm run release -- minor`. Nothing leaves this machine; the
// last line says what does.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const kinds = ['major', 'minor', 'patch'];
const kind = process.argv[2] ?? '';

/** @param {string[]} words */
const output = ([command = '', ...args]) =>
  execFileSync(command, args, { encoding: 'utf8' }).trim();
/** @param {string[]} words */
const run = ([command = '', ...args]) => execFileSync(command, args, { stdio: 'inherit' });

/** @param {string} problem */
function stop(problem) {
  console.error(problem);
  process.exit(1);
}

if (!kinds.includes(kind)) stop(`which kind of release? npm run release -- ${kinds.join('|')}`);
if (output(['git', 'status', '--porcelain'])) stop('there are changes that are not committed');

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const unreleased = /^## \[Unreleased\]\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog)?.[1] ?? '';
if (!unreleased.trim()) stop('CHANGELOG.md has nothing under [Unreleased]');

const version = output(['npm', 'version', kind, '--no-git-tag-version']).replace(/^.*v/s, '');
const today = new Date().toISOString().slice(0, 10);
const heading = '## [Unreleased]';
writeFileSync(
  'CHANGELOG.md',
  changelog.replace(heading, `${heading}\n\n## [${version}] - ${today}`),
);
// The version stands in the man pages and in the OpenAPI document.
run(['npm', 'run', 'generate']);
run(['git', 'commit', '--all', '--message', `Release ${version}`]);
run(['git', 'tag', '--annotate', `v${version}`, '--message', `mar ${version}`]);
console.log(`
mar ${version} is committed and tagged. Once .ci/run passes on it:
  git push --follow-tags
  npm publish
  npm run build:binary    and attach build/mar to the release`);
