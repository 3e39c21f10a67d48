import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { afterAll, describe, expect, it, test } from 'vitest';
import { isOwnTree } from '../../bin/compiled.js';
import { listService } from '../harness/listService.ts';
import { filesBelow, temporaryFolder } from '../harness/mar.ts';
import { runProgram } from '../harness/program.ts';
import { isolated } from '../harness/service.ts';

/** A run that needs no service, with a folder of its own for compiled code. */
async function help(cache: string, env: Record<string, string> = {}) {
  const outcome = await runProgram(['asset', '--help'], isolated({ MAR_CACHE_DIR: cache, ...env }));
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout).toContain('mar asset get');
}

test('what was compiled for a list is kept, for its owner alone, and used by the next run', async () => {
  const service = await listService({ size: 20 });
  const cache = path.join(temporaryFolder(), 'cache');
  const env = isolated({ ...service.env, MAR_CACHE_DIR: cache });
  const inodes = async () => {
    const outcome = await runProgram(['file', 'list', '--all', '--page-size', '5'], env);
    expect(outcome.code).toBe(0);
    return filesBelow(cache).map((file) => statSync(file).ino);
  };
  const first = await inodes();
  expect(first.length).toBeGreaterThan(1);
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  expect(await inodes()).toEqual(first);
});

test('a relative XDG_CACHE_HOME is ignored', async () => {
  const env = isolated({ XDG_CACHE_HOME: 'cache', MAR_CACHE_DIR: '' });
  await runProgram(['asset', '--help'], env);
  expect(existsSync('cache')).toBe(false);
  expect(filesBelow(path.join(env.HOME ?? '', '.cache', 'mar')).length).toBeGreaterThan(1);
});

test('compiled code that was damaged is compiled again', async () => {
  const cache = temporaryFolder();
  await help(cache);
  const flipMiddle = (file: string) => {
    const bytes = readFileSync(file);
    const middle = bytes.length >> 1;
    bytes[middle] = 255 - (bytes[middle] ?? 0);
    writeFileSync(file, bytes);
  };
  const cutOff = (file: string) => truncateSync(file, 3);
  const replace = (file: string) => writeFileSync(file, 'not compiled code at all');
  for (const damage of [flipMiddle, cutOff, replace]) {
    for (const file of filesBelow(cache)) damage(file);
    await help(cache);
  }
});

test('without a folder that can be used, it runs all the same', async () => {
  await help('/dev/null/cache');
  await help('', { HOME: '', XDG_CACHE_HOME: '' });
  const cache = temporaryFolder();
  await help(cache, { NODE_DISABLE_COMPILE_CACHE: '1' });
  // Others may write to it.
  chmodSync(cache, 0o777);
  await help(cache);
  expect(filesBelow(cache)).toEqual([]);
});

// From Node 22 on, Node reads compiled code itself: the last test shows what it is given.
const isReadByLoader = Number.parseInt(process.versions.node, 10) < 22;

describe.runIf(isReadByLoader)('compiled code that somebody else may have written', () => {
  const isRoot = process.getuid?.() === 0;
  const nobody = 65534;

  const linkElsewhere = (file: string) => {
    renameSync(file, `${file}.elsewhere`);
    symlinkSync(`${file}.elsewhere`, file);
  };
  const above = (file: string) => path.join(file, '../../../..');
  const foreign: [string, (file: string) => void][] = [
    ['in a file that others may write', (file) => chmodSync(file, 0o622)],
    ['in a folder that others may write', (file) => chmodSync(path.dirname(file), 0o777)],
    ['in a folder that its group may write', (file) => chmodSync(path.dirname(file), 0o770)],
    ['in a folder above that others write', (file) => chmodSync(path.join(file, '../..'), 0o777)],
    ['behind a link', linkElsewhere],
    ['in a folder behind a link', (file) => linkElsewhere(path.dirname(file))],
    ['below a folder in which others may put another one', (file) => chmodSync(above(file), 0o777)],
  ];
  const owned: typeof foreign = [
    ['in a file of another user', (file) => chownSync(file, nobody, nobody)],
    ['in a folder of another user', (file) => chownSync(path.dirname(file), nobody, nobody)],
    ['below a folder of another user', (file) => chownSync(above(file), nobody - 1, nobody - 1)],
  ];

  const folder = mkdtempSync(path.join(tmpdir(), 'mar-compiled-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** A cache in which the code of the program prints a word in place of the help. */
  async function plant(): Promise<{ cache: string; file: string }> {
    const compiled = path.join(folder, 'cache');
    if (!existsSync(compiled)) await help(compiled);
    const cache = path.join(temporaryFolder(), 'cache');
    execFileSync('cp', ['-a', compiled, cache]);
    const main = readFileSync(new URL('../../dist/main.js', import.meta.url), 'utf8');
    const name = main.slice(2, main.indexOf('\n'));
    const file = filesBelow(cache).find((one) => path.basename(one) === name) ?? '';
    writeFileSync(file, compiledInsteadOf(main));
    return { cache, file };
  }

  async function run(cache: string) {
    const env = isolated({ MAR_CACHE_DIR: cache });
    return runProgram(['asset', '--help'], env);
  }

  it('is a danger: V8 holds it against no more than the length of its source', async () => {
    const { cache } = await plant();
    expect((await run(cache)).stdout).toBe('planted\n');
  });

  it.each(isRoot ? [...foreign, ...owned] : foreign)('is not run: %s', async (_, expose) => {
    const { cache, file } = await plant();
    expose(file);
    const { code, stdout } = await run(cache);
    expect(stdout).toContain('mar asset get');
    expect(code).toBe(0);
  });

  it('is replaced', async () => {
    const { cache, file } = await plant();
    chmodSync(file, 0o666);
    const planted = readFileSync(file);
    await run(cache);
    expect(readFileSync(file).equals(planted)).toBe(false);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

test('a folder is not given to Node if one file in it is not the own', () => {
  const folder = temporaryFolder();
  const ofNode = path.join(folder, 'v22.0.0-arm64-12345678-0');
  mkdirSync(ofNode);
  const file = path.join(ofNode, '1a2b3c4d');
  writeFileSync(file, 'code', { mode: 0o600 });
  // The mode that Node leaves with a umask of 0.
  chmodSync(ofNode, 0o777);
  expect(isOwnTree(folder)).toBe(true);
  expect(statSync(ofNode).mode & 0o777).toBe(0o700);
  chmodSync(file, 0o602);
  expect(isOwnTree(folder)).toBe(false);
  chmodSync(file, 0o600);
  symlinkSync(file, path.join(ofNode, '5e6f7a8b'));
  expect(isOwnTree(folder)).toBe(false);
});

/** Compiled code as bin/loader.js keeps it, of another program of the same length. */
function compiledInsteadOf(source: string): Buffer {
  const begin = '(function(exports,require,module,__filename,__dirname){';
  const planted = `${begin}console.log('planted');process.exit(0);/*`;
  const length = begin.length + source.length + '\n})'.length;
  const script = new Script(planted.padEnd(length - '*/})'.length, '.').concat('*/})'));
  script.runInThisContext();
  const data = script.createCachedData();
  const seal = Buffer.alloc(4);
  seal.writeUInt32LE(crc32(data));
  return Buffer.concat([data, seal]);
}
