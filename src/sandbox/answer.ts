import { createHash, randomUUID } from 'node:crypto';
import type { Refusal } from './refusal.ts';

/** What goes back to the client: always JSON text. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One record, with the tag that a later write can be guarded with. */
export function recordAnswer(text: string): Answer {
  return { status: 200, headers: { ETag: entityTag(text) }, body: text };
}

export function refusalAnswer({ status, code, message, field, headers }: Refusal): Answer {
  return { status, headers, body: JSON.stringify({ error: { code, message, field } }) };
}

/** What every answer carries. */
export function answerHeaders({ headers, body }: Answer): Record<string, string> {
  return {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': randomUUID(),
  };
}

/** Strong: two records have the same tag only if they are the same text. */
function entityTag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

/** Whether an `If-Match` header allows a write over the record with this text. */
export function matchesTag(ifMatch: string, text: string): boolean {
  const tag = entityTag(text);
  return ifMatch.split(',').some((given) => given.trim() === '*' || given.trim() === tag);
}
