// Start-up, as ratios in one run: absolute times depend on the machine and on what else it does.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const rounds = Number(process.env.BENCH_ROUNDS ?? 25);
const program = fileURLToPath(new URL('../../bin/mar.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'mar-bench-'));

const server = `
require('node:http').createServer((request, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end('{"_id":"a-1001","name":"Trailer A"}');
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
process.stdin.resume().on('end', () => process.exit());
`;
const bareGet = `
import http from 'node:http';
http.get(process.argv[2] + '/assets/a-1001', { headers: { Accept: 'application/json' } }, (answer) => {
  let body = '';
  answer.setEncoding('utf8').on('data', (data) => { body += data; });
  answer.on('end', () => process.stdout.write(body));
});
`;

const service = spawn(process.execPath, ['-e', server], { stdio: ['pipe', 'pipe', 'inherit'] });
const [port] = await once(createInterface({ input: service.stdout }), 'line');
const baseUrl = `http://127.0.0.1:${port}/api`;
const bareScript = path.join(folder, 'get.mjs');
writeFileSync(bareScript, bareGet);
const env = {
  ...process.env,
  MAR_CONFIG_DIR: folder,
  MAR_BASE_URL: baseUrl,
  MAR_EMAIL: 'ines@northlight.example',
  MAR_TOKEN: 'token',
};

/** What is run, and what it is held against. */
const cases = [
  { name: 'node -e 0', argv: ['-e', '0'] },
  { name: 'bare node:http GET', argv: [bareScript, baseUrl] },
  { name: 'mar --version', argv: [program, '--version'], against: 'node -e 0', target: 1.15 },
  { name: 'mar --help', argv: [program, '--help'], against: 'node -e 0' },
  {
    name: 'mar asset get --json',
    argv: [program, 'asset', 'get', 'a-1001', '--json'],
    against: 'bare node:http GET',
    target: 1.3,
  },
];

/** @type {Map<string, number[]>} */
const times = new Map(cases.map(({ name }) => [name, []]));
try {
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, argv } of cases) {
      const start = performance.now();
      const { status, stderr } = spawnSync(process.execPath, argv, { env });
      times.get(name)?.push(performance.now() - start);
      if (status !== 0) throw new Error(`${name} exited with ${status}: ${stderr}`);
    }
  }
} finally {
  service.stdin.end();
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} name */
const median = (name) => {
  const sorted = [...(times.get(name) ?? [])].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};

console.log(`Node ${process.version}, ${rounds} rounds, median times\n`);
for (const { name, against, target } of cases) {
  const ratio = against ? `${(median(name) / median(against)).toFixed(2)} × ${against}` : '';
  const aim = target ? ` (aim: ${target})` : '';
  console.log(`${name.padEnd(22)} ${median(name).toFixed(0).padStart(5)} ms  ${ratio}${aim}`);
}
