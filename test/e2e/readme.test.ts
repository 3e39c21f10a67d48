import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from '../../src/program/parse.ts';
import { marCalls } from '../harness/marCalls.ts';
import { docPages, readPage, root, testCommandsOf } from '../harness/pageCommands.ts';

testCommandsOf(['README.md']);

/** The headings of a page as GitHub links to them. */
const anchorsOf = (page: string) =>
  [...readPage(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

const forDevelopers = ['CONTRIBUTING.md', 'docs/decisions.md', 'docs/packaging.md'];
const forUsers = ['README.md', ...docPages].filter(
  (page) => !/(commands|decisions)\.md$/.test(page),
);
const written = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...docPages];

describe('the pages', () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\n');

  it.each(written)('%s links only to what exists', (page) => {
    const links = [...readPage(page).matchAll(/\]\((?!https:)([^)#]*)(?:#([^)]*))?\)/g)];
    for (const [link, file, anchor] of links) {
      const target = file ? path.posix.join(path.posix.dirname(page), file) : page;
      expect(files, link).toContain(target);
      if (anchor) expect(anchorsOf(target), link).toContain(anchor);
    }
  });

  it.each(forDevelopers)('%s names only files that exist', (page) => {
    const names = [...readPage(page).matchAll(/(?<![\w./<>*-])[\w./-]+\.(?:[mc]?[jt]s|md)\b/g)]
      .map(([name]) => name)
      // Written by the build; projects of others.
      .filter((name) => !/^dist\/|^(?:web)?vtt\.js$/.test(name));
    expect(names.length).toBeGreaterThan(5);
    const missing = names.filter(
      (name) => !files.some((file) => `/${file}`.endsWith(`/${name.replace(/^\.+\//, '')}`)),
    );
    expect(missing).toEqual([]);
  });

  it.each(forUsers)('%s has tables of commands that mar understands', async (page) => {
    const rows = readPage(page).match(/^\|.*/gm) ?? [];
    const commands = rows.flatMap((row) => row.match(/(?<=`)mar [^`…]*(?=`)/g) ?? []);
    for (const call of commands.flatMap(marCalls)) {
      expect((await parse(call)).kind, call.join(' ')).toBe('run');
    }
  });

  it('have workflows that GitHub starts', () => {
    const blocks = docPages.flatMap(
      (page) => readPage(page).match(/^```yaml\n[\s\S]*?^```/gm) ?? [],
    );
    const workflows = blocks.filter((block) => block.includes('# .github/workflows/'));
    expect(workflows).not.toEqual([]);
    for (const workflow of workflows) expect(workflow).toMatch(/^on:/m);
  });

  it.each(forUsers.filter((page) => !forDevelopers.includes(page)))(
    '%s names the files of this version, and has nothing to fill in',
    (page) => {
      const { version } = JSON.parse(readPage('package.json'));
      const text = readPage(page);
      const named = [...text.matchAll(/\bmar(?:-cli)?[-_](\d+\.\d+\.\d+)/g)];
      expect(new Set([version, ...named.map(([, one]) => one)])).toEqual(new Set([version]));
      expect(text).not.toMatch(/\b(?:OWNER|REPOSITORY|VERSION)\b/);
    },
  );

  it('can each be read in one sitting', () => {
    const words = (page: string) => readPage(page).match(/\S*[^\s|:-]\S*/g)?.length ?? 0;
    expect(forUsers.filter((page) => words(page) > 1200)).toEqual([]);
  });

  it('are all in the index', () => {
    const index = readPage('docs/README.md');
    const others = docPages.filter((page) => page !== 'docs/README.md');
    for (const page of others) expect(index).toContain(`(${path.posix.relative('docs', page)})`);
  });

  it('start with a README that explains how to try a clone, and how to test one', () => {
    const page = readPage('README.md');
    const [top = ''] = page.split(/^## /m, 1);
    expect(top.split('\n')).toContain('npm ci && npm run demo');
    const [, contributing = ''] = page.split('\n## Contributing\n');
    expect(contributing.split('\n')).toContain('npm ci && npm test');
  });
});
