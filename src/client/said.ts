import type { Redactor } from '../http/redact.ts';

/** Of a message; an error is a few lines. */
const longestMessage = 2000;
/** Of a body without one. */
const longestBody = 500;
/** Of a web page, whose beginning tells. */
const longestPage = 20_000;

/** The error bodies of the service are not documented: whatever reads as a message is one. */
export function messageIn(body: string, redactor: Redactor): string {
  const message = find(parsed(body), 5);
  if (message !== undefined) {
    const start = redactor.excerpt(message, longestMessage + 1);
    return start.length > longestMessage ? `${start.slice(0, longestMessage)}…` : start;
  }
  const text = isPage(body) ? textOf(redactor.excerpt(body, longestPage)) : body;
  return redactor.excerpt(text, longestBody).replace(/\s+/g, ' ').trim();
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Not deeper than a message can be expected. */
function find(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    const found = value.map((item) => find(item, depth - 1)).filter((text) => text !== undefined);
    return found.length > 0 ? found.join('; ') : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { message, error, errors } = value as Record<string, unknown>;
  return find(message, depth - 1) ?? find(error, depth - 1) ?? find(errors, depth - 1);
}

export const isPage = (body: string) => /^\s*<(?:!doctype|html)/i.test(body);

/** What a web page says to people: proxies and gateways answer with one. */
function textOf(page: string): string {
  const [, title = ''] = /<title[^>]*>(.*?)<\/title>/is.exec(page) ?? [];
  const body = page.replace(/<(head|script|style)\b.*?<\/\1>|<!--.*?-->/gis, ' ');
  const text = body.replace(/<[^<>]*>/g, ' ').replace(/\s+/g, ' ');
  return text.trim() || title;
}
