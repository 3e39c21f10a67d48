import { hiddenValue, namesSecretField } from '../api/secretFields.ts';
import { orUndefined } from '../errors.ts';
import { hideFields, namesSecret, redacted } from '../json/hideFields.ts';
import { parseJson } from '../json/parse.ts';
import { type Json, printJson } from '../json/value.ts';
import type { HttpResponse } from './message.ts';
import type { Redactor } from './redact.ts';

/* Bodies for errors and traces. The caller still has to redact them, and to cut them after that. */

const notShown = '[hidden: may contain a password or a token]';

/** Only a few lines are printed, so a larger body is not worth parsing. */
const maxParsedLength = 1_000_000;
/** The title is near the start of a page. */
const maxSearchedLength = 20_000;

export function printableResponse({ request, status, body }: HttpResponse): string {
  // The response to a successful login holds a token somewhere.
  if (request.mayIssueToken && status < 400) return body.length === 0 ? '' : notShown;
  return printableBody(body.toString('utf8'));
}

/**
 * A body without its secret fields. JSON is parsed, so that escapes in a name hide nothing. Of a web
 * page, only the title is worth printing.
 */
export function printableBody(text: string): string {
  if (/^\s*</.test(text)) return printableBody(titleOf(text));
  if (!text.includes('\\') && !namesSecret(text) && !namesSecretField(text)) return text;
  if (text.length > maxParsedLength) return notShown;
  try {
    return printJson(hideFields(parseJson(text, { lastKeyCounts: true }), hidden));
  } catch {
    const plain = unescaped(text);
    // The names that have a value: a sentence about a token is harmless.
    const fields = plain.match(/[\w-]+\\*(?:["']\s*[:=]|\s*=)/g) ?? [];
    return fields.some(namesSecret) || namesSecretField(plain) ? notShown : text;
  }
}

const hidden = (value: Json, name: string, parent: string) =>
  value !== null && namesSecret(name) ? redacted : hiddenValue(value, name, parent);

function titleOf(page: string): string {
  const start = page.slice(0, maxSearchedLength);
  const [, title = ''] = /<title[^<>]*>([^<]*)<\/title/i.exec(start) ?? [];
  return title.replace(/\s+/g, ' ').trim();
}

const unescaped = (text: string) =>
  text.replace(/\\u00([2-7][\da-f])/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );

/** `"token": "…"` or `token=…`, in text that is not JSON or was cut short. */
const assignment = /([\w-]+)["']?\s*[:=]\s*["']?([^\s"'&,;<>{}]+)/g;

export function learnTokens(body: string, redactor: Redactor): void {
  for (const [, name = '', value = ''] of body.matchAll(assignment)) {
    if (namesSecret(name)) redactor.learnSecret(value);
  }
  const learnField = (name: string, value: unknown) => {
    if (namesSecret(name) && typeof value === 'string') redactor.learnSecret(value);
    return value;
  };
  // Text that is not JSON was searched above.
  orUndefined(() => JSON.parse(body, learnField));
}
