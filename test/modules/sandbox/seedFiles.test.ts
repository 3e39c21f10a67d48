import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSeed } from '../../../src/modules/sandbox/seed/readSeed.ts';
import { mar, temporaryFolder } from '../../harness/mar.ts';
import { demo, demoFolder, demoSandbox, loggedIn } from './harness.ts';

async function seedFile(content: string | object[], name = 'seed.jsonl'): Promise<string> {
  const file = join(temporaryFolder(), name);
  const text =
    typeof content === 'string' ? content : content.map((one) => JSON.stringify(one)).join('\n');
  await writeFile(file, text);
  return file;
}

const exported = async (dataDir: string) => {
  const run = await mar(['sandbox', 'export', '--data', dataDir]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return run.stdout;
};

test('an export seeds a sandbox with the same records', async () => {
  const sandbox = await demoSandbox();
  const { dataDir } = sandbox;
  const call = await loggedIn(sandbox);
  await call('PUT', '/assets', { body: { _id: 'a-9', odd: 1, name: 'Neu' } });
  const changed = await exported(dataDir);
  expect(changed).toContain('"_id":"a-9","odd":1,"name":"Neu"');

  const records = await readSeed(await seedFile(changed));
  const copy = temporaryFolder();
  const second = await demoSandbox({ dataDir: copy, seed: () => records });
  expect(await exported(copy)).toBe(changed);
  const callSecond = await loggedIn(second);
  const { text } = await call('GET', '/workrequests/wr-2001');
  const again = await callSecond('GET', '/workrequests/wr-2001');
  const host = (base: string) => new URL(base).host;
  expect(again.text).toBe(text.replaceAll(host(sandbox.baseUrl), host(second.baseUrl)));
});

test('an export is lines of JSON, unless a filter, --json or another format is given', async () => {
  const { dataDir } = await demoSandbox();
  const env = { MAR_CONFIG_DIR: temporaryFolder() };
  const run = async (...flags: string[]) =>
    (await mar(['sandbox', 'export', '--data', dataDir, ...flags], { env })).stdout;
  const lines = await exported(dataDir);
  const records = lines.trimEnd().split('\n');
  expect(await run('--jq', '._id')).toMatch(/^a-1001\na-1002\n/);
  expect(await run('--jq-slurp', 'length')).toBe(`${records.length}\n`);
  expect(await run('--json')).toBe(`[${records.join(',')}]\n`);
  const csv = await run('-o', 'csv', '--columns', '$kind,_id');
  expect(csv).toMatch(/^\$kind,_id\r\nAsset,a-1001\r\n/);
  expect(await run('--jsonl')).toBe(lines);
  // The setting is for people: an export can be read back whatever it is.
  await mar(['config', 'set', 'output', 'json'], { env });
  expect(await run()).toBe(lines);
});

test('an export has no password, no token and no account', async () => {
  const dataDir = await demoFolder();
  const sandbox = await demoSandbox({ dataDir });
  const token = (await readFile(await sandbox.login(), 'utf8')).trim();
  const text = await exported(dataDir);
  expect(text).not.toMatch(/password|scrypt|open-sesame|demo\$/);
  expect(text).not.toContain(token);
});

test('data without users gets the demo users, so that somebody can log in', async () => {
  const records = await readSeed(await seedFile([{ $kind: 'Asset', _id: 'a-1', name: 'Only' }]));
  const sandbox = await demoSandbox({ dataDir: temporaryFolder(), seed: () => records });
  expect(sandbox.email).toBe(demo.email);
  const call = await loggedIn(sandbox);
  expect((await call('GET', '/assets/a-1')).json.name).toBe('Only');
  expect((await call('GET', '/assets/a-1001')).status).toBe(404);
});

test('a JSON array is read like lines', async () => {
  const list = '[{"$kind":"Asset","_id":"a-1"},\n{"$kind":"File","_id":"f"}]';
  const idsOf = async (text: string) =>
    (await readSeed(await seedFile(text, 'seed.json'))).map(({ id }) => id);
  expect((await idsOf(list)).slice(0, 2)).toEqual(['a-1', 'f']);
});

const user = (_id: string, emailNormal: string) =>
  JSON.stringify({ $kind: 'User', _id, emailNormal });

test.each([
  ['{"$kind":"Asset","_id":"a"}\n{"_id":}', 'line 2: '],
  ['{"$kind":"Asset","_id":"a"}\n\n[]', 'line 3: expected one record'],
  ['{"$kind":"Film","_id":"a"}', 'line 1: $kind: is not'],
  ['{"_id":"a"}', 'line 1: $kind: is missing'],
  ['{"$kind":"Asset","name":"x"}', 'line 1: _id: '],
  ['{"$kind":"Asset","_id":"a","name":1}', 'line 1: name: '],
  ['{"$kind":"Asset","_id":"a"}\n{"$kind":"Asset","_id":"a"}', 'line 2: duplicate asset a'],
  [`${user('a', 'A@x')}\n${user('b', 'a@x')}`, 'line 2: duplicate emailNormal a@x'],
])('%j is refused with file, line and field', async (text, message) => {
  const file = await seedFile(text);
  await expect(readSeed(file)).rejects.toThrow(`${file}, ${message}`);
});

test('a seed is refused, and nothing changes, where there are records already', async () => {
  const dataDir = await demoFolder();
  const seed = await seedFile([{ $kind: 'Asset', _id: 'a-1' }]);
  const run = await mar(['sandbox', '--data', dataDir, '--seed', seed, '--port', '0']);
  expect(run.code).toBe(2);
  expect(run.stderr).toMatch(/has records[\s\S]*--reset/);
  expect((await mar(['sandbox', '--seed', '/no/such/file'])).stderr).toContain('/no/such/file');
});
