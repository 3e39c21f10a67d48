import { MarError, orUndefined } from '../../errors.ts';
import { isLoopback } from '../../http/loopback.ts';
import { valueAt } from '../../json/fields.ts';
import { withoutCredentials } from '../../json/hideFields.ts';

/** The address of the page of a record, if it has a safe one. */
export function webAddress(record: unknown): string | undefined {
  const template = valueAt(record, 'urls.view');
  const id = valueAt(record, '_id');
  if (typeof template !== 'string' || typeof id !== 'string') return undefined;
  return orUndefined(() => pageAddress(template, id));
}

/** Fills in the id. Refuses an unsafe address, and one with other placeholders, such as `:code`. */
export function pageAddress(template: string, id: string): string {
  const url = URL.canParse(template) ? new URL(template) : undefined;
  const refuse = (why: string) =>
    new MarError('service', `the address of the web page ${why}`, {
      hint: `The service gave ${JSON.stringify(withoutCredentials(template))}. mar did not open it. Ask the operators of the service to correct it.`,
    });
  if (!url) throw refuse('is not a complete URL');
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) throw refuse('does not use https');
  if (url.username !== '' || url.password !== '') throw refuse('contains a user name or password');
  const path = url.href.slice(url.origin.length);
  const [other] = path.match(/:(?!workRequest\b)[A-Za-z]\w*/) ?? [];
  if (other) throw refuse(`needs ${other}, which the work request does not contain`);
  return url.origin + path.replaceAll(/:workRequest\b/g, encodeURIComponent(id));
}
