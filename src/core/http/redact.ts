import { redacted, withoutSignature } from '../json/hideFields.ts';

/** A shorter secret could be part of any word. */
const minSecretLength = 6;

/**
 * Removes credentials from text, because a service may quote the request that it rejects. A secret is
 * found plain, percent-encoded, JSON-escaped and in Base64, alone or as the value of a Basic header.
 */
export class Redactor {
  readonly #basic = new Set<string>();
  readonly #secrets = new Set<string>();
  /** Made on first use, because most runs print nothing that has to be cleaned. */
  #forms: readonly string[] | undefined;

  learn(user: string, secret: string): void {
    this.#basic.add(`${user}:${secret}`);
    this.learnSecret(secret);
    this.learnSecret(secret.replace(/^token-/, ''));
  }

  learnSecret(secret: string): void {
    if (secret.length >= minSecretLength) this.#secrets.add(secret);
    this.#forms = undefined;
  }

  clean(text: string): string {
    this.#forms ??= this.#findForms();
    return this.#forms.reduce((cleaned, form) => cleaned.replaceAll(form, redacted), text);
  }

  #findForms(): string[] {
    const secrets = [...this.#secrets];
    const forms = [
      ...secrets,
      ...secrets.flatMap(percentEncoded),
      ...secrets.map((secret) => JSON.stringify(secret).slice(1, -1)),
      ...[...secrets, ...this.#basic].flatMap(inBase64),
    ];
    // The longest first, because a secret may contain another one.
    return forms.sort((a, b) => b.length - a.length);
  }

  /** Cleans the text before it is cut, since part of a secret would not be recognised. */
  excerpt(text: string, length: number): string {
    return this.clean(withoutSignature(text)).slice(0, length);
  }
}

function percentEncoded(text: string): string[] {
  const encoded = encodeURIComponent(text.toWellFormed());
  return [encoded, encoded.replace(/%../g, (byte) => byte.toLowerCase())];
}

/** With and without padding. */
function inBase64(text: string): string[] {
  const padded = Buffer.from(text).toString('base64');
  return [padded, padded.replace(/=+$/, '')];
}

export const isSecretHeader = (name: string) =>
  /cookie|auth(?!enticate)|token|secret|password|api-?key|signature|credential|session/i.test(name);
