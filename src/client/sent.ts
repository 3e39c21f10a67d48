import { MarError } from '../errors.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import type { Json } from '../json/value.ts';

/** A record as the service sent it, with every number as it was written. */
export function parseSent(text: string): Json {
  try {
    return parseJson(text, { lastKeyCounts: true });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const message = `the service sent a record that cannot be worked on: ${error.message}`;
    throw new MarError('service', message);
  }
}
