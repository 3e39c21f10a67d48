import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import axe from 'axe-core';
import naughtyStrings from 'big-list-of-naughty-strings' with { type: 'json' };
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fakeService } from '../harness/fakeService.ts';
import { mar } from '../harness/mar.ts';
import { basic, demo, demoSandbox, tokenOf } from '../modules/sandbox/harness.ts';
import { sandboxWords } from '../words/sandbox.ts';
import { useBrowser } from './browser.ts';

const open = useBrowser();

/** A sandbox with a logged-in user, and its page. */
async function start(options = {}) {
  const sandbox = await demoSandbox();
  const token = await tokenOf(sandbox);
  const env = { MAR_EMAIL: demo.email, MAR_TOKEN: token, MAR_BASE_URL: sandbox.baseUrl };
  const { origin } = new URL(sandbox.baseUrl);
  const opened = await open(`${origin}/`, options);
  const authorization = basic(demo.email, `token-${token}`);
  return {
    ...opened,
    origin,
    token,
    authorization,
    mar: (...argv: string[]) => mar(argv, { env }),
  };
}

/** Method, path and status of each row. Code for the browser is a string, since types here are Node's. */
const rowTexts = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('#request-rows tr')].map((row) =>
    [...row.children].slice(1, 4).map((cell) => cell.textContent.trim().replace('● ', '')).join(' '))`);

const row = (page: Page, text: string) =>
  page.locator('#request-rows tr', { hasText: text }).first();

describe('the page of the sandbox', () => {
  it('shows requests while mar runs, with everything about them but the token', async () => {
    const { page, mar, token, foreign, problems } = await start();
    await page.waitForSelector('#request-rows tr');
    expect(await rowTexts(page)).toEqual(['GET /session 200']);
    await mar('asset', 'get', 'a-1001');
    await row(page, '/assets/a-1001').waitFor();
    await mar('asset', 'put', 'a-1001', '--set', 'name=Changed', '--yes');
    await row(page, 'PUT').click();
    const detail = page.locator('#request-detail');
    await detail.locator('h2', { hasText: '200 PUT /api/assets' }).waitFor();
    await detail.getByText('Request headers').click();
    const text = await detail.innerText();
    expect(text).toMatch(/authorization\s+\[redacted\]/i);
    expect(text).toContain('"_id": "a-1001"');
    expect(text).toContain('"name": "Changed"');
    expect(await page.content()).not.toContain(token);
    expect(foreign).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('shows nothing of a list before it came, and no record whose view was left', async () => {
    const { page, problems } = await start();
    const held: Route[] = [];
    // Only the first request of the loaded page. The page before may still poll.
    await page.route('**/_sandbox/news?since=0', (route) => void held.push(route));
    await page.reload();
    await expect.poll(() => held.length).toBe(1);
    await page.getByText(sandboxWords.connecting).waitFor();
    expect(await page.locator('#no-requests').innerText()).not.toContain(sandboxWords.noRequests);
    await held[0]?.continue();
    await page.waitForSelector('#request-rows tr');
    expect(await page.locator('menu > button').count()).toBe(0);

    await goTo(page, '#records/Asset');
    const link = page.locator('#record-rows a').first();
    await link.waitFor();
    const lists: Route[] = [];
    await page.route('**/_sandbox/records', (route) => void lists.push(route));
    await link.click();
    await expect.poll(() => lists.length).toBe(1);
    await goTo(page, '#records/WorkRequest');
    await expect.poll(() => lists.length).toBe(2);
    const answered = page.waitForResponse('**/_sandbox/records');
    await lists[0]?.continue();
    await answered;
    await lists[1]?.continue();
    await page.locator('#kinds [aria-current]', { hasText: 'Work request' }).waitFor();
    expect(await page.locator('#record-detail').innerText()).toContain(sandboxWords.selectRecord);
    expect(problems).toEqual([]);
  });

  it('can be paused, filters by words and status, and is used with the keyboard alone', async () => {
    const { page, mar } = await start();
    await page.waitForSelector('#request-rows tr');
    await page.click('#pause');
    await mar('asset', 'get', 'a-1001', 'a-1002', 'nothing');
    await page.getByText('Resume (3 new)').click();
    await row(page, '/assets/nothing').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('a-1002');
    await expect.poll(() => rowTexts(page)).toEqual(['GET /assets/a-1002 200']);
    await page.fill('#search', '');
    await page.selectOption('#status', '4');
    await expect.poll(() => rowTexts(page)).toEqual(['GET /assets/nothing 404']);
    await page.selectOption('#status', '');
    await expect.poll(async () => (await rowTexts(page)).length).toBe(4);
    await page.locator('#request-rows tr').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#request-detail h2');
    const selected = await page.locator('#request-rows [aria-selected]').getAttribute('data-id');
    expect(page.url()).toMatch(new RegExp(`#requests/${selected}$`));
    await page.keyboard.press('Escape');
    await page.waitForSelector('#request-detail .empty');
    // The focus is back on the row that was open.
    const focused = () => page.evaluate('document.activeElement.dataset.id');
    expect(await focused()).toBe(selected);
    await page.goBack();
    await page.waitForSelector('#request-detail h2');
  });

  it('adds and removes faults, and explains an invalid one', async () => {
    const { page, mar } = await start();
    await page.click('text=Faults');
    await page.fill('#new-fault', '/assets/* explode');
    await page.click('text=Add');
    const error = page.locator('#fault-error');
    await expect.poll(() => error.innerText()).toContain('"explode" ');
    await page.fill('#new-fault', '/assets/* 400');
    await page.keyboard.press('Enter');
    await page.getByText('0 matched, 0 failed').waitFor();
    expect((await mar('asset', 'get', 'a-1001')).code).not.toBe(0);
    await page.click('text=Requests');
    await expect.poll(() => rowTexts(page)).toContain('GET /assets/a-1001 400fault');
    await page.click('text=Faults');
    await page.getByText('1 matched, 1 failed').waitFor();
    await page.getByText('Remove').click();
    await page.getByText('No faults.').waitFor();
    expect(await page.locator('#fault-count').innerText()).toBe('');
    expect((await mar('asset', 'get', 'a-1001')).code).toBe(0);
  });

  it('shows records with their history, and resets everything', async () => {
    const { page, mar } = await start();
    await mar('asset', 'put', 'a-1001', '--set', 'name=Changed', '--yes');
    await page.click('text=Records');
    await page.click('.chip:has-text("Work request")');
    await page.click('#record-rows a:has-text("wr-2002")');
    await page.locator('#record-detail .history li').first().waitFor();
    await page.click('.chip:has-text("Asset")');
    await page.fill('#record-search', 'changed');
    await expect.poll(() => page.locator('#record-rows a').count()).toBe(1);
    await page.click('#record-rows a');
    await page.locator('#record-detail', { hasText: '"name": "Changed"' }).waitFor();
    await page.click('header >> text=Accounts');
    await page.locator('#account-rows', { hasText: 'ines@northlight.example' }).waitFor();

    await page.click('#reset');
    await page.click('dialog >> text=Cancel');
    await page.click('#reset');
    await page.click('dialog >> button:has-text("Reset")');
    await page.getByText(sandboxWords.wasReset).waitFor();
    await page.click('header >> text=Requests');
    await page.getByText(sandboxWords.noRequests).waitFor();
    const { stdout, code } = await mar('asset', 'get', 'a-1001', '--jq', '.name');
    expect([code, stdout]).toEqual([0, 'The Harbor Light – Trailer A\n']);
    await row(page, '/assets/a-1001').waitFor();
  });

  it('changes a record as somebody else, and shows the difference before', async () => {
    const { page, mar, problems } = await start();
    await openEditor(page, 'WorkRequest/wr-2001');
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByText(sandboxWords.noChanges).waitFor();
    expect(await save.isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Status' }).fill('complete');
    await page.getByLabel('Reason').fill('Approved "as is"');
    await page.getByLabel('Due').fill('2031-05-01T12:00');
    await page.getByLabel('Change it as').selectOption('u-marc');
    expect(await page.locator('.editor .added').allInnerTexts()).toEqual([
      expect.stringMatching(/^\+ {5}"date": 19354\d+,$/),
      '+   "status": "complete",',
      '+   "reason": "Approved \\"as is\\"",',
    ]);
    expect(await page.locator('.history li').count()).toBe(3);
    await save.click();
    await page.getByText('Saved as u-marc.').waitFor();
    await page.locator('.history li', { hasText: 'Marc Dubois · Approved "as is"' }).waitFor();
    const { stdout } = await mar('wr', 'get', 'wr-2001', '--jq', '[.status, .due.date]');
    const due = await page.evaluate("new Date('2031-05-01T12:00').getTime()");
    expect(JSON.parse(stdout)).toEqual(['complete', due]);
    expect(problems).toEqual([]);
  });

  it('changes the JSON of a record, keeps digits and hides passwords', async () => {
    const { page, mar } = await start();
    await mar('asset', 'put', 'a-1001', '--set', 'big=9007199254740993', '--set', 'x=1', '--yes');
    await openEditor(page, 'Asset/a-1001');
    const json = page.getByRole('textbox', { name: 'Record' });
    const text = await json.inputValue();
    await json.fill(`${text}}`);
    await page.getByText(sandboxWords.notJson).waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await json.fill(text.replace('"x": 1', '"x": 2.0'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved as u-tom.').waitFor();
    const { stdout } = await mar('asset', 'get', 'a-1001', '--json');
    expect(stdout).toMatch(/"big":9007199254740993,"x":2\.0/);
    await openEditor(page, 'User/u-tom');
    expect(await json.inputValue()).toContain('"password": "[redacted]"');
  });

  it('refuses to save a record that changed meanwhile, and shows the new version', async () => {
    const { page, mar } = await start();
    await openEditor(page, 'Asset/a-1001');
    const json = page.getByRole('textbox', { name: 'Record' });
    const text = await json.inputValue();
    await json.fill(text.replace('"mediaType": "video"', '"mediaType": "audio"'));
    await mar('asset', 'put', 'a-1001', '--set', 'name=Theirs', '--yes');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(sandboxWords.changedMeanwhile).waitFor();
    expect(await page.locator('.editor .removed').allInnerTexts()).toEqual([
      expect.stringContaining('"name": "Theirs"'),
      expect.stringContaining('"mediaType": "video"'),
    ]);
    const { stdout } = await mar('asset', 'get', 'a-1001', '--jq', '[.name, .mediaType]');
    expect(JSON.parse(stdout)).toEqual(['Theirs', 'video']);
    await page.getByText('Undo my changes').click();
    await page.getByText(sandboxWords.noChanges).waitFor();
    expect(await json.inputValue()).toContain('"name": "Theirs"');
  });

  it('shows times as the browser does, and kinds in words', async () => {
    const { page, mar } = await start({ locale: 'de-DE', timezoneId: 'Europe/Berlin' });
    await mar('asset', 'put', 'a-1001', '--set', 'name=Changed', '--yes');
    await row(page, 'PUT').click();
    const detail = page.locator('#request-detail');
    await detail.locator('h2', { hasText: '/api/assets' }).waitFor();
    expect(await detail.locator('header').innerText()).toMatch(/\d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d/);
    await goTo(page, '#records/WorkRequest/wr-2001');
    const record = page.locator('#record-detail');
    await record.locator('h2', { hasText: 'Work request wr-2001' }).waitFor();
    expect(await record.locator('header').innerText()).toMatch(
      /in-progress · due \d\d\.\d\d\.\d{4}, .* · created \d\d\.\d\d\.\d{4}, /,
    );
    expect(await record.locator('.history').innerText()).toMatch(/\d\d\.\d\d\.\d{4}, /);
  });

  it('has no problem that axe finds, in light and dark mode', async () => {
    const { page, mar } = await start({ colorScheme: 'light' });
    await mar('asset', 'put', 'a-1001', '--set', 'name=Changed', '--yes');
    await mar('asset', 'get', 'nothing');
    await row(page, '404').waitFor();
    await page.evaluate(axe.source);
    const find = async (rules = '') => {
      const found = await page.evaluate<axe.AxeResults>(`axe.run(${rules})`);
      return found.violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
    };
    const scroll = "getComputedStyle(document.querySelector('.scroll')).backgroundColor";
    const check = async () => {
      expect(await page.evaluate(scroll)).toBe('rgb(255, 255, 255)');
      expect(await find()).toEqual([]);
      // The rest is the same in the dark.
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await page.evaluate(scroll)).toBe('rgb(26, 31, 39)');
      expect(await find("{ runOnly: ['color-contrast'] }")).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
    };
    await check();
    await row(page, 'PUT').click();
    await page.locator('#request-detail h2').waitFor();
    await check();
    await openEditor(page, 'WorkRequest/wr-2001');
    await page.getByRole('combobox', { name: 'Status' }).fill('complete');
    await check();
    await goTo(page, '#records/Asset/a-1001');
    await page.locator('#record-detail h2').waitFor();
    await check();
    await goTo(page, '#accounts');
    await page.locator('#account-rows tr').first().waitFor();
    await check();
    await goTo(page, '#faults');
    await page.getByText('Kinds of faults').click();
    await check();
    await page.click('#reset');
    await check();
  });

  it('fits a phone: nothing is wider than the screen, and a request covers the list', async () => {
    const { page, mar } = await start({ viewport: { width: 360, height: 640 } });
    await mar('wr', 'get', 'wr-2001');
    const widest = () => page.evaluate('document.documentElement.scrollWidth');
    for (const view of ['requests', 'records/WorkRequest', 'records/User', 'accounts', 'faults']) {
      await goTo(page, `#${view}`);
      await page
        .locator(`#view-${view.split('/')[0]} :is(tbody tr, li)`)
        .first()
        .waitFor();
      expect([view, await widest()]).toEqual([view, 360]);
    }
    await page.click('header >> text=Requests');
    await row(page, 'wr-2001').click();
    await page.locator('#request-detail h2').waitFor();
    expect(await page.locator('#request-rows').isVisible()).toBe(false);
    expect(await widest()).toBe(360);
    await page.click('text=← Requests');
    await row(page, 'wr-2001').waitFor();
  });
});

