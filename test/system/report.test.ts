import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import naughty from 'big-list-of-naughty-strings' with { type: 'json' };
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { mar, temporaryFile, temporaryFolder } from '../harness/mar.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
});
afterAll(() => browser?.close());

/** Text that would run a script or send a request if it were not escaped. */
const hostile = [
  '<script>window.hacked = 1</script>',
  '<img src="http://127.0.0.1:9/x.png" onerror="window.hacked = 1">',
  '</td></style></title><script src="http://127.0.0.1:9/x.js"></script>',
  '"><svg onload=window.hacked=1>',
  `' onmouseover='window.hacked = 1`,
  '<a href="javascript:window.hacked = 1">link</a>',
  '<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/">',
  '<link rel=stylesheet href=http://127.0.0.1:9/x.css>',
  '<style>@import "http://127.0.0.1:9/x.css";</style>',
  '<iframe src="http://127.0.0.1:9/"></iframe>',
  '<base href="http://127.0.0.1:9/">',
  '--><!-- <![CDATA[ ]]> &lt;script&gt; &#x3c;script>',
  '\u202eevil\u202c \u0000 \ud800 {{constructor.constructor("window.hacked=1")()}}',
];

/** A file in which every cue has a problem, so that its text is in the report. */
function subtitles(texts: readonly string[], name: string): string {
  const file = path.join(temporaryFolder(), name);
  mkdirSync(path.dirname(file), { recursive: true });
  const cues = texts.map((text, at) => {
    const time = new Date(at * 3000).toISOString().slice(11, 19);
    return `${at + 1}\n${time},000 --> ${time},100\n${text.replace(/\s*[\r\n]+\s*/g, ' ')} ${'x'.repeat(50)}\n`;
  });
  writeFileSync(file, cues.join('\n'));
  return file;
}

async function report(argv: readonly string[]): Promise<string> {
  const file = path.join(temporaryFolder(), 'qc.html');
  const { code, stderr } = await mar(['translation', 'check', ...argv, '--report', file]);
  expect(code, stderr).toBe(3);
  return pathToFileURL(file).href;
}

async function open(url: string, options: Parameters<Browser['newPage']>[0] = {}) {
  const page = await browser.newPage(options);
  onTestFinished(() => page.close());
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(url, { waitUntil: 'load' });
  return { page, requests, complaints };
}

/** Nothing of the text became a part of the page. */
async function expectText(page: Page) {
  const count = (selector: string) => page.locator(selector).count();
  expect(await page.evaluate('"hacked" in window')).toBe(false);
  expect(await count('script, img, iframe, link, base, form, [onload], [onclick]')).toBe(0);
  expect(await count('meta[http-equiv=refresh], [href^="javascript:" i]')).toBe(0);
}

describe('the report in a browser', () => {
  it('fits a desktop, a phone and paper, in light and dark colours', async () => {
    const cues = Array.from({ length: 1200 }, (_, at) => `Cue ${at}, ${'long '.repeat(9)}`);
    const long = subtitles(cues, 'film.eng.srt');
    const url = await report([long, subtitles(['كان أبي يحرس هذا الضوء'], 'film.ara.srt')]);
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [390, 'dark'],
      [320, 'light'],
    ] as const) {
      const { page } = await open(url, { viewport: { width, height: 800 }, colorScheme });
      const seen = await page.evaluate(`({
        fits: document.documentElement.scrollWidth <= innerWidth,
        background: getComputedStyle(document.body).backgroundColor,
        direction: getComputedStyle([...document.querySelectorAll('.row')].at(-1)).direction,
        areWide: [...document.querySelectorAll('svg.timeline')].every(
          (one) => one.clientWidth > ${width} / 2),
      })`);
      const background = colorScheme === 'dark' ? 'rgb(13, 17, 23)' : 'rgb(255, 255, 255)';
      expect(seen).toEqual({ fits: true, background, direction: 'rtl', areWide: true });
    }
    const { page } = await open(url, { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const colour = await page.evaluate('getComputedStyle(document.body).color');
    expect(colour).toBe('rgb(0, 0, 0)');
    expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('draws problems where they are on the timeline', async () => {
    const fast = `2\n00:00:07,500 --> 00:00:10,000\n${'fast '.repeat(20)}\n`;
    const text = `1\n00:00:00,000 --> 00:00:05,000\nQuiet.\n\n${fast}`;
    const { page } = await open(await report([temporaryFile(text, 'a.eng.srt')]));
    const names = ['speed', 'fast', 'error', 'warning'];
    const drawn = names.map((name) => page.locator(`.timeline path.${name}`).getAttribute('d'));
    const [speed, tooFast, ...marks] = await Promise.all(drawn);
    expect(speed).toMatch(/^M0 0V[\d.]+H500V0z$/);
    expect(tooFast).toMatch(/^M750 0V[\d.]+H1000V0z$/);
    expect(marks).toEqual(['M750 0H1000V1H750z', '']);
  });

  it('has no accessibility problem that axe finds, light or dark', async () => {
    const one = subtitles(['Hello, hello'], 'film.eng.srt');
    const sources = [one, subtitles(['كان أبي يحرس هذا الضوء'], 'film.ara.srt')];
    for (const argv of [[one], sources]) {
      const { page } = await open(await report(argv));
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        // Only the colours differ in the dark.
        const rules = colorScheme === 'dark' ? "{ runOnly: ['color-contrast'] }" : '';
        const found = await page.evaluate<axe.AxeResults>(`${axe.source}; axe.run(${rules})`);
        expect(found.passes.map(({ id }) => id)).toContain('color-contrast');
        expect(found.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      }
    }
  });

  it('runs no script, whatever the text is', async () => {
    const name = 'x</script>"><b onclick=x><img src=x onerror=window.hacked=1>.eng.srt';
    const file = subtitles([...hostile, ...naughty], name);
    const language = '"><img src=x onerror=window.hacked=1>';
    const url = await report([file, '--language', language]);
    const { page, requests, complaints } = await open(url);
    await page.mouse.move(300, 300);
    await expectText(page);
    expect(requests).toEqual([url]);
    expect(complaints).toEqual([]);
    const rows = await page.locator('.cues tbody tr').count();
    expect(rows).toBeGreaterThanOrEqual(hostile.length + naughty.length);
    const [first] = await page.locator('.cues .row').allTextContents();
    expect(first).toContain('<script>window.hacked = 1</script>');
    // A script that somebody adds to the page does not run.
    await page.evaluate(`{
      const added = document.createElement('script');
      added.textContent = 'window.hacked = 1';
      document.body.append(added);
    }`);
    expect(await page.evaluate('"hacked" in window')).toBe(false);
  });
});
