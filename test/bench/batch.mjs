// Batches, as ratios in one run: rate against a bare loop without a journal, memory against a
// short batch.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { measure, program, startServer } from './measure.mjs';

const times = Number(process.env.BENCH_ROUNDS ?? 3);
const rows = Number(process.env.BENCH_ROWS ?? 10_000);
const concurrency = 4;
const folder = mkdtempSync(path.join(tmpdir(), 'mar-bench-'));
const bareWrites = fileURLToPath(new URL('bareWrites.mjs', import.meta.url));

/** Answers every write at once: memory is measured here, not the sandbox. */
const fastServer = `
require('node:http').createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('Content-Type', 'application/json');
    response.end('{"_id":"wr-1"}');
  });
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
process.stdin.resume().on('end', () => process.exit());
`;

let missed = 0;
/** @type {(() => void)[]} */
const stops = [];

/** @param {string} what @param {number} ratio @param {string} against @param {boolean} holds @param {string} aim */
function tell(what, ratio, against, holds, aim) {
  if (!holds) missed += 1;
  const verdict = holds ? '' : '  MISSED';
  console.log(`  ${what.padEnd(36)} ${ratio.toFixed(2)} × ${against} (aim: ${aim})${verdict}`);
}

/** @param {string} name @param {number} count */
function writeRows(name, count) {
  const file = path.join(folder, name);
  const row = { asset: 'a-1001', language: 'fra', territory: 'FR', due: { tz: 'Europe/Paris' } };
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ ...row, instructions: `row ${index + 1}` }),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** @param {string} baseUrl @param {string} email @param {string} token */
const environment = (baseUrl, email, token) => ({
  ...process.env,
  MAR_CONFIG_DIR: folder,
  MAR_BASE_URL: baseUrl,
  MAR_EMAIL: email,
  MAR_TOKEN: token,
});

async function compareRate() {
  const sandbox = spawn(process.execPath, [program, 'sandbox', '--ephemeral', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stops.push(() => sandbox.kill());
  const [ready] = await once(createInterface({ input: sandbox.stdout }), 'line');
  const { baseUrl, email, password } = JSON.parse(ready);
  const basic = Buffer.from(`${email}:${password}`).toString('base64');
  const answer = await fetch(`${baseUrl}/session`, {
    headers: { Authorization: `Basic ${basic}` },
  });
  const { token } = /** @type {{ token: string }} */ (await answer.json());
  const file = writeRows('rows.jsonl', rows);
  const env = environment(baseUrl, email, token);
  const batch = [program, 'wr', 'create', '--batch', file, '--restart'];
  const median = measure(
    [
      { name: 'bare', argv: [bareWrites, `${baseUrl}/workrequests`, file, `${concurrency}`], env },
      { name: 'mar', argv: [...batch, '--concurrency', `${concurrency}`], env },
    ],
    { times },
  );
  const ratio = median('bare') / median('mar');
  tell(`${rows} creates, journal on`, ratio, "a bare loop's rate", ratio >= 0.8, 'at least 0.8');
}

/** The most memory that a batch of so many rows took, in bytes. */
function peakOf(/** @type {number} */ count, /** @type {NodeJS.ProcessEnv} */ env) {
  const peak = path.join(folder, 'peak');
  const probe = path.join(folder, 'probe.cjs');
  writeFileSync(
    probe,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));`,
  );
  const argv = ['wr', 'create', '--batch', writeRows(`${count}.jsonl`, count), '--restart'];
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--require', probe, program, ...argv, '--jsonl'],
    { env, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  if (status !== 0) throw new Error(`the batch exited with ${status}: ${stderr}`);
  return Number(readFileSync(peak, 'utf8')) * 1024;
}

async function compareMemory() {
  const { first: port, stop } = await startServer(['-e', fastServer]);
  stops.push(stop);
  const env = environment(`http://127.0.0.1:${port}/api`, 'ines@northlight.example', 'token');
  const peaks = [0, 1, 2].map(() => peakOf(rows, env)).sort((a, b) => a - b);
  const peak = peakOf(10 * rows, env);
  const ratio = peak / (peaks[1] ?? 0);
  const size = `${Math.round(peak / 2 ** 20)} MiB`;
  tell(`${10 * rows} rows, ${size}`, ratio, `memory of ${rows}`, ratio <= 1.2, '1.2');
}

try {
  console.log(`Batches: Node ${process.version}, medians of ${times} rounds`);
  await compareRate();
  await compareMemory();
} finally {
  for (const stop of stops) stop();
  rmSync(folder, { recursive: true, force: true });
}
if (missed > 0) process.exitCode = 1;
