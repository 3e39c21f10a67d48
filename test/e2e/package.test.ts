import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resources } from '../../src/core/api/endpoints.ts';
import { packedTarball } from '../harness/package.ts';

/* The package as npm would publish it. */
const installed = mkdtempSync(path.join(tmpdir(), 'mar-package-'));

beforeAll(() => {
  execFileSync('tar', ['-xzf', packedTarball(), '-C', installed, '--strip-components=1']);
});
afterAll(() => rmSync(installed, { recursive: true, force: true }));

it('contains man pages, schemas, and the licences of the packages inside it', async () => {
  const contents = (name: string) => readdirSync(path.join(installed, name)).sort();
  const { man } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  expect(contents('dist/man').map((file) => `dist/man/${file}`)).toEqual(man.sort());
  expect(contents('dist/man')).toContain('mar-wr-create.1');
  const page = readFileSync(path.join(installed, 'dist/man/mar-wr-create.1'), 'utf8');
  expect(page).toMatch(/^\.TH "MAR\\-WR\\-CREATE" 1 \d{4}-\d{2}-\d{2} "mar /m);
  const schemas = ['help', 'openapi', ...resources.map(({ name }) => name)];
  expect(contents('dist/schemas')).toEqual(schemas.map((name) => `${name}.json`).sort());
  const notices = readFileSync(path.join(installed, 'dist/notices.txt'), 'utf8');
  expect(notices).toMatch(/^commander \d+\.\d+\.\d+ \(MIT\)\n\n\(The MIT License\)/m);
});

it('has the pictures that its pages show', () => {
  const pages = [
    'README.md',
    ...readdirSync(path.join(installed, 'docs'), { recursive: true, encoding: 'utf8' }).map(
      (name) => `docs/${name}`,
    ),
  ].filter((name) => name.endsWith('.md'));
  const pictures = pages.flatMap((page) => {
    const text = readFileSync(path.join(installed, page), 'utf8');
    return [...text.matchAll(/!\[[^\]]*\]\(([^):]+)\)/g)].map(([, name = '']) =>
      path.join(installed, path.dirname(page), name),
    );
  });
  expect(pictures).toContain(path.join(installed, 'docs/sandbox/sandbox.png'));
  expect(pictures.filter((file) => !existsSync(file))).toEqual([]);
});

it('is a package that publint has nothing against', async () => {
  const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});
