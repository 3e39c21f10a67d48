// Long lists, as ratios in one run: time against a bare loop over the same pages, memory against a
// short list.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { measure, program, startServer } from './measure.mjs';

const times = Number(process.env.BENCH_ROUNDS ?? 5);
const records = Number(process.env.BENCH_RECORDS ?? 100_000);
const most = 10 * records;
const few = records / 10;
const pageSize = 100;

const root = fileURLToPath(new URL('../..', import.meta.url));
const bareLoop = path.join(root, 'test/bench/bareLoop.mjs');
const pageServer = path.join(root, 'test/bench/pages.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'mar-bench-'));
const output = openSync(path.join(folder, 'output'), 'w');
const list = [program, 'downloads', 'list', '--all'];

/** @type {(() => void)[]} */
const stops = [];
let missed = 0;

/** @param {string} what @param {number} ratio @param {string} against @param {number} target */
function tell(what, ratio, against, target) {
  const holds = ratio <= target;
  if (!holds) missed += 1;
  const verdict = holds ? '' : '  MISSED';
  console.log(`  ${what.padEnd(36)} ${ratio.toFixed(2)} × ${against} (aim: ${target})${verdict}`);
}

/** @param {string} baseUrl */
const environment = (baseUrl, token = 'token') => ({
  ...process.env,
  MAR_CONFIG_DIR: folder,
  MAR_BASE_URL: baseUrl,
  MAR_EMAIL: 'ines@northlight.example',
  MAR_TOKEN: token,
});

/** The sandbox with this many downloads, and somebody logged in. */
async function startSandbox() {
  const outfile = path.join(folder, 'sandbox.mjs');
  const contents = `
    import { startSandbox } from './src/sandbox/startSandbox.ts';
    const { baseUrl, email, password } = await startSandbox(JSON.parse(process.argv[2]));
    const basic = Buffer.from(email + ':' + password).toString('base64');
    const answer = await fetch(baseUrl + '/session', { headers: { Authorization: 'Basic ' + basic } });
    console.log(JSON.stringify({ baseUrl, ...(await answer.json()) }));
    process.stdin.resume().on('end', () => process.exit());
  `;
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['libsql'],
    logLevel: 'error',
  });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  const options = { dataDir: path.join(folder, 'data'), downloads: records };
  const { first, stop } = await startServer([outfile, JSON.stringify(options)]);
  stops.push(stop);
  const { baseUrl, token } = JSON.parse(first);
  return environment(baseUrl, token);
}

/** @param {number} total @param {number} [pageMs] */
async function startPages(total, pageMs = 0) {
  const { first, stop } = await startServer([pageServer, String(total), String(pageMs)]);
  stops.push(stop);
  return environment(first);
}

/** @param {NodeJS.ProcessEnv} env */
const bareArgv = (env) => [bareLoop, `${env.MAR_BASE_URL}/downloads`, String(pageSize)];

async function compareTime() {
  const env = await startSandbox();
  const median = measure(
    [
      { name: 'bare', argv: bareArgv(env), env },
      { name: 'mar', argv: [...list, '--jsonl'], env },
    ],
    { times, stdout: output },
  );
  tell(`${records} records, --jsonl`, median('mar') / median('bare'), 'a bare loop', 1.3);
}

async function compareAhead() {
  const env = await startPages(5000, 20);
  const median = measure(
    [
      { name: 'bare', argv: bareArgv(env), env },
      { name: 'mar', argv: [...list, '--jsonl'], env },
    ],
    { times, stdout: output },
  );
  tell('20 ms a page, fetched ahead', median('mar') / median('bare'), 'one at a time', 1);
}

/** The most memory that a run took, in bytes. */
function peakOf(/** @type {readonly string[]} */ argv, /** @type {NodeJS.ProcessEnv} */ env) {
  const file = path.join(folder, 'peak');
  const probe = path.join(folder, 'probe.cjs');
  writeFileSync(
    probe,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.resourceUsage().maxRSS)));`,
  );
  const { status, stderr } = spawnSync(process.execPath, ['--require', probe, ...argv], {
    env,
    stdio: ['ignore', output, 'pipe'],
  });
  if (status !== 0) throw new Error(`${argv.join(' ')} exited with ${status}: ${stderr}`);
  return Number(readFileSync(file, 'utf8')) * 1024;
}

/** What `mar` can print a list as. */
function formats() {
  const { stdout } = spawnSync(process.execPath, [program, 'help', 'flags'], { encoding: 'utf8' });
  const [, names = ''] =
    /--output <format>[^:]*: ([a-z, ]+?) \(/.exec(stdout.replace(/\s+/g, ' ')) ?? [];
  if (names === '') throw new Error('mar help flags does not tell the formats');
  return names.split(', ');
}

async function compareMemory() {
  const short = await startPages(few);
  const long = await startPages(most);
  for (const format of formats()) {
    const argv = [...list, '-o', format];
    const peaks = [0, 1, 2].map(() => peakOf(argv, short)).sort((a, b) => a - b);
    const usual = peaks[1] ?? 0;
    const peak = peakOf(argv, long);
    const size = `${Math.round(peak / 2 ** 20)} MiB`;
    tell(`${most} records, -o ${format}, ${size}`, peak / usual, `memory of ${few}`, 1.5);
  }
}

try {
  console.log(`Lists: Node ${process.version}, medians of ${times} rounds`);
  await compareTime();
  await compareAhead();
  await compareMemory();
} finally {
  for (const stop of stops) stop();
  rmSync(folder, { recursive: true, force: true });
}
if (missed > 0) process.exitCode = 1;
