import { hideSecrets, namesSecret } from '../api/secrets.ts';
import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/value.ts';
import type { HttpResponse } from './message.ts';
import type { Redactor } from './redact.ts';

/*
 * What of a message's body may be printed beside a result: in errors and in traces. It is still to be
 * redacted, and cut after that.
 */

const notShown = '[not shown: it may hold a password or a token]';

/** A larger body is not worth reading for the few lines that are printed of it. */
const largestRead = 1_000_000;

export function printableResponse({ status, body, mayHoldToken }: HttpResponse): string {
  // A login that worked holds a token somewhere: only a refusal is worth printing.
  if (mayHoldToken && status < 400) return body.length === 0 ? '' : notShown;
  return printableBody(body.toString('utf8'));
}

/**
 * A body without the fields that hold secrets. JSON is read and written again, so that nothing hides
 * behind another spelling of a name; what cannot be read is not shown if it names a secret.
 */
export function printableBody(text: string): string {
  if (!text.includes('\\') && !namesSecret(text)) return text;
  if (text.length > largestRead) return notShown;
  try {
    return printJson(hideSecrets(parseJson(text, { lastKeyCounts: true }), namesSecret));
  } catch {
    return hasSecretField(unescaped(text)) ? notShown : text;
  }
}

/** Names with values, as opposed to a sentence that speaks of a token. */
function hasSecretField(text: string): boolean {
  const fields = text.match(/[\w-]+\\*(?:["']\s*[:=]|\s*[=>])/g) ?? [];
  return fields.some(namesSecret);
}

const unescaped = (text: string) =>
  text.replace(/\\u00([2-7][\da-f])/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );

/** `"token": "…"`, `token=…`: for text that is not JSON, or was cut short. */
const assignment = /([\w-]+)["']?\s*[:=]\s*["']?([^\s"'&,;<>{}]+)/g;

/** Lets the redactor know every token in the response to a login, whatever its shape. */
export function learnTokens(body: string, redactor: Redactor): void {
  for (const [, name = '', value = ''] of body.matchAll(assignment)) {
    if (namesSecret(name)) redactor.learnSecret(value);
  }
  try {
    JSON.parse(body, (name, value: unknown) => {
      if (namesSecret(name) && typeof value === 'string') redactor.learnSecret(value);
      return value;
    });
  } catch {
    // What is not JSON was searched above.
  }
}
