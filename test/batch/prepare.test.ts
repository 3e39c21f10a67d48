import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fakeService } from '../harness/fakeService.ts';
import { mar } from '../harness/mar.ts';
import { writeService } from '../harness/writeService.ts';
import { batchOf, newBatch, numbered } from './harness.ts';

test('--check reports invalid rows with exit code 8, sends nothing and needs no account', async () => {
  const { batch } = await newBatch(`${numbered(2)}{"language":1}\n`);
  const { code, stdout, stderr } = await mar([...batch.argv, '--check']);
  expect({ code, stdout }).toEqual({ code: 8, stdout: '3 rows: 2 valid, 1 invalid\n' });
  expect(stderr).toContain('row 3 (line 3): language: expected a string, found the number 1');
  const { stdout: json } = await mar([...batch.argv, '--check', '--json']);
  expect(JSON.parse(json)).toMatchObject({ rows: 3, valid: 2, invalid: 1, invalidRows: [3] });
  const rejects = `${batch.file}.rejects`;
  await mar([...batch.argv, '--check', '--rejects', rejects]);
  expect(readFileSync(rejects, 'utf8')).toContain('"language":1}');
  expect(existsSync(batch.journal)).toBe(false);
  writeFileSync(batch.file, numbered(2));
  expect(await mar([...batch.argv, '--check'])).toMatchObject({
    code: 0,
    stdout: '2 rows: 2 valid\n',
  });
});

test('--check checks done rows too, and standard input without a journal', async () => {
  const { batch } = await newBatch('{"language":"xx"}\n');
  await batch.run(['--skip-checks']);
  expect((await mar([...batch.argv, '--check'])).code).toBe(8);
  const piped = await mar(['wr', 'create', '--batch', '-', '--check'], { stdin: numbered(3) });
  expect(piped).toMatchObject({ code: 0, stdout: '3 rows: 3 valid\n' });
  const both = await mar([...batch.argv, '--check', '--dry-run']);
  expect(both.stderr).toContain('--check and --dry-run cannot be used together');
});

test('--check of translation submit has its own meaning without --batch', async () => {
  const { file } = batchOf(await writeService(), '{"workRequest":"wr-1"}\n');
  const batch = await mar(['translation', 'submit', '--batch', file, '--check']);
  expect(batch.stdout).toBe('1 row: 1 valid\n');
  const single = await mar(['translation', 'submit', '--set', 'language=fra', '--check']);
  expect(single.stderr).toContain('--check needs a work request');
});

test('--template --batch prints a table that passes the checks', async () => {
  const { code, stdout } = await mar(['wr', 'create', '--template', '--batch']);
  expect(code).toBe(0);
  expect(stdout.split('\n')).toHaveLength(3);
  expect(stdout).toMatch(/^asset,language,territory,due\.date,/);
  const checked = await mar(['wr', 'create', '--batch', '-', '--check', '--strict'], {
    stdin: stdout,
  });
  expect(checked).toMatchObject({ code: 0, stdout: '1 row: 1 valid\n' });
  const nameless = await mar(['wr', 'create', '--batch', '--skip-invalid']);
  expect(nameless).toMatchObject({ code: 2, stderr: expect.stringContaining('needs a file name') });
});

/** A service that has one asset, and counts what it is asked for. */
async function assetService() {
  const requests: string[] = [];
  const { env } = await fakeService(({ method, path }) => {
    requests.push(`${method} /api${path}`);
    if (method === 'POST') return `{"_id":"wr-${requests.length}"}`;
    return path === '/assets/a-1' ? '{"_id":"a-1"}' : 404;
  });
  return { env, requests };
}

test('--verify-ids asks for each asset once, before anything is sent', async () => {
  const service = await assetService();
  const table = 'asset,instructions\na-1,1\na-2,2\na-1,3\na-2,4\n';
  const batch = batchOf(service, table, 'rows.csv', 'wr create --set language=fra --set auto=true');
  const refused = await batch.fails(2, ['--verify-ids']);
  expect(refused).toContain('rows 2, 4: asset a-2: not found in the service');
  expect(service.requests.toSorted()).toEqual(['GET /api/assets/a-1', 'GET /api/assets/a-2']);
  expect((await batch.run(['--verify-ids', '--check'])).code).toBe(8);
  const skipped = await batch.run(['--verify-ids', '--skip-invalid']);
  expect(skipped.stdout).toBe('4 rows: 2 done, 2 invalid\n');
});

test('--verify-ids stops if the service cannot be asked', async () => {
  const batch = batchOf(
    { env: { MAR_BASE_URL: 'http://127.0.0.1:1/api', MAR_EMAIL: 'a@b.example', MAR_TOKEN: 'x' } },
    numbered(1),
  );
  const { code } = await batch.run(['--verify-ids', '--retries', '0']);
  expect(code).toBe(7);
  expect(existsSync(batch.journal)).toBe(false);
});
