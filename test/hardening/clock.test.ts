import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, runProgram } from '../harness/program.ts';
import { type Reaction, writeService } from '../harness/writeService.ts';
import { numbered } from '../modules/batch/harness.ts';
import { batchWords } from '../words/batch.ts';

const preload = fileURLToPath(new URL('../harness/clock.cjs', import.meta.url));

/** An environment in which the clock can be set. */
function adjustableClock(folder: string, env: Record<string, string>) {
  const file = path.join(folder, 'clock');
  return {
    setBy: (hours: number) => writeFileSync(file, String(hours)),
    env: cleanEnvironment(folder, {
      ...env,
      NODE_OPTIONS: `--require ${preload}`,
      CLOCK_FILE: file,
    }),
  };
}

/** Runs a batch of six rows; the clock is set during the wait that the service asks for at row 3. */
async function batchWithWait(hours: number) {
  const folder = temporaryFolder();
  const cameAt: number[] = [];
  const service = await writeService((_body, count): Reaction => {
    cameAt.push(performance.now());
    if (count !== 3) return {};
    setTimeout(() => clock.setBy(hours), 300);
    return { status: 429, headers: { 'Retry-After': '1' } };
  });
  const clock = adjustableClock(folder, service.env);
  const file = path.join(folder, 'rows.jsonl');
  writeFileSync(file, numbered(6));
  const argv = ['wr', 'create', '--batch', file, '--concurrency', '1'];
  const run = await runProgram(argv, clock.env);
  const [third = 0, fourth = 0] = cameAt.slice(2);
  return { ...run, received: service.received, waitedMs: fourth - third };
}

describe('a batch that waits for the service', () => {
  it.each([
    ['back', -1],
    ['forward', 1],
  ])('waits as long as it asks for when the clock is set %s meanwhile', async (_way, hours) => {
    const { code, stdout, stderr, received, waitedMs } = await batchWithWait(hours);
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: '6 rows: 6 done\n' });
    expect(received).toHaveLength(7);
    expect(waitedMs).toBeGreaterThanOrEqual(950);
  });

  it('stops where the service names a date that is days away by our clock', async () => {
    const date = new Date(Date.now() + 5 * 24 * 3_600_000).toUTCString();
    const service = await writeService(() => ({ status: 429, headers: { 'Retry-After': date } }));
    const folder = temporaryFolder();
    const file = path.join(folder, 'rows.jsonl');
    writeFileSync(file, numbered(1));
    const argv = ['wr', 'create', '--batch', file];
    const run = await runProgram(argv, cleanEnvironment(folder, service.env));
    expect(run.code).not.toBe(0);
    expect(run.stderr).toContain(batchWords.serviceWantsWait('5 d'));
    expect(service.received).toHaveLength(1);
  });
});
