import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { program, runProgram } from '../harness/program.ts';
import { isolated } from '../harness/service.ts';
import { writeService } from '../harness/writeService.ts';

const rows = Array.from({ length: 300 }, (_, row) => `{"instructions":"${row + 1}"}\n`).join('');

/** Runs the program where a file may have so many kilobytes: like a disk that fills up. */
async function runWithLittleRoom(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  kilobytes: number,
) {
  const script = `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$0" "$@"`;
  const child = spawn('bash', ['-c', script, ...program, ...argv], { env });
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const [code] = await once(child, 'close');
  return { code, stderr };
}

test('a disk that fills up ends the run, and nothing was sent without its intent on it', async () => {
  const service = await writeService();
  const env = isolated(service.env);
  const file = path.join(temporaryFolder(), 'rows.jsonl');
  writeFileSync(file, rows);
  const argv = ['wr', 'create', '--batch', file];
  const { code, stderr } = await runWithLittleRoom(argv, env, 8);
  expect(code).toBe(8);
  expect(stderr).toContain('error: cannot write the journal');
  const journal = readFileSync(`${file}.mar-journal`, 'utf8');
  for (const { instructions } of service.received) {
    expect(journal).toContain(`{"row":${instructions},"event":"sending"`);
  }
  const before = service.received.length;
  expect(before).toBeGreaterThan(0);
  const { stdout } = await runProgram([...argv, '--json'], env);
  const { done, unknownRows } = JSON.parse(stdout);
  expect(done + unknownRows.length).toBe(300);
  const sent = service.received.map(({ instructions }) => instructions);
  expect(new Set(sent).size).toBe(sent.length);
});

test('a disk without any room, and a folder that is read-only, are reported before anything is sent', async () => {
  const service = await writeService();
  const env = isolated(service.env);
  const folder = path.join(temporaryFolder(), 'rows');
  mkdirSync(folder);
  const file = path.join(folder, 'rows.jsonl');
  writeFileSync(file, rows);
  const argv = ['wr', 'create', '--batch', file];
  const full = await runWithLittleRoom(argv, env, 0);
  expect(full.code).toBe(2);
  expect(full.stderr).toMatch(/^error: cannot (?:lock|write) the journal/);
  // Not even the administrator may write there.
  const journal = '/sys/kernel/rows.mar-journal';
  const { code, stderr } = await runProgram([...argv, '--journal', journal], env);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: cannot lock the journal/);
  expect(service.received).toEqual([]);
  expect(existsSync(`${file}.mar-journal`)).toBe(false);
});

test('on a disk that has room for the header alone nothing is sent', async () => {
  const service = await writeService();
  const env = isolated(service.env);
  const file = path.join(temporaryFolder(), 'rows.jsonl');
  // The header has a key for each row.
  writeFileSync(file, '{"instructions":"1"}\n');
  const journal = `${file}.mar-journal`;
  const argv = (length: number) => {
    const set = `reason=${'x'.repeat(length)}`;
    return ['wr', 'create', '--batch', file, '--set-string', set];
  };
  await runProgram(argv(1), env);
  const [header = ''] = readFileSync(journal, 'utf8').split('\n');
  rmSync(journal);
  const sent = service.received.length;
  const { code, stderr } = await runWithLittleRoom(argv(1020 - header.length), env, 1);
  expect(code).toBe(2);
  expect(stderr).toMatch(/error: cannot write the journal .*\n {2}Nothing was sent\.\n$/);
  expect(service.received).toHaveLength(sent);
});
