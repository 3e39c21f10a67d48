import type { Style } from './style.ts';

/*
 * The service's statuses are only partly known, so they are told apart by their words. Colour is an
 * addition: the word itself is always there.
 */
const done = /^(submit|approve|complet|deliver|final)/i;
const waiting = /^(awaiting|incomplete|in-|pending|wip|lock|unread)/i;
const failed = /^(rejected|cancel|failed|error|expired|missing|overdue)/i;
/** Nothing more is to come: what was due is no longer late. */
const settled = /^(submit|approve|complet|deliver|final|cancel|closed|archived)/i;

export function paintStatus(text: string, style: Style): string {
  if (done.test(text)) return style.green(text);
  if (waiting.test(text)) return style.yellow(text);
  if (failed.test(text)) return style.red(text);
  return text;
}

/** For a text that begins with a status: that word in its colour, the rest plain. */
export const paintLeading =
  (status: string) =>
  (text: string, style: Style): string =>
    status !== '' && text.startsWith(status)
      ? paintStatus(status, style) + text.slice(status.length)
      : text;

export const isSettled = (status: string): boolean => settled.test(status);
