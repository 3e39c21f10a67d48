import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import naughty from 'big-list-of-naughty-strings' with { type: 'json' };
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mar, temporaryFolder } from '../harness/mar.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
}, 60_000);
afterAll(() => browser?.close());

interface Seen {
  overflow: number;
  background: string;
  direction: string;
  pictures: number[];
}

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
  const cues = texts.map((text, at) => {
    const time = new Date(at * 3000).toISOString().slice(11, 19);
    return `${at + 1}\n${time},000 --> ${time},100\n${text.replace(/\s*[\r\n]+\s*/g, ' ')} ${'x'.repeat(50)}\n`;
  });
  writeFileSync(file, cues.join('\n'));
  return file;
}

async function report(sources: readonly string[]): Promise<string> {
  const file = path.join(temporaryFolder(), 'qc.html');
  const { code, stderr } = await mar(['translation', 'check', ...sources, '--report', file]);
  expect(code, stderr).toBe(3);
  return pathToFileURL(file).href;
}

async function open(url: string, options: Parameters<Browser['newPage']>[0] = {}) {
  const page = await browser.newPage(options);
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(url, { waitUntil: 'load' });
  return { page, requests, complaints };
}

describe('the report in a browser', () => {
  it('runs no script and sends no request, whatever the text is', async () => {
    const sources = [subtitles([...hostile, ...naughty], 'a"><b onclick=x>.eng.srt')];
    const url = await report([...sources, '--language', '"><img src=x onerror=window.hacked=1>']);
    const { page, requests, complaints } = await open(url);
    await page.mouse.move(300, 300);
    expect(requests).toEqual([url]);
    expect(complaints).toEqual([]);
    const count = (selector: string) => page.locator(selector).count();
    expect(await page.evaluate('"hacked" in window')).toBe(false);
    expect(await count('script, img, iframe, link, base, form, [onload], [onclick]')).toBe(0);
    expect(await count('meta[http-equiv=refresh], [href^="javascript:" i]')).toBe(0);
    expect(await count('.cues tbody tr')).toBeGreaterThanOrEqual(hostile.length + naughty.length);
    const [first] = await page.locator('.cues .row').allTextContents();
    expect(first).toContain('<script>window.hacked = 1</script>');
    await page.close();
  });

  it('fits a desktop, a phone and paper, in light and dark colours', async () => {
    const long = subtitles(
      Array.from({ length: 1200 }, (_, at) => `Cue ${at}, ${'long '.repeat(9)}`),
      'film.eng.srt',
    );
    const url = await report([long, subtitles(['كان أبي يحرس هذا الضوء'], 'film.ara.srt')]);
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [390, 'dark'],
      [320, 'light'],
    ] as const) {
      const { page } = await open(url, { viewport: { width, height: 800 }, colorScheme });
      const seen = await page.evaluate<Seen>(`({
        overflow: document.documentElement.scrollWidth - innerWidth,
        background: getComputedStyle(document.body).backgroundColor,
        direction: getComputedStyle([...document.querySelectorAll('.row')].at(-1)).direction,
        pictures: [...document.querySelectorAll('svg.timeline')].map((one) => one.clientWidth),
      })`);
      expect(seen.overflow).toBeLessThanOrEqual(0);
      expect(seen.background).toBe(
        colorScheme === 'dark' ? 'rgb(13, 17, 23)' : 'rgb(255, 255, 255)',
      );
      expect(seen.direction).toBe('rtl');
      for (const drawn of seen.pictures) expect(drawn).toBeGreaterThan(width / 2);
      await page.close();
    }
    const { page } = await open(url, { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const colour = await page.evaluate('getComputedStyle(document.body).color');
    expect(colour).toBe('rgb(0, 0, 0)');
    expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
    await page.close();
  }, 120_000);

  it('draws problems where they are on the timeline', async () => {
    const file = path.join(temporaryFolder(), 'a.eng.srt');
    writeFileSync(
      file,
      `1\n00:00:00,000 --> 00:00:05,000\nQuiet.\n\n2\n00:00:07,500 --> 00:00:10,000\n${'fast '.repeat(20)}\n`,
    );
    const { page } = await open(await report([file]));
    const names = ['speed', 'fast', 'error', 'warning'];
    const drawn = names.map((name) => page.locator(`.timeline path.${name}`).getAttribute('d'));
    const [speed, fast, ...marks] = await Promise.all(drawn);
    expect(speed).toMatch(/^M0 0V[\d.]+H500V0z$/);
    expect(fast).toMatch(/^M750 0V[\d.]+H1000V0z$/);
    expect(marks).toEqual(['M750 0H1000V1H750z', '']);
    await page.close();
  });
});
