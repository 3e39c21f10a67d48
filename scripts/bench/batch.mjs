// Batches: the rate compared with a bare loop without a journal, the memory compared with a short batch.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { writeXlsx } from 'hucre/xlsx';
import {
  measure,
  mebibytes,
  medianOfThree,
  peakMemory,
  program,
  reportRatio,
  startServer,
} from './support/measure.mjs';

const roundCount = Number(process.env.BENCH_ROUNDS ?? 3);
const rows = Number(process.env.BENCH_ROWS ?? 10_000);
const concurrency = 4;
const folder = mkdtempSync(path.join(tmpdir(), 'mar-bench-'));
const bareWrites = fileURLToPath(new URL('support/bareWrites.mjs', import.meta.url));

/** Responds to each write at once, so that the sandbox does not slow down the memory runs. */
const fastServer = `
let count = 0;
require('node:http').createServer((request, response) => {
  request.resume().on('end', () => {
    count += 1;
    response.setHeader('Content-Type', 'application/json');
    response.end('{"_id":"wr-' + count + '"}');
  });
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
process.stdin.resume().on('end', () => process.exit());
`;

/** @type {(() => void)[]} */
const stops = [];

/** @param {string} name @param {number} count */
function writeRows(name, count) {
  const file = path.join(folder, name);
  const order = { asset: 'a-1001', language: 'fra', territory: 'FR', uses: { items: ['online'] } };
  const row = { ...order, due: { tz: 'Europe/Paris' } };
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
  MAR_LOG: path.join(folder, 'orders.jsonl'),
});

async function compareRate() {
  const sandbox = spawn(process.execPath, [program, 'sandbox', '--ephemeral', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stops.push(() => sandbox.kill());
  const [ready] = await once(createInterface({ input: sandbox.stdout }), 'line');
  const { baseUrl, email, password } = JSON.parse(ready);
  const basic = Buffer.from(`${email}:${password}`).toString('base64');
  const response = await fetch(`${baseUrl}/session`, {
    headers: { Authorization: `Basic ${basic}` },
  });
  const { token } = /** @type {{ token: string }} */ (await response.json());
  const file = writeRows('rows.jsonl', rows);
  const env = environment(baseUrl, email, token);
  const batch = [program, 'wr', 'create', '--batch', file, '--again=all', '--yes'];
  const median = measure(
    [
      { name: 'bare', argv: [bareWrites, `${baseUrl}/workrequests`, file, `${concurrency}`], env },
      { name: 'mar', argv: [...batch, '--concurrency', `${concurrency}`], env },
    ],
    { roundCount },
  );
  const ratio = median('bare') / median('mar');
  reportRatio(`${rows} creates, journal on`, ratio, "a bare loop's rate", { min: 0.75 });
}

async function compareMemory() {
  const { firstLine: port, stop } = await startServer(['-e', fastServer]);
  stops.push(stop);
  const env = environment(`http://127.0.0.1:${port}/api`, 'ines@northlight.example', 'token');
  /** @param {number} count */
  const peakOfBatch = (count) => {
    const argv = ['wr', 'create', '--batch', writeRows(`${count}.jsonl`, count)];
    const again = ['--again=all', '--yes'];
    return peakMemory([program, ...argv, ...again, '--jsonl'], env);
  };
  const shortPeak = medianOfThree(() => peakOfBatch(rows));
  const peak = peakOfBatch(10 * rows);
  const label = `${10 * rows} rows, ${mebibytes(peak)}`;
  reportRatio(label, peak / shortPeak, `memory of ${rows}`, { max: 1.6 });
}

/** The same orders as a workbook and as CSV. @param {number} count */
async function writeTables(count) {
  const heads = [
    'Asset',
    'Language',
    'Territory',
    'TZ',
    'Uses',
    'Dialogue',
    'Tags',
    'Instructions',
  ];
  const facts = ['a-1001', 'French', 'FR', 'Europe/Paris', 'online', 'subtitled', 'x'];
  const table = [heads, ...Array.from({ length: count }, (_, row) => [...facts, `row ${row + 1}`])];
  const [csv, xlsx] = ['csv', 'xlsx'].map((ending) => path.join(folder, `${count}.${ending}`));
  writeFileSync(csv ?? '', table.map((row) => `${row.join(',')}\n`).join(''));
  writeFileSync(xlsx ?? '', await writeXlsx({ sheets: [{ name: 'Orders', rows: table }] }));
  const env = { ...process.env, MAR_CONFIG_DIR: folder };
  return [csv, xlsx].map((file = '') => ({
    name: path.extname(file),
    argv: [program, 'wr', 'create', '--batch', file, '--check'],
    env,
  }));
}

async function compareWorkbooks() {
  const median = measure(await writeTables(rows), { roundCount });
  const ratio = median('.xlsx') / median('.csv');
  reportRatio(`${rows} rows of a workbook`, ratio, 'the time of CSV', { max: 3 });
  const [, workbook] = await writeTables(10 * rows);
  const peak = peakMemory(workbook?.argv ?? [], workbook?.env ?? {});
  const label = `${10 * rows} rows of a workbook, ${mebibytes(peak)}`;
  reportRatio(label, peak / 650e6, '650 MB', { max: 1 });
}

try {
  console.log(`Batches: Node ${process.version}, medians of ${roundCount} rounds`);
  await compareRate();
  await compareMemory();
  await compareWorkbooks();
} finally {
  for (const stop of stops) stop();
  rmSync(folder, { recursive: true, force: true });
}
