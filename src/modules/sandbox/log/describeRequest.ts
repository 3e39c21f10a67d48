import { printableBody } from '../../../core/http/printable.ts';
import { isSecretHeader, Redactor } from '../../../core/http/redact.ts';
import { namesSecret, redacted } from '../../../core/json/hideFields.ts';
import type { LoggedMessage, LoggedRequest } from './requestLog.ts';

/** Texts are redacted before they are cut, so more is kept than is shown. */
const maxShownLength = 64 * 1024;

/** One line of the log. Like all of this file, without secrets. */
export function summaryOf(entry: LoggedRequest) {
  const { id, time, tookMs, method, response, note = null } = entry;
  const { user, redactor } = credentialsOf(entry);
  return {
    id,
    time,
    tookMs,
    method,
    path: redactor.clean(withoutSecretParameters(entry.target)),
    status: response?.status ?? null,
    user,
    note,
  };
}

export function describeRequest(entry: LoggedRequest) {
  const { redactor } = credentialsOf(entry);
  const { request, response } = entry;
  return {
    ...summaryOf(entry),
    request: describeMessage(request, redactor),
    response: response ? describeMessage(response, redactor) : null,
  };
}

function describeMessage({ headers, body, bodyBytes }: LoggedMessage, redactor: Redactor) {
  const shown: [name: string, value: string][] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2);
    shown.push([name, isSecretHeader(name) ? redacted : redactor.clean(value)]);
  }
  const text = redactor.excerpt(printableBody(body.toString()), maxShownLength);
  return { headers: shown, body: text, bodyBytes, isCut: bodyBytes > maxShownLength };
}

/** The redactor knows the secret that the request was sent with, which a body may repeat. */
function credentialsOf({ authorization: header = '' }: LoggedRequest) {
  const redactor = new Redactor();
  const [, encoded = header] = /^basic +(\S+)/i.exec(header) ?? [];
  redactor.learnSecret(encoded);
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const [, name, secret] = /^([^:]*):(.*)$/s.exec(decoded) ?? [];
  if (name === undefined || secret === undefined) return { user: null, redactor };
  redactor.learn(name, secret);
  // Some clients send a token as the user name.
  return { user: /^[^\s@]{1,200}@[^\s@]{1,200}$/.test(name) ? name : null, redactor };
}

const withoutSecretParameters = (target: string): string =>
  target.replace(/([?&])([^=&]*)=([^&]*)/g, (whole, mark: string, name: string) =>
    namesSecret(name) || /signature|\bsig\b|auth/i.test(name)
      ? `${mark}${name}=${redacted}`
      : whole,
  );
