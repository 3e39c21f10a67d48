import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MarError } from '../../../src/core/errors.ts';
import {
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from '../../../src/modules/sandbox/start.ts';
import { temporaryFolder } from '../../harness/mar.ts';
import { demoFolder, demoSandbox, loggedIn, portOf } from './harness.ts';

/** The error that keeps a sandbox from starting. */
async function failure(options: SandboxOptions): Promise<MarError> {
  const close = async (sandbox: Sandbox) => {
    await sandbox.close();
    throw new Error('it started');
  };
  return startSandbox(options).then(close, (error: MarError) => error);
}

async function sql(path: string, statement: string): Promise<void> {
  const { default: Libsql } = await import('libsql');
  const database = new Libsql(path);
  database.exec(statement);
  database.close();
}

const mode = async (path: string) => (await stat(path)).mode & 0o777;

test.each<[name: string, files: string[] | undefined, expected: number]>([
  ['a new data folder is readable only by its owner', undefined, 0o700],
  ['an empty folder becomes readable only by its owner', [], 0o700],
  ['a folder that already has files keeps its mode', ['notes.txt'], 0o755],
])(
  '%s, and the files that are made are readable only by their owner',
  async (_name, files, expected) => {
    const dataDir = join(temporaryFolder(), 'deep', 'down');
    if (files) {
      await mkdir(dataDir, { recursive: true });
      await chmod(dataDir, 0o755);
      for (const name of files) await writeFile(join(dataDir, name), 'mine');
    }
    await demoSandbox({ dataDir, downloads: 1 });
    expect(await mode(dataDir)).toBe(expected);
    for (const name of ['sandbox.db', 'sandbox.db-wal', 'sandbox.lock']) {
      expect([name, await mode(join(dataDir, name))]).toEqual([name, 0o600]);
    }
  },
);

test('closing leaves the database as a single file', async () => {
  const dataDir = await demoFolder();
  const sandbox = await demoSandbox({ dataDir });
  const call = await loggedIn(sandbox);
  await call('POST', '/files', { body: { name: 'x' } });
  await sandbox.close();
  expect((await readdir(dataDir)).toSorted()).toEqual(['sandbox.db']);
});

test('the requested port is used, on loopback, and the error names a port in use', async () => {
  const other = await demoSandbox();
  const port = portOf(other);
  const dataDir = await demoFolder();
  const error = await failure({ dataDir, port });
  expect([error.kind, error.message]).toEqual(['usage', expect.stringContaining(`port ${port} `)]);
  expect(error.hints[0]?.text).toContain('--port');
  await other.close();
  // The folder was released as well.
  const { baseUrl } = await demoSandbox({ dataDir, port });
  expect(baseUrl).toBe(`http://127.0.0.1:${port}/api`);
});

test.each([-1, 65_536, 1.5, Number.NaN])('%d is not a port', async (port) => {
  const error = await failure({ dataDir: await demoFolder(), port });
  expect(error.kind).toBe('usage');
});

test('the error names a data folder that cannot be created', async () => {
  const file = join(temporaryFolder(), 'file');
  await writeFile(file, '');
  for (const dataDir of [file, join(file, 'below')]) {
    const { kind, message, hints } = await failure({ dataDir });
    expect([kind, message]).toEqual(['usage', expect.stringContaining(dataDir)]);
    expect(hints[0]?.text).toContain('--data');
  }
});

test('a second sandbox on the same folder is rejected, and the first one keeps working', async () => {
  const dataDir = await demoFolder();
  const first = await demoSandbox({ dataDir });
  for (const reset of [false, true]) {
    const { kind, message } = await failure({ dataDir, reset });
    expect([kind, message]).toEqual(['usage', expect.stringContaining(dataDir)]);
  }
  const call = await loggedIn(first);
  expect((await call('POST', '/files', { body: {} })).status).toBe(200);
});

const noDatabase = 'These are not the bytes you are looking for. '.repeat(100);

test.each<[name: string, spoil: (path: string) => Promise<void>, message: string]>([
  ['of a newer mar', (path) => sql(path, 'PRAGMA user_version = 99'), 'another version'],
  [
    'of another program',
    async (path) => {
      await rm(path);
      await sql(path, 'CREATE TABLE recipes (name TEXT)');
    },
    'another program',
  ],
  ['that is none', (path) => writeFile(path, noDatabase), 'SQLITE_NOTADB'],
])('a database %s is rejected and left unchanged; reset starts over', async (...given) => {
  const [, spoil, message] = given;
  const dataDir = await demoFolder();
  const path = join(dataDir, 'sandbox.db');
  await spoil(path);
  const before = await readFile(path);
  const error = await failure({ dataDir });
  expect(error).toMatchObject({
    kind: 'usage',
    hints: [{ text: expect.stringContaining('--reset') }],
  });
  for (const fact of [message, path]) expect(error.message).toContain(fact);
  expect(before.equals(await readFile(path))).toBe(true);
  const call = await loggedIn(await demoSandbox({ dataDir, reset: true, downloads: 1 }));
  expect((await call('GET', '/assets/a-1001')).status).toBe(200);
});

test('reset brings the demo data back and forgets what was written, tokens too', async () => {
  const dataDir = await demoFolder();
  const before = await demoSandbox({ dataDir });
  const old = await loggedIn(before);
  await old('PUT', '/assets', { body: { _id: 'a-1001', name: 'changed' } });
  const port = portOf(before);
  await before.close();
  const after = await demoSandbox({ dataDir, port, reset: true, downloads: 1 });
  expect((await old('GET', '/assets/a-1001')).status).toBe(401);
  const call = await loggedIn(after);
  expect((await call('GET', '/assets/a-1001')).json.name).toBe('The Harbor Light – Trailer A');
});

test('without a port, the default is used, or a free one', async () => {
  const start = () => demoSandbox({ port: undefined });
  const [first, second] = [await start(), await start()];
  expect(portOf(second)).not.toBe(portOf(first));
});
