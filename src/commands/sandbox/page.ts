import type { Context } from '../../context.ts';
import { MarError } from '../../errors.ts';
import { openInBrowser } from '../../terminal/browser.ts';
import type { Input } from '../command.ts';

export const pageUrl = ({ baseUrl }: { baseUrl: string }): string => new URL('/', baseUrl).href;

/** The sandbox is running, so a browser that cannot be started is only a warning. */
export async function openPage(context: Context, input: Input, running: { baseUrl: string }) {
  if (!input.options.open) return;
  try {
    await openInBrowser(pageUrl(running), context.world);
  } catch (error) {
    if (!(error instanceof MarError) || error.kind !== 'service') throw error;
    context.warn('browser', `${error.message}. ${error.details.hint ?? ''}`);
  }
}
