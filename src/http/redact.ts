import { redacted, withoutSignature } from '../json/secrets.ts';

/*
 * A service may quote a secret with any of its characters escaped: as in JSON, in a URL, or as
 * printed bytes. So texts are compared in a canonical form: UTF-8, one character a byte, with every
 * escape decoded and every other backslash dropped. The time is proportional to the text.
 */

/** A URL in a URL is escaped twice, and so may be a secret that itself looks escaped. */
const maxLayers = 4;

const escapes =
  /\\+(?:u\{0*(10[\da-f]{4}|[\da-f]{1,5})\}|u(d[89ab][\da-f]{2})\\+u(d[c-f][\da-f]{2})|[uU](?:0000)?([\da-f]{4})|x([\da-f]{2})|([0-3][0-7]{2}))?|%u([\da-f]{4})|%([\da-f]{2})/gi;

const mayHoldEscapes = (text: string) => /[%\\\u0080-\uffff]/.test(text);

const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

/** A text that holds the secret has one of these in its canonical form. */
function canonicalForms(secret: string): string[] {
  const inAscii = secret.replace(/[^\0-\x7f]/gu, '\ufffd');
  const forms = [
    bytesOf(secret),
    // The service wrote Latin-1.
    Buffer.from(secret, 'latin1').toString('latin1'),
    // UTF-8 was read as Latin-1, as Node does with headers.
    bytesOf(bytesOf(secret)),
    // Latin-1 was read as UTF-8.
    bytesOf(inAscii),
    // Spaces as in URLs, and control characters as in JSON.
    bytesOf(secret.replaceAll(' ', '+')),
    bytesOf(secret.replace(/[\b\f\n\r\t]/g, (one) => JSON.stringify(one).slice(2, -1))),
  ];
  return forms.map(decoded);
}

function replaceCanonical(text: string, forms: readonly Form[]): string {
  const bytes = bytesOf(text);
  const ranges = rangesOf(decoded(bytes), forms);
  if (ranges.length === 0) return text;
  const sources = sourcesOf(bytes);
  const inText = ranges.map(([from, to]) => joined(sources, from, to));
  return Buffer.from(replaceRanges(bytes, inText), 'latin1').toString('utf8');
}

/** A way to write a secret. */
interface Form {
  text: string;
  /** The letters of Base64 beside the text have bits of the secret, too. */
  isInBase64: boolean;
}

type Range = readonly [from: number, to: number];

/** Sorted by their start. They may overlap. */
function rangesOf(text: string, forms: readonly Form[]): Range[] {
  const ranges: Range[] = [];
  for (const { text: form, isInBase64 } of forms) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
      const end = at + form.length;
      ranges.push(isInBase64 ? withNeighbours(text, at, end) : [at, end]);
    }
  }
  return ranges.sort(([a], [b]) => a - b);
}

function withNeighbours(text: string, from: number, to: number): Range {
  const isLetter = /[\w+/-]/.test(text[from - 1] ?? '');
  const [after = ''] = /^[\w+/-]?={0,2}/.exec(text.slice(to, to + 3)) ?? [];
  return [isLetter ? from - 1 : from, to + after.length];
}

function replaceRanges(text: string, ranges: readonly Range[]): string {
  let result = '';
  let end = 0;
  for (const [from, to] of ranges) {
    if (from >= end) result += text.slice(end, from) + redacted;
    end = Math.max(end, to);
  }
  return result + text.slice(end);
}

function decoded(bytes: string): string {
  let text = bytes;
  for (let layer = 0; layer < maxLayers; layer += 1) text = text.replace(escapes, decodeEscape);
  return text;
}

/** For each character of the canonical form, the range of `bytes` that it was decoded from. */
function sourcesOf(bytes: string): Range[] {
  let text = bytes;
  let sources = Array.from(text, (_, at): Range => [at, at + 1]);
  for (let layer = 0; layer < maxLayers; layer += 1) {
    const next: Range[] = [];
    let end = 0;
    text = text.replace(escapes, (whole: string, ...groups) => {
      const start: number = groups.at(-2);
      const character = decodeEscape(whole, ...groups);
      for (const source of sources.slice(end, start)) next.push(source);
      end = start + whole.length;
      for (const _byte of character) next.push(joined(sources, start, end));
      return character;
    });
    sources = next.concat(sources.slice(end));
  }
  return sources;
}

const joined = (sources: readonly Range[], from: number, to: number): Range => [
  sources[from]?.[0] ?? 0,
  sources[to - 1]?.[1] ?? 0,
];

