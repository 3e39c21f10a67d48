/** What stands in place of a secret. */
const mark = '[redacted]';

/** Shorter than this, a secret could be part of any word. */
const shortest = 6;

/**
 * Takes out of a text whatever was used to log in, in each form that it could have come back in: a
 * service may well quote the request that it refuses.
 */
export class Redactor {
  readonly #forms = new Set<string>();

  /** From now on, these credentials are taken out. */
  learn(user: string, secret: string): void {
    this.#add(...inBase64(`${user}:${secret}`));
    const bare = secret.replace(/^token-/, '');
    for (const text of new Set([secret, bare])) {
      if (text.length >= shortest) this.#add(...formsOf(text));
    }
  }

  clean(text: string): string {
    // The longest first: a form may hold another one.
    const forms = [...this.#forms].sort((a, b) => b.length - a.length);
    return forms.reduce((cleaned, form) => cleaned.replaceAll(form, mark), text);
  }

  #add(...forms: string[]): void {
    for (const form of forms) this.#forms.add(form);
  }
}

function formsOf(text: string): string[] {
  const inUrl = encodeURIComponent(text);
  const inHex = Buffer.from(text).toString('hex');
  return [
    text,
    inUrl,
    inUrl.replace(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase()),
    JSON.stringify(text).slice(1, -1),
    inHex,
    inHex.toUpperCase(),
    ...inBase64(text),
  ];
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

/** An address without the user name and password that may stand in it. */
export function withoutCredentials(address: string): string {
  return address.replace(/^([a-z][a-z\d+.-]*:\/\/)?[^/@]*@/i, `$1${mark}@`);
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
