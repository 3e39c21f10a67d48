import { redacted } from '../../api/secrets.ts';
import type { HttpAnswer } from '../../http/message.ts';
import { isSecretHeader, withoutSignature } from '../../http/redact.ts';

/** The status and the headers of an answer, a line each, without what must not be shown. */
export async function describeHead({ status, headers }: HttpAnswer): Promise<string[]> {
  const { STATUS_CODES } = await import('node:http');
  const lines = Object.entries(headers).flatMap(([name, value = '']) =>
    [value].flat().map((one) => `${name}: ${isSecretHeader(name) ? redacted : one}`),
  );
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd(), ...lines].map(
    withoutSignature,
  );
}
