import { MarError } from '../../errors.ts';
import { isLoopback } from '../../http/loopback.ts';
import { withoutCredentials } from '../../http/redact.ts';

/** Pages of the service's client application, by their names in a record's `urls`. */
export const pageNames = ['view', 'manage', 'invite', 'translate'] as const;

export interface PageAddress {
  url: string;
  /** The placeholders that nothing is known for: `:code`. */
  missing: string[];
}

const placeholder = /:([A-Za-z]\w*)/g;

/** The address of a page, with the work request filled in. What no browser should open is refused. */
export function pageAddress(template: string, page: string, id: string): PageAddress {
  const url = URL.canParse(template) ? new URL(template) : undefined;
  const refuse = (why: string) =>
    new MarError('service', `the address of the page ${page} ${why}`, {
      hint: `it is ${JSON.stringify(withoutCredentials(template))}, and is not opened`,
    });
  if (!url) throw refuse('is not a whole one');
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) throw refuse('is not https');
  if (url.username !== '' || url.password !== '') throw refuse('holds a user name or password');
  const missing = new Set<string>();
  const filled = url.href.slice(url.origin.length).replace(placeholder, (whole, name: string) => {
    if (name === 'workRequest') return encodeURIComponent(id);
    missing.add(whole);
    return whole;
  });
  return { url: url.origin + filled, missing: [...missing] };
}
