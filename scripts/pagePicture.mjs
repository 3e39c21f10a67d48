// Takes pictures of the sandbox's page after some commands (docs/sandbox/sandbox.png, and build/sandbox-phone.png
// to check how it looks on a phone in dark mode), and of a report on subtitles (docs/subtitles/report.png).
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const commands = [
  ['asset', 'get', 'a-1001'],
  ['wr', 'get', 'wr-2001', 'wr-2002', 'wr-9999'],
  ['downloads', 'list', '--limit', '20'],
  ['asset', 'get', 'a-1003'],
  ['asset', 'get', 'a-1003'],
  [
    'wr',
    'create',
    '--asset',
    'a-1001',
    '--language',
    'ita',
    '--territory',
    'ITA',
    '--use',
    'online',
    '--yes',
  ],
  ['asset', 'put', 'a-1002', '--set', 'name=The Harbor Light – Trailer C', '--yes'],
];
const faults = ['/assets/a-1003 503 50%', '/workrequests 429 5%'];

const program = fileURLToPath(new URL('../bin/mar.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'mar-picture-'));
const env = { ...process.env, MAR_CONFIG_DIR: folder, MAR_STATE_DIR: folder };
const flags = faults.flatMap((fault) => ['--fault', fault]);
const sandbox = spawn(
  process.execPath,
  [program, 'sandbox', '--login', '--json', '--data', path.join(folder, 'data'), ...flags],
  { env, stdio: ['ignore', 'pipe', 'inherit'] },
);
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const [ready] = await once(createInterface({ input: sandbox.stdout }), 'line');
  const page = await browser.newPage({
    viewport: { width: 1120, height: 560 },
    locale: 'en-GB',
  });
  await page.goto(new URL('/', JSON.parse(ready).baseUrl).href);
  for (const command of commands) {
    // One of them asks for a record that does not exist.
    spawnSync(process.execPath, [program, ...command], { env, stdio: 'ignore' });
  }
  const changed = page.locator('#request-rows tr', { hasText: 'PUT' });
  await changed.click();
  await page.locator('#request-detail h2').waitFor();
  await takePicture(page, 'docs/sandbox/sandbox.png');
  await page.setViewportSize({ width: 390, height: 780 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.click('text=← Requests');
  await changed.waitFor();
  mkdirSync('build', { recursive: true });
  await page.screenshot({ path: 'build/sandbox-phone.png' });
  const report = await browser.newPage({ viewport: { width: 800, height: 1000 } });
  await report.goto(pathToFileURL(makeReport()).href);
  await takePicture(report, 'docs/subtitles/report.png');
} finally {
  await browser.close();
  sandbox.kill();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * With 256 colours: a third of the size.
 * @param {import('playwright-core').Page} page
 * @param {string} file
 */
async function takePicture(page, file) {
  const full = path.join(folder, 'page.png');
  await page.screenshot({ path: full });
  ffmpeg('-i', full, '-vf', 'split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none', file);
}

/** @param {string[]} argv */
function ffmpeg(...argv) {
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...argv], { stdio: 'inherit' });
}

function makeReport() {
  const report = path.join(folder, 'qc.html');
  const command = ['translation', 'check', 'wr-2009', '--report', report];
  // The translation has errors, so the command fails.
  spawnSync(process.execPath, [program, ...command], { env, stdio: 'ignore' });
  return report;
}
