// Sends 1,000 requests a second to the sandbox while its page is open, and checks that the memory of both
// stays flat and that the page stays responsive.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { mebibytes, program, reportRatio } from './support/measure.mjs';

const seconds = Number(process.env.BENCH_SECONDS ?? 60);
const rate = 1000;
const tickMs = 10;
/** The log is full after a third of the time. The second and the last third are compared. */
const thirds = [0, 0, 0];
/** A delay that people notice while they click and type. */
const maxLagMs = 500;

const argv = [program, 'sandbox', '--ephemeral', '--json', '--port', '0'];
const sandbox = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** @param {string} url @param {import('node:http').RequestOptions} options @returns {Promise<string>} */
const send = (url, options) =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, ...options }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve(text);
    });
    sent.on('error', reject);
    sent.end();
  });

try {
  const [ready] = await once(createInterface({ input: sandbox.stdout }), 'line');
  const { baseUrl, email, password } = JSON.parse(ready);
  /** @param {string} secret */
  const headers = (secret) => ({
    Authorization: `Basic ${Buffer.from(`${email}:${secret}`).toString('base64')}`,
  });
  const { token } = JSON.parse(await send(`${baseUrl}/session`, { headers: headers(password) }));
  const page = await browser.newPage();
  const metrics = await page.context().newCDPSession(page);
  await metrics.send('Performance.enable');
  await page.goto(new URL('/', baseUrl).href);
  // How late a timer of 50 ms is: the time for which the page did not react.
  await page.evaluate(`{
    window.lags = [];
    let last = performance.now();
    setInterval(() => {
      window.lags.push(performance.now() - last - 50);
      last = performance.now();
    }, 50);
  }`);

  const authorized = { headers: headers(`token-${token}`) };
  let count = 0;
  let failed = 0;
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  /** @type {Set<Promise<unknown>>} */
  const waiting = new Set();
  let nextSample = 0;
  while (elapsed() < seconds) {
    const due = Math.floor(elapsed() * rate) - count;
    for (let left = due; left > 0 && waiting.size < 1000; left -= 1) {
      count += 1;
      const path = count % 10 === 0 ? '/downloads' : `/assets/a-10${10 + (count % 3)}`;
      const work = send(baseUrl + path, authorized).catch(() => {
        failed += 1;
      });
      waiting.add(work);
      void work.finally(() => waiting.delete(work));
    }
    if (elapsed() >= nextSample && elapsed() < seconds) {
      const third = Math.floor((3 * elapsed()) / seconds);
      thirds[third] = Math.max(thirds[third] ?? 0, serverMemory());
      nextSample += 0.25;
    }
    await pause(tickMs);
  }
  await Promise.all(waiting);
  const sentPerSecond = count / elapsed();
  const { heap, busy } = await pageMetrics();
  /** @type {number[]} */
  const lags = await page.evaluate('window.lags');
  lags.sort((a, b) => a - b);
  const lag = lags[Math.floor(lags.length * 0.99)] ?? 0;
  /** @type {number} */
  const rows = await page.evaluate("document.querySelectorAll('#request-rows tr').length");

  console.log(`Sandbox: ${count} requests in ${seconds} s, ${failed} failed, ${rows} rows shown`);
  reportRatio('requests a second', sentPerSecond / rate, `${rate}`, { min: 0.9 });
  const [, middle = 1, last = 1] = thirds;
  const label = `peak memory of the sandbox, ${mebibytes(last)}`;
  reportRatio(label, last / middle, mebibytes(middle), { max: 1.25 });
  reportRatio(`heap of the page, ${mebibytes(heap)}`, heap / 2 ** 20 / 16, '16 MiB', { max: 1 });
  reportRatio('work of the page', busy / elapsed(), 'the time', { max: 0.5 });
  const delay = `delay of the page, 99 %: ${Math.round(lag)} ms`;
  reportRatio(delay, lag / maxLagMs, `${maxLagMs} ms`, { max: 1 });

  function serverMemory() {
    const status = readFileSync(`/proc/${sandbox.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
  }

  /** Bytes of objects after garbage collection, and the seconds that the main thread worked. */
  async function pageMetrics() {
    await metrics.send('HeapProfiler.collectGarbage');
    const { metrics: values } = await metrics.send('Performance.getMetrics');
    const metric = (/** @type {string} */ wanted) =>
      values.find(({ name }) => name === wanted)?.value ?? 0;
    return { heap: metric('JSHeapUsedSize'), busy: metric('TaskDuration') };
  }
} finally {
  await browser.close();
  sandbox.kill();
  agent.destroy();
}
