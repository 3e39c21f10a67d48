import { redacted, withoutSignature } from '../json/secrets.ts';

/** A shorter secret could be part of any word. */
const minSecretLength = 6;

/**
 * Removes credentials from text, because a service may quote the request that it rejects. A secret is
 * found plain, percent-encoded, JSON-escaped and in Base64, alone or as the value of a Basic header.
 */
export class Redactor {
  /** The longest first, because a secret may contain another one. */
  #forms: readonly string[] = [];

  learn(user: string, secret: string): void {
    this.#add(inBase64(`${user}:${secret}`));
    this.learnSecret(secret);
    this.learnSecret(secret.replace(/^token-/, ''));
  }

  learnSecret(secret: string): void {
    if (secret.length < minSecretLength) return;
    const percentEncoded = encodeURIComponent(secret.toWellFormed());
    const jsonEscaped = JSON.stringify(secret).slice(1, -1);
    this.#add([secret, percentEncoded, jsonEscaped, ...inBase64(secret)]);
  }

  #add(forms: readonly string[]): void {
    const all = new Set([...this.#forms, ...forms]);
    this.#forms = [...all].sort((a, b) => b.length - a.length);
  }

  clean(text: string): string {
    return this.#forms.reduce((cleaned, form) => cleaned.replaceAll(form, redacted), text);
  }

  /** Cleans the text before it is cut, since part of a secret would not be recognised. */
  excerpt(text: string, length: number): string {
    return this.clean(withoutSignature(text)).slice(0, length);
  }
}

/** With and without padding. */
function inBase64(text: string): string[] {
  const padded = Buffer.from(text).toString('base64');
  return [padded, padded.replace(/=+$/, '')];
}

export const isSecretHeader = (name: string) =>
  /cookie|auth(?!enticate)|token|secret|password|api-?key|signature|credential|session/i.test(name);
