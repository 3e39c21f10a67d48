import { redacted } from '../json/secrets.ts';
import { withoutSignature } from '../values/url.ts';

/*
 * A service may quote a secret with any of its characters escaped: as in JSON, in HTML, in a URL, or
 * as printed bytes. So texts are compared in a canonical form: UTF-8, one character a byte, with every
 * escape decoded and every other backslash dropped. The time is proportional to the text.
 */

/** Escaped text may be escaped again, but not endlessly. */
const maxLayers = 4;

const escapes =
  /\\+(?:u\{0*([\da-f]{1,6})\}|u(d[89ab][\da-f]{2})\\+u(d[c-f][\da-f]{2})|[uU](?:0000)?([\da-f]{4})|x([\da-f]{2})|([0-3][0-7]{2}))?|%u([\da-f]{4})|%([\da-f]{2})|&#0*(\d{1,7});?|&#x0*([\da-f]{1,6});?|&([a-z][a-z\d]{1,31});/gi;

const mayHoldEscapes = (text: string) => /[%\\&\u0080-\uffff]/.test(text);

const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

/** A text that holds the secret has one of these in its canonical form. */
function canonicalForms(secret: string): string[] {
  const inAscii = secret.replace(/[^\0-\x7f]/gu, '\ufffd');
  const forms = [
    bytesOf(secret),
    // Sent as Latin-1; read as Latin-1, as Node reads headers; Latin-1 read as UTF-8.
    Buffer.from(secret, 'latin1').toString('latin1'),
    bytesOf(bytesOf(secret)),
    bytesOf(inAscii),
    // Spaces as in URLs, and control characters as in JSON.
    bytesOf(secret.replaceAll(' ', '+')),
    bytesOf(secret.replace(/[\b\f\n\r\t]/g, (one) => JSON.stringify(one).slice(2, -1))),
  ];
  return [...new Set(forms.map((form) => decoded(form)))];
}

function replaceCanonical(text: string, forms: readonly string[]): string {
  const bytes = bytesOf(text);
  const canonical = decoded(bytes);
  const found = forms.filter((form) => canonical.includes(form));
  if (found.length === 0) return text;
  const layers: Layer[] = [];
  decoded(bytes, layers);
  let result = '';
  let end = 0;
  for (const [from, to] of rangesOf(canonical, found)) {
    const [start, stop] = layers.reduceRight(sourceOf, [from, to] as Range);
    if (start >= end) result += bytes.slice(end, start) + redacted;
    end = Math.max(end, stop);
  }
  return Buffer.from(result + bytes.slice(end), 'latin1').toString('utf8');
}

type Range = readonly [from: number, to: number];

function rangesOf(text: string, forms: readonly string[]): Range[] {
  const ranges: Range[] = [];
  for (const form of forms) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
      ranges.push([at, at + form.length]);
    }
  }
  return ranges.sort(([a], [b]) => a - b);
}

/** The sources of the parts of a decoded text: literal text and escapes in turn. */
interface Layer {
  /** The start of each part in the decoded text. */
  decodedAt: number[];
  /** Its start in the text before decoding. */
  sourceAt: number[];
}

/** The canonical form of a text. Fills `layers` with the sources of its parts. */
function decoded(bytes: string, layers?: Layer[]): string {
  let text = bytes;
  for (let count = 0; count < maxLayers; count += 1) {
    const next = layers ? decodeTracked(text, layers) : text.replace(escapes, decodeEscape);
    if (next === text) return text;
    text = next;
  }
  return text;
}

function decodeTracked(text: string, layers: Layer[]): string {
  const layer: Layer = { decodedAt: [0], sourceAt: [0] };
  const parts: string[] = [];
  let length = 0;
  let end = 0;
  const add = (part: string, sourceAt: number) => {
    parts.push(part);
    length += part.length;
    layer.decodedAt.push(length);
    layer.sourceAt.push(sourceAt);
  };
  for (const match of text.matchAll(escapes)) {
    add(text.slice(end, match.index), match.index);
    end = match.index + match[0].length;
    add(decodeEscape(...(match as unknown as Parameters<typeof decodeEscape>)), end);
  }
  layers.push(layer);
  return parts.join('') + text.slice(end);
}

function sourceOf([from, to]: Range, layer: Layer): Range {
  const first = partAt(from, layer);
  const last = partAt(to - 1, layer);
  return [
    isEscape(first) ? at(layer.sourceAt, first) : literalAt(from, first, layer),
    isEscape(last) ? at(layer.sourceAt, last + 1) : literalAt(to - 1, last, layer) + 1,
  ];
}

const isEscape = (part: number) => part % 2 === 1;
const at = (list: readonly number[], index: number) => list[index] ?? 0;
const literalAt = (place: number, part: number, { decodedAt, sourceAt }: Layer) =>
  at(sourceAt, part) + place - at(decodedAt, part);

