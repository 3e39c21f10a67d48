import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
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
}, 60_000);
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
async function expectText(page: Page, scripts: number) {
  const count = (selector: string) => page.locator(selector).count();
  expect(await page.evaluate('"hacked" in window')).toBe(false);
  expect(await count('script')).toBe(scripts);
  expect(await count('img, iframe, link, base, form, [onload], [onclick]')).toBe(0);
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
  }, 120_000);

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

  it('has no accessibility problem that axe finds, light or dark, with or without a video', async () => {
    const one = subtitles(['Hello, hello'], 'film.eng.srt');
    const sources = [one, subtitles(['كان أبي يحرس هذا الضوء'], 'film.ara.srt')];
    const video = ['--video', testVideo()];
    for (const argv of [[one], sources, [...sources, ...video]]) {
      const { page } = await open(await report(argv));
      if (argv.includes('--video')) await page.keyboard.press('n');
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
});

/** Ten seconds. Its name has characters that mean something else in an address. */
function testVideo(): string {
  const folder = path.join(temporaryFolder(), 'a "b"');
  mkdirSync(folder);
  const file = path.join(folder, `tr#1 50%?'é.mp4`);
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=160x90:rate=25:duration=10'];
  execFileSync('ffmpeg', ['-loglevel', 'error', ...picture, '-pix_fmt', 'yuv420p', file]);
  return file;
}

/** Three cues, of which the first two have problems; the second is in italics, at the top. */
const played = `1\n00:00:01,000 --> 00:00:01,200\nToo short & <3\n
2\n00:00:04,000 --> 00:00:04,400\n{\\an8}<i>Two\nlines</i>\n
3\n00:00:07,000 --> 00:00:09,000\nFine.\n`;

const playedFile = (name: string) => temporaryFile(played, name);

interface Playing {
  time: number;
  status: string;
  /** The cues on the picture, as the browser reads them. */
  shown: { html: string; line: number | 'auto' }[];
  /** The row of the current problem. */
  row?: string;
  failure?: string;
}

/** Not waitForFunction, which the policy of the page does not allow. */
const until = (page: Page, condition: string) =>
  page.evaluate(`new Promise((done) => {
    const look = () => (${condition} ? done() : requestAnimationFrame(look));
    look();
  })`);

/** The state of the nth player, when it has moved to a place in the video. */
async function playing(page: Page, at = 0): Promise<Playing> {
  const video = `document.querySelectorAll('video')[${at}]`;
  await until(page, `${video}.readyState >= 2 && !${video}.seeking`);
  return page.evaluate<Playing>(`{
    const section = document.querySelectorAll('section')[${at}];
    const markup = (cue) => {
      const box = document.createElement('div');
      box.append(cue.getCueAsHTML());
      return box.innerHTML;
    };
    ({
      time: ${video}.currentTime,
      status: section.querySelector('[role=status]').textContent,
      shown: [...${video}.textTracks[0].activeCues].map((cue) => ({ html: markup(cue), line: cue.line })),
      row: section.querySelector('[aria-current=true] .cue')?.textContent,
      failure: ${video}.error?.message,
    })
  }`);
}

describe('the report, most of it with a video', () => {
  it('plays it with the subtitles, and has keys and buttons for the next and previous problem', async () => {
    const video = testVideo();
    const url = await report([playedFile('film.eng.srt'), '--video', video]);
    const { page, requests, complaints } = await open(url);
    await page.keyboard.press('n');
    expect(await playing(page)).toEqual({
      time: 1,
      status: expect.stringMatching(/^1 of 2: warning [^;]* 0\.2 s [^;]*; error 70 /),
      shown: [{ html: 'Too short &amp; &lt;3', line: 'auto' }],
      row: '1',
    });
    await page.keyboard.press('n');
    const second = await playing(page);
    expect(second).toMatchObject({ time: 4, row: '2' });
    expect(second.shown).toEqual([{ html: '<i>Two\nlines</i>', line: 0 }]);
    await page.getByRole('button', { name: 'Next problem' }).click();
    expect(await playing(page)).toMatchObject({ time: 4, status: 'No more problems' });
    await page.getByRole('button', { name: 'Previous problem' }).click();
    expect(await playing(page)).toMatchObject({ time: 1, row: '1' });
    await page.getByRole('button', { name: '00:00:04,000' }).click();
    expect(await playing(page)).toMatchObject({ time: 4, row: '2' });
    await page.keyboard.press('p');
    expect(await playing(page)).toMatchObject({ time: 1, row: '1' });
    await page.keyboard.press('Control+n');
    expect(await playing(page)).toMatchObject({ time: 1 });
    await page.evaluate('document.querySelector("video").play()');
    await until(page, 'document.querySelector("video").currentTime > 1.2');
    expect(requests).toEqual([url, pathToFileURL(video).href]);
    expect(complaints).toEqual([]);
  });

  it('moves to the place on the timeline that is clicked, and shows the place there', async () => {
    const url = await report([playedFile('film.eng.srt'), '--video', testVideo()]);
    const { page } = await open(url);
    const { width = 0 } = (await page.locator('svg.timeline').boundingBox()) ?? {};
    await page.locator('svg.timeline').click({ position: { x: (width * 8) / 9, y: 50 } });
    const { time, shown } = await playing(page);
    expect(time).toBeCloseTo(8, 1);
    expect(shown).toEqual([{ html: 'Fine.', line: 'auto' }]);
    const place = await page.evaluate('parseFloat(document.querySelector(".playhead").style.left)');
    expect(place).toBeCloseTo((100 * 8) / 9, 0);
  });

  it('has one player for each translation, and the keys are for the one that was used last', async () => {
    const sources = [playedFile('film.eng.srt'), playedFile('film.fra.srt')];
    const { page, requests, complaints } = await open(
      await report([...sources, '--video', testVideo(), '--embed']),
    );
    await page.locator('section').nth(1).getByRole('button', { name: 'Next problem' }).click();
    await page.keyboard.press('n');
    expect(await playing(page, 1)).toMatchObject({ time: 4, row: '2' });
    expect(await playing(page, 0)).toMatchObject({ time: 0, status: '' });
    expect(requests.filter((one) => !one.startsWith('data:'))).toHaveLength(1);
    expect(complaints).toEqual([]);
    const policy = await page.locator('meta[http-equiv]').first().getAttribute('content');
    expect(policy).toContain('; media-src data:;');
  });

  it.each([
    ['', 0],
    ['but its own, with a video', 2],
  ])('runs no script %s, whatever the text is', async (how, scripts) => {
    const name = 'x</script>"><b onclick=x><img src=x onerror=window.hacked=1>.eng.srt';
    const file = subtitles([...hostile, ...naughty], name);
    const video = how === '' ? [] : ['--video', testVideo()];
    const language = '"><img src=x onerror=window.hacked=1>';
    const url = await report([file, ...video, '--language', language]);
    const { page, requests, complaints } = await open(url);
    await page.mouse.move(300, 300);
    if (how !== '') {
      await page.keyboard.press('n');
      const { shown } = await playing(page);
      expect(shown[0]?.html).toContain('&lt;script&gt;window.hacked = 1&lt;/script&gt;');
      const cues = await page.evaluate('document.querySelector("video").textTracks[0].cues.length');
      expect(cues).toBe(hostile.length + naughty.length);
    }
    await expectText(page, scripts);
    expect(requests).toHaveLength(how === '' ? 1 : 2);
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

  it('says that the video cannot be played if it is no longer there', async () => {
    const video = testVideo();
    const url = await report([playedFile('film.eng.srt'), '--video', video]);
    rmSync(video);
    const { page } = await open(url);
    await page.getByText('The video cannot be played.').waitFor();
  });
});
