import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { batchOf, numbered, numbersOf } from '../batch/harness.ts';
import { assetsService } from '../harness/assetsService.ts';
import { mar, temporaryFolder } from '../harness/mar.ts';
import { isolated } from '../harness/service.ts';
import { openTerminal } from '../harness/terminal.ts';
import { writeService } from '../harness/writeService.ts';

test('batch resolve walks through all unknown rows, and the next run sends what is pending', async () => {
  const service = await writeService((_, count) => (count <= 3 ? 'reset' : {}));
  const batch = batchOf(service, numbered(4));
  expect((await batch.run(['--concurrency', '1'])).code).toBe(8);
  const terminal = openTerminal(isolated(service.env));
  terminal.type(`mar batch resolve ${batch.file}; echo "code $?"`);
  for (const [row, answer] of ['created:wr-9', 'retry', ''].entries()) {
    await terminal.until(`Row ${row + 1}: created, created:ID, retry, or skip [skip]:`);
    expect(terminal.screen()).toContain(`"instructions": "${row + 1}"`);
    terminal.type(answer);
  }
  await terminal.until('code 0');
  expect(terminal.screen()).toContain('4 rows: 2 done, 1 unknown, 1 pending');
  const { stdout } = await batch.run();
  expect(stdout).toBe('4 rows: 3 done (1 sent now, 2 earlier), 1 unknown\n');
  expect(numbersOf(service)).toEqual([1, 2, 3, 4, 2]);
});

test('an undo that asks leaves nothing behind when its terminal is closed', async () => {
  const assets = await assetsService([{ _id: 'a-1', name: 'Old' }]);
  const folder = temporaryFolder();
  const file = path.join(folder, 'assets.csv');
  writeFileSync(file, '_id,name\na-1,New\n');
  expect((await mar(['asset', 'put', '--batch', file], { env: assets.env })).code).toBe(0);
  const before = readdirSync(folder);
  const terminal = openTerminal(isolated(assets.env));
  terminal.type(`mar batch undo ${file}; echo "code $?"`);
  await terminal.until('(y/N)');
  const lock = readdirSync(folder).find((name) => name.endsWith('.lock')) ?? '';
  const { pid } = JSON.parse(readFileSync(path.join(folder, lock), 'utf8'));
  // The system and the shell each send one.
  process.kill(pid, 'SIGHUP');
  process.kill(pid, 'SIGHUP');
  // 129 if the second one comes when all is cleaned up and the process is about to end.
  await terminal.until(/code (?:143|129)/);
  expect(readdirSync(folder)).toEqual(before);
  expect(assets.asset('a-1').name).toBe('New');
});
