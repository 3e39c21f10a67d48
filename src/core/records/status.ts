/** The colours of a terminal's style. */
export type Colours = Readonly<Record<'green' | 'yellow' | 'red', (text: string) => string>>;

// Not all statuses of the service are documented, so the first word decides the colour.
const done = /^(submit|approve|complet|deliver|final)/i;
const waiting = /^(awaiting|incomplete|in-|pending|wip|lock|unread)/i;
const failed = /^(rejected|cancel|failed|error|expired|missing|overdue)/i;
/** No further step follows, so nothing is overdue any more. */
const settled = /^(submit|approve|complet|deliver|final|cancel|closed|archived)/i;

export function paintStatus(text: string, style: Colours): string {
  if (done.test(text)) return style.green(text);
  if (waiting.test(text)) return style.yellow(text);
  if (failed.test(text)) return style.red(text);
  return text;
}

export const paintLeading =
  (status: string) =>
  (text: string, style: Colours): string =>
    status !== '' && text.startsWith(status)
      ? paintStatus(status, style) + text.slice(status.length)
      : text;

export const isSettled = (status: string): boolean => settled.test(status);

/** Nobody goes on before something else happens. */
export const isBlocked = (status: string): boolean =>
  /^(awaiting|block|hold|on-hold|missing|paus|reject|suspend)/i.test(status);

export const isCancelled = (status: string): boolean => /^cancel/i.test(status);
