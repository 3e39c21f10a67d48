// Shared by all benchmarks: test services, median times, peak memory.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const program = fileURLToPath(new URL('../../../bin/mar.js', import.meta.url));
export const rounds = Number(process.env.BENCH_ROUNDS ?? 25);

const server = `
require('node:http').createServer((request, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end(request.headers['x-range'] ? '[]' : '{"_id":"a-1001","name":"Trailer A"}');
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
process.stdin.resume().on('end', () => process.exit());
`;

/** Starts a service that returns the same asset for every request. */
export async function startService() {
  const { firstLine: port, stop } = await startServer(['-e', server]);
  return { baseUrl: `http://127.0.0.1:${port}/api`, stop };
}

/**
 * Starts a server as a separate process. The server prints its address as its first line, and ends
 * when its standard input closes.
 * @param {readonly string[]} argv
 */
export async function startServer(argv) {
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [firstLine] = await once(createInterface({ input: child.stdout }), 'line');
  return { firstLine, stop: () => child.stdin.end() };
}

/**
 * Runs all cases once per round, so that other load on the machine affects them equally.
 * @param {readonly { name: string, argv: readonly string[], command?: string, env: NodeJS.ProcessEnv }[]} cases
 * `command` is Node by default
 * @param {{ roundCount?: number, stdout?: number | 'pipe' }} [options] `stdout` is where output goes
 * @returns {(name: string) => number} the median time of a case, in milliseconds
 */
export function measure(cases, { roundCount = rounds, stdout = 'pipe' } = {}) {
  /** @type {Map<string, number[]>} */
  const times = new Map(cases.map(({ name }) => [name, []]));
  // The first round is not counted: it fills the caches.
  for (let round = 0; round <= roundCount; round += 1) {
    for (const { name, command = process.execPath, argv, env } of cases) {
      const start = performance.now();
      const { status, stderr, error } = spawnSync(command, argv, {
        env,
        stdio: ['ignore', stdout, 'pipe'],
      });
      if (round > 0) times.get(name)?.push(performance.now() - start);
      if (status !== 0) throw new Error(`${name} exited with ${status}: ${error ?? stderr}`);
    }
  }
  return (name) => {
    const sorted = [...(times.get(name) ?? [])].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
}

/**
 * Runs a Node program and returns its peak memory in bytes.
 * @param {readonly string[]} argv
 * @param {NodeJS.ProcessEnv} env
 * @param {number | 'ignore'} [stdout]
 */
export function peakMemory(argv, env, stdout = 'ignore') {
  const folder = mkdtempSync(path.join(tmpdir(), 'mar-bench-'));
  const file = path.join(folder, 'peak');
  const probe = path.join(folder, 'probe.cjs');
  writeFileSync(
    probe,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.resourceUsage().maxRSS)));`,
  );
  try {
    const { status, stderr } = spawnSync(process.execPath, ['--require', probe, ...argv], {
      env,
      stdio: ['ignore', stdout, 'pipe'],
    });
    if (status !== 0) throw new Error(`${argv.join(' ')} exited with ${status}: ${stderr}`);
    return Number(readFileSync(file, 'utf8')) * 1024;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The median of three runs.
 * @param {() => number} run
 */
export const medianOfThree = (run) => [run(), run(), run()].sort((a, b) => a - b)[1] ?? 0;

/** @param {number} bytes */
export const mebibytes = (bytes) => `${Math.round(bytes / 2 ** 20)} MiB`;

/**
 * Prints a ratio and its limit. The benchmark fails if the limit does not hold.
 * @param {string} label
 * @param {number} ratio
 * @param {string} baseline
 * @param {{ max: number } | { min: number }} limit
 */
export function reportRatio(label, ratio, baseline, limit) {
  const holds = 'max' in limit ? ratio <= limit.max : ratio >= limit.min;
  const aim = 'max' in limit ? `${limit.max}` : `at least ${limit.min}`;
  const verdict = holds ? '' : '  MISSED';
  console.log(`  ${label.padEnd(36)} ${ratio.toFixed(2)} × ${baseline} (aim: ${aim})${verdict}`);
  if (!holds && process.env.BENCH_LIMITS !== 'off') process.exitCode = 1;
}
