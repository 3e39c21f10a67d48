import type { Style } from './style.ts';

/*
 * The service's statuses are only partly known, so they are told apart by their words. Colour is an
 * addition: the word itself is always there.
 */
const done = /^(submit|approve|complet|deliver|final)/i;
const waiting = /^(awaiting|incomplete|in-|pending|wip|lock)/i;
const failed = /^(rejected|cancel|failed|error|expired|missing)/i;

export function paintStatus(text: string, style: Style): string {
  if (done.test(text)) return style.green(text);
  if (waiting.test(text)) return style.yellow(text);
  if (failed.test(text)) return style.red(text);
  return text;
}