function partAt(place: number, { decodedAt }: Layer): number {
  let low = 0;
  let high = decodedAt.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (at(decodedAt, middle) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

type Digits = string | undefined;

function decodeEscape(
  whole: string,
  braced: Digits,
  high: Digits,
  low: Digits,
  unit: Digits,
  byte: Digits,
  octal: Digits,
  urlUnit: Digits,
  urlByte: Digits,
  decimal: Digits,
  hexadecimal: Digits,
  name: Digits,
): string {
  const single = byte ?? urlByte;
  if (single !== undefined) return String.fromCharCode(Number.parseInt(single, 16));
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  if (high !== undefined && low !== undefined) {
    const units = [high, low].map((digits) => Number.parseInt(digits, 16));
    return bytesOf(String.fromCharCode(...units));
  }
  const digits = braced ?? unit ?? urlUnit ?? hexadecimal;
  if (digits !== undefined) return character(Number.parseInt(digits, 16));
  if (decimal !== undefined) return character(Number(decimal));
  if (name !== undefined) return named(name) ?? whole;
  return '';
}

function character(code: number): string {
  if (code < 0x80) return String.fromCharCode(code);
  return code <= 0x10ffff ? bytesOf(String.fromCodePoint(code)) : '';
}

let names: Map<string, string> | undefined;

function named(name: string): string | undefined {
  names ??= new Map(
    nameLists.flatMap(([first, list]) =>
      list.split(' ').map((one, index): [string, string] => [one, character(first + index)]),
    ),
  );
  return names.get(name);
}

/** The names of HTML 4, and of HTML 5 for ASCII, in the order of the characters. */
const nameLists: readonly (readonly [first: number, names: string])[] = [
  [0x20, 'space excl quot num dollar percnt amp apos lpar rpar ast plus comma hyphen period sol'],
  [0x3a, 'colon semi lt equals gt quest commat'],
  [0x5b, 'lsqb bsol rsqb Hat lowbar grave'],
  [0x5b, 'lbrack - rbrack'],
  [0x7b, 'lcub verbar rcub'],
  [0x7b, 'lbrace vert rbrace'],
  [0x22, 'QUOT'],
  [0x26, 'AMP'],
  [0x3c, 'LT - GT'],
  [
    0xa0,
    'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml',
  ],
  [0x152, 'OElig oelig'],
  [0x160, 'Scaron scaron'],
  [0x178, 'Yuml'],
  [
    0x391,
    'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega',
  ],
  [
    0x3b1,
    'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega',
  ],
  [0x2013, 'ndash mdash'],
  [0x2018, 'lsquo rsquo sbquo - ldquo rdquo bdquo'],
  [0x2020, 'dagger Dagger bull - - - hellip'],
  [0x20ac, 'euro'],
  [0x2122, 'trade'],
];

/** A shorter secret could be part of any word. */
const minSecretLength = 6;

/** The part of a text that is searched when only its start is printed. */
const maxSearchedLength = 128 * 1024;
/** Longer than any secret, however its characters are escaped. */
const maxSecretLength = 32 * 1024;

/**
 * Replaces the credentials in a text, in every form in which they may come back: a service may quote
 * the request that it rejects.
 */
export class Redactor {
  readonly #basic = new Set<string>();
  readonly #secrets = new Set<string>();
  #forms?: Forms | undefined;

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
    let cleaned = text;
    for (const form of this.#forms.plain) cleaned = cleaned.replaceAll(form, redacted);
    if (!mayHoldEscapes(cleaned)) return cleaned;
    return replaceCanonical(cleaned, this.#forms.canonical);
  }

  /**
   * The start of a text, without secrets and signed queries. They are replaced before the text is
   * cut, since part of a secret would not be recognised.
   */
  excerpt(text: string, length: number): string {
    const isWhole = text.length <= maxSearchedLength;
    const start = isWhole ? text : text.slice(0, maxSearchedLength);
    const cleaned = this.clean(withoutSignature(start));
    // A secret may have been cut in two at the end of the searched part.
    return (isWhole ? cleaned : cleaned.slice(0, -maxSecretLength)).slice(0, length);
  }

  #findForms(): Forms {
    const secrets = [...this.#secrets].flatMap((text) => [
      text,
      text.normalize('NFC'),
      text.normalize('NFD'),
    ]);
    const forms = [...secrets.flatMap(formsOf), ...[...this.#basic].flatMap(inBase64)];
    // Longest first: a form may contain another.
    const plain = [...new Set(forms)].sort((a, b) => b.length - a.length);
    const canonical = new Set(plain.flatMap(canonicalForms));
    return { plain, canonical: [...canonical].filter(({ length }) => length >= minSecretLength) };
  }
}

interface Forms {
  plain: readonly string[];
  canonical: readonly string[];
}

function formsOf(text: string): string[] {
  const inHex = Buffer.from(text).toString('hex');
  return [text, inHex, inHex.toUpperCase(), ...inBase64(text)];
}

/**
 * A text inside a longer text in base64: at each of the three positions in a group of bytes, without
 * the letters that its neighbours share.
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
