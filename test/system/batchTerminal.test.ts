import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { assetsService } from '../harness/assetsService.ts';
import { mar, temporaryFolder } from '../harness/mar.ts';
import { isolated } from '../harness/service.ts';
import { openTerminal } from '../harness/terminal.ts';

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
  try {
    process.kill(pid, 'SIGHUP');
  } catch (error) {
    // The process may have ended after the first one.
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
  // 129 if the second one comes when all is cleaned up and the process is about to end.
  await terminal.until(/code (?:143|129)/);
  expect(readdirSync(folder)).toEqual(before);
  expect(assets.asset('a-1').name).toBe('New');
});
