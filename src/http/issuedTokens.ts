import { namesSecret } from '../api/secrets.ts';
import type { Redactor } from './redact.ts';

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
