import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fakeService } from '../../harness/fakeService.ts';
import { mar, marOk } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { account } from '../../harness/recordingServer.ts';
import { requestWords } from '../../words/requests.ts';
import { batchOf, newBatch, numbered } from './harness.ts';

test('--check reports invalid rows with exit code 8, sends nothing and needs no account', async () => {
  const batch = batchOf({ env: {} }, `${numbered(2)}{"language":1}\n`);
  expect(await batch.ends(8, '3 rows: 2 valid, 1 invalid', ['--check'])).toContain(
    'row 3 (line 3): language: ',
  );
  const rejects = `${batch.file}.rejects`;
  const { stdout } = await batch.run(['--check', '--json', '--rejects', rejects]);
  expect(JSON.parse(stdout)).toMatchObject({ rows: 3, valid: 2, invalid: 1, invalidRows: [3] });
  expect(readFileSync(rejects, 'utf8')).toContain('"language":1}');
  expect(existsSync(batch.journal)).toBe(false);
  writeFileSync(batch.file, numbered(2));
  await batch.ends(0, '2 rows: 2 valid', ['--check']);
});

test('--check checks done rows too, and standard input without a journal', async () => {
  const { batch } = await newBatch('{"language":"xx"}\n');
  await batch.run(['--skip-checks']);
  await batch.fails(8, ['--check']);
  const piped = await mar(['wr', 'create', '--batch', '-', '--check'], { stdin: numbered(3) });
  expect(piped).toMatchObject({ code: 0, stdout: '3 rows: 3 valid\n' });
});

test('--check of translation submit needs --batch', async () => {
  const row = '{"workRequest":"wr-1"}\n';
  const batch = batchOf({ env: {} }, row, 'rows.jsonl', 'translation submit');
  await batch.ends(0, '1 row: 1 valid', ['--check']);
  const single = await mar(['translation', 'submit', '--set', 'language=fra', '--check']);
  expect(single.stderr).toMatch(/--check needs --batch/);
});

test('--template --batch prints a table that passes the checks', async () => {
  const { stdout } = await marOk(['wr', 'create', '--template', '--batch']);
  expect(stdout).toMatch(/^asset,language,territory,due\.date,.*\n.*\n$/);
  const check = ['wr', 'create', '--batch', '-', '--check', '--strict'];
  expect(await marOk(check, { stdin: stdout })).toMatchObject({ stdout: '1 row: 1 valid\n' });
  const nameless = await failure(2, mar(['wr', 'create', '--batch', '--skip-invalid']));
  expect(nameless).toMatch(/--batch .*file name/);
});

test('--verify-ids asks for each asset once, before anything is sent', async () => {
  const requests: string[] = [];
  const service = await fakeService(({ method, path }) => {
    requests.push(`${method} ${path}`);
    if (method === 'POST') return `{"_id":"wr-${requests.length}"}`;
    return path === '/assets/a-1' ? '{"_id":"a-1"}' : 404;
  });
  const table = 'asset,instructions\na-1,1\na-2,2\na-1,3\na-2,4\n';
  const batch = batchOf(service, table, 'rows.csv', 'wr create --set language=fra --set auto=true');
  expect(await batch.fails(2, ['--verify-ids'])).toContain('rows 2, 4: asset a-2: ');
  expect(requests.toSorted()).toEqual(['GET /assets/a-1', 'GET /assets/a-2']);
  await batch.fails(8, ['--verify-ids', '--check']);
  await batch.ends(8, '4 rows: 2 done, 2 invalid', ['--verify-ids', '--skip-invalid']);
});

test('--verify-ids refuses a use that the asset is not for, unless that is skipped', async () => {
  const service = await fakeService(({ method }) =>
    method === 'POST' ? '{"_id":"wr-1"}' : '{"_id":"a-1","usage":{"online":true,"dcp":false}}',
  );
  const table = 'asset,language,uses.items\na-1,fra,online\na-1,deu,online;dcp\n';
  const batch = batchOf(service, table, 'rows.csv');
  const stderr = await batch.fails(2, ['--verify-ids']);
  expect(stderr).toContain(`row 2 (line 3): asset a-1 is ${requestWords.notForUse('dcp')}`);
  expect(stderr).toContain('mar config set order.uses=any');
  await batch.ends(0, '2 rows: 2 valid', ['--verify-ids', '--check', '--skip-checks=asset']);
});

test('--verify-ids stops if the service cannot be asked', async () => {
  const env = { ...account, MAR_BASE_URL: 'http://127.0.0.1:1/api' };
  const batch = batchOf({ env }, numbered(1));
  await batch.fails(7, ['--verify-ids', '--retries', '0']);
  expect(existsSync(batch.journal)).toBe(false);
});
