import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

export interface OpenPage {
  page: Page;
  /** Requests to any other origin. */
  foreign: string[];
  /** Errors and warnings of the browser: exceptions, and what the security policy blocked. */
  problems: string[];
}

/** Debian's Chromium, started once for a file. */
export function useBrowser() {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      // Chromium's own sandbox does not work for root in a container. The name is for DNS rebinding.
      args: ['--no-sandbox', '--host-resolver-rules=MAP evil.example 127.0.0.1'],
    });
  });
  afterAll(() => browser.close());

  /** Opens an address in a new context, which has no memory of others. */
  return async function open(url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
    const { origin } = new URL(url);
    const permissions = ['clipboard-read', 'clipboard-write'];
    const context = await browser.newContext({ permissions, ...options });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(180_000);
    const page = await context.newPage();
    const foreign: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== origin) foreign.push(request.url());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    await page.goto(url);
    await page.waitForSelector('#live.on');
    return { page, foreign, problems };
  };
}
