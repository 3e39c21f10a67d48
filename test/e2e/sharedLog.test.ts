import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { outcomeOf, program, runProgram, startProgram } from '../harness/program.ts';
import { isolated } from '../harness/service.ts';
import { writeService } from '../harness/writeService.ts';

const preload = fileURLToPath(new URL('../harness/otherMachine.cjs', import.meta.url));

const orderFor = (language: string) => [
  ...['wr', 'create', '--asset', 'a-1', '--language', language, '--use', 'online'],
  ...['--due', '+14d', '--tz', 'Europe/Paris', '--skip-checks', '--json'],
];

/** Machines that share a log. */
async function machines() {
  const service = await writeService();
  const log = path.join(temporaryFolder(), 'log.jsonl');
  const machine = (name: string, minutes: number, more: Record<string, string> = {}) =>
    isolated({
      ...service.env,
      MAR_LOG: log,
      NODE_OPTIONS: `--require ${preload}`,
      HOST_NAME: name,
      CLOCK_MINUTES: String(minutes),
      ...more,
    });
  return { service, log, machine };
}

const codesOf = (runs: readonly { code: number }[]) => runs.map(({ code }) => code).sort();

test('two machines whose clocks differ by ten minutes place an order once, and lose no line', async () => {
  const { service, log, machine } = await machines();
  const both = [machine('early', -10), machine('late', 0)];
  const same = await Promise.all(
    Array.from({ length: 8 }, (_, at) => runProgram(orderFor('fra'), both[at % 2] ?? {})),
  );
  expect(codesOf(same)).toEqual([0, ...Array(7).fill(11)].sort());
  const languages = ['deu', 'fin', 'est', 'lav', 'lit', 'swe'];
  const others = await Promise.all(
    languages.map((language, at) => runProgram(orderFor(language), both[at % 2] ?? {})),
  );
  expect(codesOf(others)).toEqual(languages.map(() => 0));
  expect(service.received).toHaveLength(7);
  for (const env of both) {
    const { stdout } = await runProgram(['log', '--json'], env);
    expect(
      JSON.parse(stdout).filter(({ state }: { state: string }) => state === 'done'),
    ).toHaveLength(7);
  }
  expect(readFileSync(log, 'utf8').match(/"as":"done"/g)).toHaveLength(7);
});

test('a process that is stopped inside the lock keeps it, and its order is placed once', async () => {
  const { service, machine } = await machines();
  const stopped = startProgram(orderFor('fra'), machine('one', 0, { STOP_IN_SYNC: '1' }));
  const ended = outcomeOf(stopped);
  const isStopped = () => / T /.test(readFileSync(`/proc/${stopped.pid}/stat`, 'utf8'));
  await vi.waitFor(() => expect(isStopped()).toBe(true), { timeout: 180_000, interval: 20 });
  // It waits for ten seconds, and gives up.
  const other = await runProgram(orderFor('deu'), machine('one', 0));
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('.lock') });
  expect(service.received).toEqual([]);
  stopped.kill('SIGCONT');
  expect((await ended).code).toBe(0);
  expect((await runProgram(orderFor('fra'), machine('one', 0))).code).toBe(11);
  expect(service.received).toHaveLength(1);
});

test('a process that was killed before its outcome leaves an order of unknown outcome', async () => {
  const { service, machine } = await machines();
  const killed = startProgram(orderFor('fra'), machine('one', 0, { STOP_IN_SYNC: '1' }));
  const isStopped = () => / T /.test(readFileSync(`/proc/${killed.pid}/stat`, 'utf8'));
  await vi.waitFor(() => expect(isStopped()).toBe(true), { timeout: 180_000, interval: 20 });
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  // Its intent is in the log, so nobody knows.
  const again = await runProgram(orderFor('fra'), machine('one', 0));
  expect(again).toMatchObject({ code: 11, stderr: expect.stringContaining('"outcome":"unknown"') });
  expect(service.received).toEqual([]);
});

test('a disk that is full refuses an order, and the log stays whole', async () => {
  const { service, log, machine } = await machines();
  for (const language of ['fra', 'deu']) {
    expect((await runProgram(orderFor(language), machine('one', 0))).code).toBe(0);
  }
  const before = readFileSync(log, 'utf8');
  const script = `trap '' XFSZ; ulimit -f 1; exec "$0" "$@"`;
  const full = ['-c', script, ...program, ...orderFor('fin')];
  const refused = await runProgram(full, machine('one', 0), '', ['bash']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(log) });
  expect(service.received).toHaveLength(2);
  expect((await runProgram(orderFor('fin'), machine('one', 0))).code).toBe(0);
  expect((await runProgram(orderFor('deu'), machine('one', 0))).code).toBe(11);
  expect(readFileSync(log, 'utf8')).toContain(before);
  expect(service.received).toHaveLength(3);
});
