import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { failure } from '../harness/marWith.ts';
import { program, runProgram } from '../harness/program.ts';
import { isolated } from '../harness/service.ts';
import { writeService } from '../harness/writeService.ts';
import { numbered, order } from '../modules/batch/harness.ts';

/** A batch that the program runs. */
async function programBatch(content = numbered(300)) {
  const service = await writeService();
  const file = path.join(temporaryFolder(), 'rows.jsonl');
  writeFileSync(file, content);
  const argv = ['wr', 'create', '--batch', file];
  return { service, env: isolated(service.env), argv, journal: `${file}.mar-journal` };
}

/** Runs the program where a file may have so many kilobytes: like a disk that fills up. */
async function runWithLittleRoom(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  kilobytes: number,
) {
  const script = `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$0" "$@"`;
  return runProgram(['-c', script, ...program, ...argv], env, '', ['bash']);
}

test('a disk that fills up ends the run, and nothing was sent without its intent on it', async () => {
  const { service, env, argv, journal } = await programBatch();
  const { code, stderr } = await runWithLittleRoom(argv, env, 8);
  expect(code).toBe(8);
  expect(stderr).toMatch(/^error: .*\.mar-journal: /m);
  const events = readFileSync(journal, 'utf8');
  for (const { instructions } of service.received) {
    expect(events).toContain(`{"row":${instructions},"event":"sending"`);
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
  const { service, env, argv, journal } = await programBatch();
  expect(await failure(2, runWithLittleRoom(argv, env, 0))).toContain(journal);
  // Not even the administrator may write there.
  const readOnly = '/sys/kernel/rows.mar-journal';
  const stderr = await failure(2, runProgram([...argv, '--journal', readOnly], env));
  expect(stderr).toContain(readOnly);
  expect(service.received).toEqual([]);
  expect(existsSync(journal)).toBe(false);
});

test('on a disk that has room for the header alone nothing is sent', async () => {
  // The header has a key for each row.
  const { service, env, argv, journal } = await programBatch(order('1'));
  const withSet = (length: number) => [...argv, '--set-string', `reason=${'x'.repeat(length)}`];
  await runProgram(withSet(1), env);
  const [header = ''] = readFileSync(journal, 'utf8').split('\n');
  rmSync(journal);
  const sent = service.received.length;
  const { code, stderr } = await runWithLittleRoom(withSet(1020 - header.length), env, 1);
  expect(code).toBe(2);
  expect(stderr).toMatch(/error: .*\.mar-journal: .*\n {2}Nothing was sent\.\n$/);
  expect(service.received).toHaveLength(sent);
});
