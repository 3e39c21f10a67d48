import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resources } from '../../src/api/endpoints.ts';
import { packedTarball, root } from '../harness/package.ts';
import { isolated, startService } from '../harness/service.ts';

/*
 * The package as npm would publish it, put into an empty folder with nothing beside it.
 */
const run = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), 'mar-library-'));
const installed = path.join(folder, 'node_modules', 'mar-cli');
let tarball = '';

beforeAll(async () => {
  tarball = packedTarball();
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script beside the package. */
async function node(name: string, source: string, env: Record<string, string> = {}) {
  writeFileSync(path.join(folder, name), source);
  return run(process.execPath, [name], { cwd: folder, env: isolated(env) });
}

it('does what its page shows, as it is written there', async () => {
  const { baseUrl, account } = await startService();
  const page = readFileSync(path.join(root, 'docs/library.md'), 'utf8');
  const [use = '', failure = '', check = ''] = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(
    ([, code]) => code,
  );
  const close = 'client.close();';
  const script = `${use.replace(close, '')}${failure}${check}${close}`
    .replace('https://media.example/api', baseUrl)
    .replace('me@studio.example', account.MAR_EMAIL);
  const more = 'console.log(String(new MarError("usage", "wrong")));';
  const { stdout } = await node('page.mjs', script + more, { MAR_TOKEN: account.MAR_TOKEN });
  const [asset, request, ...files] = stdout.trim().split('\n');
  expect(files.pop()).toBe('MarError: wrong');
  expect(asset).toBe('The Harbor Light – Trailer A');
  expect(request).toMatch(/^\w+$/);
  expect(files.length).toBeGreaterThan(100);
});

it('can be required, too', async () => {
  const { stdout, stderr } = await node('use.cjs', `console.log(Object.keys(require('mar-cli')))`);
  expect(stdout).toContain('createClient');
  expect(stderr.replace(/^.*ExperimentalWarning[\s\S]*$/m, '')).toBe('');
});

it('has types that hold for who uses it, with nothing else installed', async () => {
  const check = async (source: string) => {
    writeFileSync(path.join(folder, 'use.mts'), source);
    const checks = '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck false';
    const libraries = ['--lib', 'es2023,dom', '--types', '', '--module', 'nodenext'];
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const argv = [tsc, ...checks.split(' '), ...libraries, 'use.mts'];
    return run(process.execPath, argv, { cwd: folder }).then(
      () => '',
      ({ stdout }) => stdout,
    );
  };
  const used = `
    import { createClient, endpoints, type Asset, MarError } from 'mar-cli';
    const client = createClient({ baseUrl: 'https://media.example/api', email: 'a@b', token: 't' });
    export const asset: Asset = (await client.call(endpoints.assetGet, { id: 'a-1' })).value;
    for await (const { records } of client.pages(endpoints.downloadList, { query: { q: 'x' } })) {
      const names: (string | undefined)[] = records.map(({ value }) => value.file?.name);
    }
    export const kind = (error: MarError) => error.kind === 'not-found';
  `;
  expect(await check(used)).toBe('');
  const wrong = used.replace("{ id: 'a-1' }", '{ id: 1 }').replace('{ q:', '{ colour:');
  expect((await check(wrong)).match(/error TS/g)).toHaveLength(2);
  expect(await check(`import { usageError } from 'mar-cli';`)).toContain('not exported');
});

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

it('is a package that publint has nothing against', async () => {
  const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

it('resolves to the right types, whoever asks', async () => {
  const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  if (!result.types) return expect.fail('it has no types');
  // CommonJS gets an ES module, which every Node that runs this can require; node10 knows no exports.
  const expected = ['CJSResolvesToESM'];
  const problems = result.problems.filter(
    (problem) =>
      !expected.includes(problem.kind) &&
      !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
  );
  expect(problems).toEqual([]);
});
