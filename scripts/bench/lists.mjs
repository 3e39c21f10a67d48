// Long lists: the time compared with a bare loop over the same pages, the memory compared with a short
// list.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { rawText } from '../esbuildPlugins.mjs';
import {
  measure,
  mebibytes,
  medianOfThree,
  peakMemory,
  program,
  reportRatio,
  startServer,
} from './support/measure.mjs';

const roundCount = Number(process.env.BENCH_ROUNDS ?? 5);
const records = Number(process.env.BENCH_RECORDS ?? 100_000);
const maxRecords = 10 * records;
const minRecords = records / 10;
const pageSize = 100;

const root = fileURLToPath(new URL('../..', import.meta.url));
const bareLoop = path.join(root, 'scripts/bench/support/bareLoop.mjs');
const pageServer = path.join(root, 'scripts/bench/support/pages.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'mar-bench-'));
const output = openSync(path.join(folder, 'output'), 'w');
const list = [program, 'downloads', 'list', '--all'];

/** @type {(() => void)[]} */
const stops = [];

/** @param {string} baseUrl */
const environment = (baseUrl, token = 'token') => ({
  ...process.env,
  MAR_CONFIG_DIR: folder,
  MAR_BASE_URL: baseUrl,
  MAR_EMAIL: 'ines@northlight.example',
  MAR_TOKEN: token,
});

/** Starts a sandbox with that many downloads, and logs in. */
async function startSandbox() {
  const outfile = path.join(folder, 'sandbox.mjs');
  const contents = `
    import { startSandbox } from './src/modules/sandbox/start.ts';
    const { baseUrl, email, password } = await startSandbox(JSON.parse(process.argv[2]));
    const basic = Buffer.from(email + ':' + password).toString('base64');
    const response = await fetch(baseUrl + '/session', { headers: { Authorization: 'Basic ' + basic } });
    console.log(JSON.stringify({ baseUrl, ...(await response.json()) }));
    process.stdin.resume().on('end', () => process.exit());
  `;
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['libsql'],
    plugins: [rawText],
    logLevel: 'error',
  });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  const options = { dataDir: path.join(folder, 'data'), downloads: records };
  const { firstLine, stop } = await startServer([outfile, JSON.stringify(options)]);
  stops.push(stop);
  const { baseUrl, token } = JSON.parse(firstLine);
  return environment(baseUrl, token);
}

/** @param {number} total @param {number} [delayMs] */
async function startPages(total, delayMs = 0) {
  const { firstLine, stop } = await startServer([pageServer, String(total), String(delayMs)]);
  stops.push(stop);
  return environment(firstLine);
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
    { roundCount, stdout: output },
  );
  const ratio = median('mar') / median('bare');
  reportRatio(`${records} records, --jsonl`, ratio, 'a bare loop', { max: 1.3 });
}

async function comparePrefetch() {
  const env = await startPages(records / 20, 20);
  const median = measure(
    [
      { name: 'bare', argv: bareArgv(env), env },
      { name: 'mar', argv: [...list, '--jsonl'], env },
    ],
    { roundCount, stdout: output },
  );
  const ratio = median('mar') / median('bare');
  reportRatio('20 ms a page, one ahead', ratio, 'a bare loop', { max: 1.3 });
}

/** The output formats, as the help lists them. */
function outputFormats() {
  const argv = [program, 'help', 'output', '--json'];
  const { stdout } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  /** @type {{ flags: { names: string[], values: string[] }[] }} */
  const { flags } = JSON.parse(stdout);
  const format = flags.find(({ names }) => names.includes('--output-format'));
  if (!format) throw new Error('mar help output does not list the formats');
  return format.values;
}

async function compareMemory() {
  const short = await startPages(minRecords);
  const long = await startPages(maxRecords);
  for (const format of outputFormats()) {
    const argv = [...list, '-o', format];
    const shortPeak = medianOfThree(() => peakMemory(argv, short, output));
    const peak = peakMemory(argv, long, output);
    const label = `${maxRecords} records, -o ${format}, ${mebibytes(peak)}`;
    reportRatio(label, peak / shortPeak, `memory of ${minRecords}`, { max: 2 });
  }
}

try {
  console.log(`Lists: Node ${process.version}, medians of ${roundCount} rounds`);
  await compareTime();
  await comparePrefetch();
  await compareMemory();
} finally {
  for (const stop of stops) stop();
  rmSync(folder, { recursive: true, force: true });
}
