// What the benches have in common: a service to ask, and times as medians of interleaved runs.
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
  const service = spawn(process.execPath, ['-e', server], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = await once(createInterface({ input: service.stdout }), 'line');
  return { baseUrl: `http://127.0.0.1:${port}/api`, stop: () => service.stdin.end() };
}

/**
 * Runs each case in turn, round after round, so that whatever else the machine does meets them all.
 * @param {readonly { name: string, command?: string, argv: readonly string[], env: NodeJS.ProcessEnv }[]} cases
 *   run by Node, unless they name another command
 * @returns {(name: string) => number} the median time of a case, in milliseconds
 */
export function measure(cases) {
  /** @type {Map<string, number[]>} */
  const times = new Map(cases.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, command = process.execPath, argv, env } of cases) {
      const start = performance.now();
      const { status, stderr } = spawnSync(command, argv, { env });
      times.get(name)?.push(performance.now() - start);
      if (status !== 0) throw new Error(`${name} exited with ${status}: ${stderr}`);
    }
  }
  return (name) => {
    const sorted = [...(times.get(name) ?? [])].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
}
