// What the benches have in common: services to ask, and times as medians of interleaved runs.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const program = fileURLToPath(new URL('../../bin/mar.js', import.meta.url));
export const rounds = Number(process.env.BENCH_ROUNDS ?? 25);

const server = `
require('node:http').createServer((request, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end(request.headers['x-range'] ? '[]' : '{"_id":"a-1001","name":"Trailer A"}');
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
process.stdin.resume().on('end', () => process.exit());
`;

/** A service in a process of its own, which ends with `stop`. */
export async function startService() {
  const { first: port, stop } = await startServer(['-e', server]);
  return { baseUrl: `http://127.0.0.1:${port}/api`, stop };
}

/**
 * A server in a process of its own. It says on a line where it is, and ends with its standard input.
 * @param {readonly string[]} argv
 */
export async function startServer(argv) {
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [first] = await once(createInterface({ input: child.stdout }), 'line');
  return { first, stop: () => child.stdin.end() };
}

/**
 * Runs each case in turn, round after round, so that whatever else the machine does meets them all.
 * @param {readonly { name: string, argv: readonly string[], command?: string, env: NodeJS.ProcessEnv }[]} cases
 * a command is Node unless another one is named
 * @param {{ times?: number, stdout?: number | 'pipe' }} [options] how often, and where the output goes
 * @returns {(name: string) => number} the median time of a case, in milliseconds
 */
export function measure(cases, { times = rounds, stdout = 'pipe' } = {}) {
  /** @type {Map<string, number[]>} */
  const taken = new Map(cases.map(({ name }) => [name, []]));
  // The first round is not counted: it fills the caches.
  for (let round = 0; round <= times; round += 1) {
    for (const { name, command = process.execPath, argv, env } of cases) {
      const start = performance.now();
      const { status, stderr, error } = spawnSync(command, argv, {
        env,
        stdio: ['ignore', stdout, 'pipe'],
      });
      if (round > 0) taken.get(name)?.push(performance.now() - start);
      if (status !== 0) throw new Error(`${name} exited with ${status}: ${error ?? stderr}`);
    }
  }
  return (name) => {
    const sorted = [...(taken.get(name) ?? [])].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
}
