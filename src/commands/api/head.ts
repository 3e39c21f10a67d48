import { STATUS_CODES } from 'node:http';
import { redacted } from '../../api/secrets.ts';
import type { HttpAnswer } from '../../http/message.ts';
import { withoutSignature } from '../../http/redact.ts';

/** Headers that hold a credential, by what such headers are called. */
const secretName = /cookie|authorization|authentication-info|token|secret|password|api-?key/i;

/** The status and the headers of an answer, a line each, without what must not be shown. */
export function describeHead({ status, headers }: HttpAnswer): string[] {
  const lines = Object.entries(headers).flatMap(([name, value = '']) =>
    [value].flat().map((one) => `${name}: ${secretName.test(name) ? redacted : one}`),
  );
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd(), ...lines].map(
    withoutSignature,
  );
}
