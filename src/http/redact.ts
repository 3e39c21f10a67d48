import { canonicalForms, mayHoldEscapes, replaceCanonical } from './canonical.ts';

/** What stands in place of a secret. */
const mark = '[redacted]';

/** Shorter than this, a secret could be part of any word. */
const shortest = 6;

/** As much of a text as is looked at where only its beginning is printed. */
const longestExcerpt = 128 * 1024;
/** Longer than any secret, however its characters are written. */
const longestSecret = 32 * 1024;

/**
 * Takes out of a text whatever was used to log in, in each form that it could have come back in: a
 * service may well quote the request that it refuses.
 */
export class Redactor {
  readonly #basic = new Set<string>();
  readonly #secrets = new Set<string>();
  #forms?: Forms | undefined;

  /** From now on, these credentials are taken out. */
  learn(user: string, secret: string): void {
    this.#basic.add(`${user}:${secret}`);
    this.#forms = undefined;
    this.learnSecret(secret);
    this.learnSecret(secret.replace(/^token-/, ''));
  }

  /** The same for a secret without its user: a token that has just been issued. */
  learnSecret(secret: string): void {
    if (secret.length < shortest) return;
    this.#secrets.add(secret);
    this.#forms = undefined;
  }

  clean(text: string): string {
    if (this.#basic.size === 0 && this.#secrets.size === 0) return text;
    // Made when it is first needed: most runs print nothing that goes through here.
    this.#forms ??= this.#findForms();
    let cleaned = text;
    for (const form of this.#forms.plain) cleaned = cleaned.replaceAll(form, mark);
    if (!mayHoldEscapes(cleaned)) return cleaned;
    return replaceCanonical(cleaned, this.#forms.canonical, mark);
  }

  /**
   * The beginning of a text, without secrets and signed queries. They are taken out before the text
   * is cut: part of a secret is not recognised.
   */
  excerpt(text: string, length: number): string {
    const isWhole = text.length <= longestExcerpt;
    const start = isWhole ? text : text.slice(0, longestExcerpt);
    const cleaned = this.clean(withoutSignature(start));
    // A secret may have been cut in two at the end of what was looked at.
    return (isWhole ? cleaned : cleaned.slice(0, -longestSecret)).slice(0, length);
  }

  #findForms(): Forms {
    const secrets = [...this.#secrets].flatMap((text) => [
      text,
      text.normalize('NFC'),
      text.normalize('NFD'),
    ]);
    const forms = [...secrets.flatMap(formsOf), ...[...this.#basic].flatMap(inBase64)];
    // The longest first: a form may hold another one.
    const plain = [...new Set(forms)].sort((a, b) => b.length - a.length);
    const canonical = new Set(plain.flatMap(canonicalForms));
    return { plain, canonical: [...canonical].filter(({ length }) => length >= shortest) };
  }
}

interface Forms {
  plain: readonly string[];
  /** To be found however their characters are written. */
  canonical: readonly string[];
}

function formsOf(text: string): string[] {
  const inHex = Buffer.from(text).toString('hex');
  return [text, inHex, inHex.toUpperCase(), ...inBase64(text)];
}

/**
 * As it looks inside whatever was encoded with it: each of its three positions in a group of bytes,
 * without the letters that its neighbours have a part in.
 */
function inBase64(text: string): string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].flatMap((before) => {
    const form = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(before === 0 ? 0 : before + 1, Math.floor((8 * (before + bytes.length)) / 6));
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Headers that hold a credential, by what such headers are called. */
export const isSecretHeader = (name: string) =>
  /cookie|auth(?!enticate)|token|secret|password|api-?key|signature|credential|session/i.test(name);

/**
 * An address without the user name and password that may stand in it. A password may hold an `@` or
 * a `/` that nobody encoded, so everything up to the last `@` goes: too much rather than too little.
 */
export function withoutCredentials(address: string): string {
  const [, , place] = /^(.*(@|%40))(.*?)$/is.exec(address)?.slice(1) ?? [];
  if (place === undefined) return address;
  const [, scheme] = /^\s*(https?|ftp|socks\w*):/i.exec(address) ?? [];
  return `${scheme ? `${scheme}://` : ''}${mark}@${place}`;
}

/**
 * The text with the query of each URL in it dropped, for that is where signatures and keys are. All
 * that follows in the same word goes too: better too much than half a key.
 */
export function withoutSignature(text: string): string {
  if (!text.includes('?')) return text;
  return text.replace(/[^\s"<>]+/g, (word) => {
    // JSON may have written each slash with a backslash.
    const host = word.search(/(?:\\?\/){2}/);
    const query = host < 0 ? -1 : word.indexOf('?', host + 3);
    return query < 0 || query === word.length - 1 ? word : `${word.slice(0, query)}?…`;
  });
}
