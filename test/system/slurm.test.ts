import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { linesOf } from '../harness/daemon.ts';
import { temporaryFolder } from '../harness/mar.ts';
import { program, runProgram, startSandboxProgram } from '../harness/program.ts';
import { isolated } from '../harness/service.ts';
import { startSlurm } from '../harness/slurm.ts';

const rows = 300;
const tasks = 8;
/** Task 3 is requeued twice. */
const requeued = [3, 5, 8, 3];

test('a Slurm array creates every row once, although Slurm requeues tasks while they run', {
  timeout: 300_000,
}, async () => {
  const slurm = await startSlurm();
  const env = { ...isolated(), MAR_PROFILE: 'sandbox' };
  const fault = ['--fault', '/workrequests 200ms'];
  const { dataDir } = await startSandboxProgram(['--ephemeral', '--login', ...fault], env);
  const folder = temporaryFolder();
  const file = path.join(folder, 'rows.jsonl');
  const lines = Array.from({ length: rows }, (_, at) =>
    JSON.stringify({ asset: 'a-1001', language: 'fra', auto: true, instructions: `row ${at + 1}` }),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  const job = slurm.submit(
    `#!/bin/sh
#SBATCH --array=1-${tasks} --requeue --open-mode=append
#SBATCH --chdir=${folder} --output=${folder}/%a.log
exec ${program.join(' ')} wr create --batch rows.jsonl --shard auto --concurrency 1
`,
    env,
  );

  const journalLines = (task: number) => linesOf(`${file}.${task}-of-${tasks}.mar-journal`).length;
  const seen = new Map<number, number>();
  for (const task of requeued) {
    const before = seen.get(task) ?? 0;
    await expect.poll(() => journalLines(task), { timeout: 60_000 }).toBeGreaterThan(before + 4);
    slurm.run('scontrol', 'requeue', `${job}_${task}`);
    seen.set(task, journalLines(task));
  }
  await slurm.finished(job);

  const states = slurm.run('scontrol', 'show', 'job', job);
  expect(states.match(/JobState=COMPLETED/g)).toHaveLength(tasks);
  for (let task = 1; task <= tasks; task += 1) {
    const log = linesOf(path.join(folder, `${task}.log`));
    const stops = log.filter((line) => line.includes('DUE TO JOB REQUEUE'));
    expect(stops, log.join('\n')).toHaveLength(requeued.filter((one) => one === task).length);
  }
  const status = await runProgram(['batch', 'status', file, '--json'], env);
  expect(JSON.parse(status.stdout)).toMatchObject({ rows, done: rows, unknown: 0 });
  const { stdout } = await runProgram(['sandbox', 'export', '--data', dataDir], env);
  const created = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ $kind, instructions }) => $kind === 'WorkRequest' && /^row \d+$/.test(instructions))
    .map(({ instructions }) => instructions);
  expect(created.sort()).toEqual(lines.map((line) => JSON.parse(line).instructions).sort());
});