/** Takes the groups of `escapes` by position: named groups take five times as long. */
function decodeEscape(_whole: string, ...groups: readonly (string | undefined)[]): string {
  const [braced, high, low, unit, byte, octal, urlUnit, urlByte] = groups;
  const single = byte ?? urlByte;
  if (single !== undefined) return String.fromCharCode(Number.parseInt(single, 16));
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  const code = Number.parseInt(braced ?? high ?? unit ?? urlUnit ?? '', 16);
  if (Number.isNaN(code)) return '';
  if (code < 0x80) return String.fromCharCode(code);
  const second = low === undefined ? '' : String.fromCharCode(Number.parseInt(low, 16));
  return bytesOf(String.fromCodePoint(code) + second);
}

/** A shorter secret could be part of any word. */
const minSecretLength = 6;

const maxSearchedLength = 128 * 1024;
/** Longer than any secret, however its characters are escaped. */
const maxSecretLength = 32 * 1024;

/** Replaces credentials in every form: a service may quote the request that it rejects. */
export class Redactor {
  readonly #basic = new Set<string>();
  readonly #secrets = new Set<string>();
  #forms?: Readonly<Record<'plain' | 'canonical', readonly Form[]>> | undefined;

  learn(user: string, secret: string): void {
    this.#basic.add(`${user}:${secret}`);
    this.#forms = undefined;
    this.learnSecret(secret);
    this.learnSecret(secret.replace(/^token-/, ''));
  }

  learnSecret(secret: string): void {
    if (secret.length < minSecretLength) return;
    this.#secrets.add(secret);
    this.#forms = undefined;
  }

  clean(text: string): string {
    if (this.#basic.size === 0 && this.#secrets.size === 0) return text;
    // Made on first use: most runs print nothing that needs it.
    this.#forms ??= this.#findForms();
    const { canonical, plain } = this.#forms;
    const unescaped = mayHoldEscapes(text) ? replaceCanonical(text, canonical) : text;
    // An escape right before a secret can hide it in the canonical form.
    return replaceRanges(unescaped, rangesOf(unescaped, plain));
  }

  /** Cleans the text before it is cut, since part of a secret would not be recognised. */
  excerpt(text: string, length: number): string {
    const isWhole = text.length <= maxSearchedLength;
    const start = isWhole ? text : text.slice(0, maxSearchedLength);
    const cleaned = this.clean(withoutSignature(start));
    // A secret may have been cut in two at the end of the searched part.
    return (isWhole ? cleaned : cleaned.slice(0, -maxSecretLength)).slice(0, length);
  }

  #findForms() {
    const secrets = [...this.#secrets].flatMap((text) => [
      text,
      text.normalize('NFC'),
      text.normalize('NFD'),
    ]);
    const direct = secrets.flatMap((text) => [text, ...inHex(text), ...inHtml(text)]);
    const base64 = [...secrets, ...this.#basic].flatMap(inBase64);
    const plain = [...formsOf(direct, false), ...formsOf(base64, true)];
    const canonical = plain
      .flatMap(({ text, isInBase64 }) => formsOf(canonicalForms(text), isInBase64))
      .filter(({ text }) => text.length >= minSecretLength);
    return { plain, canonical };
  }
}

const formsOf = (texts: readonly string[], isInBase64: boolean): Form[] =>
  [...new Set(texts)].map((text) => ({ text, isInBase64 }));

function inHex(text: string): string[] {
  const form = Buffer.from(text).toString('hex');
  return [form, form.toUpperCase()];
}

/** Web frameworks escape only these characters, but not all in the same way. */
const htmlEscapes: readonly Readonly<Record<string, string>>[] = [
  { '"': '&quot;', "'": '&#39;' },
  { '"': '&#34;', "'": '&#39;' },
  { '"': '&quot;', "'": '&#x27;' },
  { '"': '&quot;', "'": '&#039;' },
  { '"': '&quot;', "'": '&apos;' },
].map((quotes) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', ...quotes }));

const inHtml = (text: string) =>
  htmlEscapes.map((escaped) => text.replace(/[&<>"']/g, (one) => escaped[one] ?? one));

/**
 * Base64 writes groups of three bytes, so the letters depend on how many bytes come before the secret
 * in its first group. A letter that also holds bits of what comes before or after is left out.
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

export const isSecretHeader = (name: string) =>
  /cookie|auth(?!enticate)|token|secret|password|api-?key|signature|credential|session/i.test(name);
