import { MarError, orUndefined } from '../../errors.ts';
import { isLoopback } from '../../http/loopback.ts';
import { valueAt } from '../../json/fields.ts';
import { withoutCredentials } from '../../json/hideFields.ts';

/** The address of the page of a record, if it has a safe one. */
export function webAddress(record: unknown): string | undefined {
  const template = valueAt(record, 'urls.view');
  const id = valueAt(record, '_id');
  if (typeof template !== 'string' || typeof id !== 'string') return undefined;
  const page = orUndefined(() => pageAddress(template, 'view', id));
  return page?.missing.length === 0 ? page.url : undefined;
}

/** Fills in the id, and lists placeholders without a value (`:code`). Refuses an unsafe address. */
export function pageAddress(template: string, page: string, id: string) {
  const url = URL.canParse(template) ? new URL(template) : undefined;
  const refuse = (why: string) =>
    new MarError('service', `the address of the ${page} page ${why}`, {
      hint: `The service gave ${JSON.stringify(withoutCredentials(template))}. mar did not open it. Ask the operators of the service to correct it.`,
    });
  if (!url) throw refuse('is not a complete URL');
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) throw refuse('does not use https');
  if (url.username !== '' || url.password !== '') throw refuse('contains a user name or password');
  const missing = new Set<string>();
  const path = url.href.slice(url.origin.length).replace(/:[A-Za-z]\w*/g, (placeholder) => {
    if (placeholder === ':workRequest') return encodeURIComponent(id);
    missing.add(placeholder);
    return placeholder;
  });
  return { url: url.origin + path, missing: [...missing] };
}