describe('many requests at once', () => {
  /** `npm run bench` sends 1,000 a second for a minute, and compares memory. */
  it('the page shows the newest ones, stays small and reacts', async () => {
    const { page, origin, authorization } = await start();
    const count = 2500;
    const headers = { Authorization: authorization };
    const sendAll = async (from: number) => {
      for (let at = from; at < count; at += 16) {
        const response = await fetch(`${origin}/api/assets/a-${at}`, { headers });
        await response.arrayBuffer();
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, from) => sendAll(from)));
    const total = page.locator('#request-count');
    await expect.poll(() => total.innerText()).toBe('2,501');
    await expect.poll(() => page.locator('#request-rows tr').count()).toBe(200);
    const metrics = await page.context().newCDPSession(page);
    await metrics.send('HeapProfiler.collectGarbage');
    const { usedSize } = await metrics.send('Runtime.getHeapUsage');
    expect(usedSize).toBeLessThan(16 * 1024 * 1024);
    await page.fill('#search', 'a-2321');
    await expect.poll(() => rowTexts(page)).toEqual(['GET /assets/a-2321 404']);
  });
});

describe('hostile strings', () => {
  const payloads = [
    '<img src=x onerror="window.ran=1">',
    '<script>window.ran=1</script>',
    '"><svg onload=window.ran=1>',
    "javascript:window.ran=1//'",
    '{{constructor.constructor("window.ran=1")()}}',
    '</pre><iframe src="http://evil.example/"></iframe>',
    '<link rel=stylesheet href=//evil.example/x.css><style>@import "//evil.example"</style>',
    '\u202e\u0000\u001b[31m\u2028</title>',
  ];

  it('are text in every field: no script runs, and no request goes to another host', async () => {
    const { page, origin, authorization, foreign, problems } = await start();
    const { port } = new URL(origin);
    const send = async (
      method: string,
      path: string,
      headers: Record<string, string>,
      body?: string | object,
    ) => {
      const options = { host: '127.0.0.1', port, method, path, agent: false, headers };
      const sent = httpRequest(options).end(typeof body === 'object' ? JSON.stringify(body) : body);
      const [response] = await once(sent, 'response');
      await once(response.resume(), 'end');
    };
    const json = { Authorization: authorization, 'Content-Type': 'application/json' };
    const naughty = naughtyStrings.filter((text) => /[<"'&]/.test(text));
    for (const payload of [...naughty.slice(0, 26), ...payloads]) {
      const printable = payload.replaceAll(/[^\x20-\x7e]/g, '?');
      const _id = payload.replaceAll(/\p{C}/gu, '?').slice(0, 200) || 'x';
      const record = { _id, name: payload, [payload]: payload };
      const credentials = Buffer.from(`${printable}@evil.example:token-x`).toString('base64');
      await send('PUT', '/api/assets', { ...json, 'X-Hostile': printable }, record);
      await send('GET', `/api/assets/${encodeURIComponent(payload.toWellFormed())}`, json);
      await send('GET', '/api/downloads?q=%3Cscript%3E', { ...json, 'X-Range': printable });
      const other = { Authorization: `Basic ${credentials}` };
      await send('GET', `/api/${printable.replaceAll(/[\s]/g, '')}`, other);
      await send('POST', '/api/files', json, payload);
      const history = [{ status: payload, reason: payload, user: { name: payload } }];
      await send('POST', '/api/workrequests', json, { instructions: payload, history });
    }
    const user = { name: payloads[0], emailNormal: 'tom@northlight.example' };
    await send('PUT', '/api/session/u-tom', json, user);
    const faults = ['/assets/<svg><script>window.ran=1 500'];
    await send('PUT', '/_sandbox/faults', { 'Content-Type': 'application/json' }, { faults });
    await row(page, 'workrequests').waitFor();
    await page.locator('#request-rows tr').nth(199).waitFor({ state: 'attached' });
    const ids = await page.evaluate<string[]>(
      "[...document.querySelectorAll('#request-rows tr')].map((row) => row.dataset.id)",
    );
    // Those of `payloads`, which came last, and a few before.
    for (const id of ids.slice(0, 60)) {
      const loaded = page.waitForResponse(`**/_sandbox/requests/${id}`);
      await goTo(page, `#requests/${id}`);
      await loaded;
      await page.locator('#request-detail h2').waitFor();
    }
    for (const view of ['#records/Asset', '#records/WorkRequest', '#accounts', '#faults']) {
      await goTo(page, view);
      if (!view.startsWith('#records')) continue;
      const links = page.locator('#record-rows a');
      await links.first().waitFor();
      for (let at = 0; at < 12; at += 1) {
        await links.nth(at).click();
        await page.locator('#record-detail h2').waitFor();
      }
    }
    await page.locator('#fault-rows', { hasText: '<svg><script>window.ran=1' }).waitFor();
    expect(await page.evaluate('window.ran')).toBeUndefined();
    const parts = ['img', 'iframe', 'script', 'svg', 'style'].map((tag) => `main ${tag}`);
    expect(await page.locator(parts.join()).count()).toBe(0);
    expect(foreign).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('a page of another site can neither read, frame nor drive the sandbox', async () => {
    const { page, origin } = await start();
    const recordUrl = `${origin}/_sandbox/records/Asset/a-1001`;
    const record = (await (await fetch(recordUrl)).json()) as { text: string; version: string };
    // All that a page would have to know.
    const edit = { version: record.version, text: record.text.replace('Trailer A', 'Hacked') };
    const attacker = await startAttacker(origin, JSON.stringify(edit));
    for (const host of ['127.0.0.1', 'evil.example']) {
      await page.goto(`http://${host}:${attacker}/`);
      await page.waitForFunction("document.title === 'done'");
      expect(JSON.parse((await page.textContent('pre')) ?? '')).toEqual({
        read: 'blocked',
        reset: 'blocked',
        faults: 'blocked',
        record: 'blocked',
        script: 'blocked',
        // Sent without being readable; the server refuses it.
        form: 'blocked',
      });
      const frame = page.frames().find((one) => one.parentFrame());
      expect(await frame?.locator('#live').count()).toBe(0);
    }
    expect(await (await fetch(recordUrl)).json()).toEqual(record);
    // The reset did not happen.
    const { requests } = (await (await fetch(`${origin}/_sandbox/requests`)).json()) as {
      requests: unknown[];
    };
    expect(requests.length).toBeGreaterThan(0);
  });
});

const openEditor = async (page: Page, record: string) => {
  await goTo(page, `#records/${record}`);
  await page.getByText('Change this record as somebody else').click();
};

const goTo = (page: Page, hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);

/** A web server whose page tries everything that a page can do to another origin. Returns its port. */
async function startAttacker(target: string, edit: string): Promise<string> {
  const script = `
    const results = {};
    const attempt = async (name, work) => {
      results[name] = (await Promise.resolve().then(work).catch(() => false)) ? 'worked' : 'blocked';
    };
    const element = (tag, attributes) => new Promise((resolve) => {
      const made = Object.assign(document.createElement(tag), attributes);
      made.onload = () => resolve(true);
      made.onerror = () => resolve(false);
      document.body.append(made);
    });
    const url = (path) => ${JSON.stringify(target)} + path;
    const json = { headers: { 'Content-Type': 'application/json' }, body: '{"faults":[]}' };
    addEventListener('load', async () => {
      await attempt('read', async () => (await fetch(url('/_sandbox/requests'))).ok);
      await attempt('reset', async () => (await fetch(url('/_sandbox/reset'), { method: 'POST', ...json })).ok);
      await attempt('faults', async () => (await fetch(url('/_sandbox/faults'), { method: 'PUT', ...json })).ok);
      await attempt('record', async () => (await fetch(url('/_sandbox/records/Asset/a-1001'), { method: 'PUT', ...json, body: ${JSON.stringify(edit)} })).ok);
      await attempt('script', () => element('script', { src: url('/_sandbox/page.js') }));
      await attempt('form', async () => (await fetch(url('/_sandbox/reset'), { method: 'POST', mode: 'no-cors', body: '{}' })).ok);
      await element('iframe', { src: url('/') });
      document.querySelector('pre').textContent = JSON.stringify(results);
      document.title = 'done';
    });`;
  const body = `<!doctype html><pre></pre><script>${script}</script>`;
  const { baseUrl } = await fakeService(() => ({ headers: { 'Content-Type': 'text/html' }, body }));
  return new URL(baseUrl).port;
}
