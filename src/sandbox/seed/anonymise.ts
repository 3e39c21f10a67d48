import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import type { SeedRecord } from '../fillDatabase.ts';

type Category = 'person' | 'email' | 'title' | 'file' | 'group' | 'address';

/** The fields of an object that name something, and what they name. */
function namesIn(object: JsonObject, key: string): [field: string, category: Category][] {
  const has = (field: string) => typeof object.get(field) === 'string';
  if (has('emailNormal') || has('username')) {
    return [
      ['name', 'person'],
      ['emailNormal', 'email'],
      ['username', 'email'],
    ];
  }
  if (key === 'addresses' || key === 'shippingAddresses') {
    const parts = ['name', 'address', 'city', 'state', 'postalCode'];
    return parts.map((field) => [field, 'address']);
  }
  if (key === 'groups' || key === 'contactLists') return [['name', 'group']];
  // Countries and languages of territories, and materials such as "master", name nobody.
  if (['territory', 'countries', 'languages', 'materials', 'files'].includes(key)) return [];
  if (key === 'file' || key === 'File') return [['name', 'file']];
  return [
    ['name', 'title'],
    ['importName', 'title'],
    ['slug', 'title'],
  ];
}

/**
 * Replaces names, e-mails and titles, everywhere by the same stand-in, and keeps ids. Addresses of
 * pages lose their host and query, which may name the company or hold a signature.
 */
export function anonymise(records: readonly SeedRecord[]): SeedRecord[] {
  const standIns = new StandIns();
  for (const { kind, record } of records) collect(record, kind, standIns);
  return records.map((seedRecord) => ({
    ...seedRecord,
    record: replaceAll(seedRecord.record, seedRecord.kind, standIns) as JsonObject,
  }));
}

const email = /[^\s<>"'(),;:@/]+@[^\s<>"'(),;:@/]+\.[^\s<>"'(),;:@/.]+/g;

function collect(json: Json, key: string, standIns: StandIns): void {
  if (Array.isArray(json)) for (const item of json) collect(item, key, standIns);
  if (typeof json === 'string') {
    for (const [address] of json.matchAll(email)) standIns.add(address, 'email');
  }
  if (!isObject(json)) return;
  const id = json.get('_id');
  if (typeof id === 'string') standIns.keep(id);
  // The name and the e-mail of a person get the same number, and so do the name and the slug of a title.
  let number: number | undefined;
  for (const [field, category] of namesIn(json, key)) {
    const value = json.get(field);
    if (typeof value === 'string' && value !== '') number = standIns.add(value, category, number);
  }
  for (const [field, value] of json) collect(value, field, standIns);
}

/** Fields that hold ids, hashes or codes, and never words of people. */
const keptFields = /^(?:_id|id|md5|language|country|code|status|type|phase|tz)$/;

function replaceAll(json: Json, key: string, standIns: StandIns): Json {
  if (Array.isArray(json)) return json.map((item) => replaceAll(item, key, standIns));
  if (typeof json === 'string') return keptFields.test(key) ? json : standIns.replaceIn(json);
  if (!isObject(json)) return json;
  const names = new Map(namesIn(json, key));
  const replace = (field: string, value: Json): Json => {
    if (typeof value !== 'string') return replaceAll(value, field, standIns);
    if (names.has(field)) return standIns.of(value);
    if (key === 'cdn') return field === 'domain' ? 'cdn.media.example' : 'removed';
    const [, before = '', last = value] = /^(.*\/)([^/]*)$/s.exec(value) ?? [];
    if (key === '$links') return before + standIns.replaceIn(last);
    // The folders of a file are named for studios and titles.
    if (field === 'path' && value.startsWith('/')) return `/files/${standIns.replaceIn(last)}`;
    return replaceAll(value, field, standIns);
  };
  return new Map([...json].map(([field, value]) => [field, replace(field, value)]));
}

const pageAddress = /\bhttps?:\/\/[^/\s?#"'<>]+([^\s?#"'<>]*)(?:\?[^\s#"'<>]*)?/g;
/** Scripts that are written without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const wordCharacter = /[\p{L}\p{N}\p{M}]/u;
/** Parts of a person's name that are shorter may be words of the language. */
const minNamePart = 3;

/** The known names, character by character. A name ends where there is a stand-in. */
interface NameTree {
  next: Map<string, NameTree>;
  standIn?: string;
}

class StandIns {
  readonly #ids = new Set<string>();
  /** By the original text, normalised. */
  readonly #byOriginal = new Map<string, string>();
  readonly #tree: NameTree = { next: new Map() };
  readonly #counts = new Map<string, number>();
  readonly #used = new Set<string>();

  /** An id is kept, also where it contains a name. */
  keep(id: string): void {
    this.#ids.add(id);
  }

  /** Returns the number of the stand-in. */
  add(original: string, category: Category, sameAs?: number): number {
    const known = /\d+/.exec(this.#byOriginal.get(normal(original)) ?? '');
    if (known) return Number(known[0]);
    const counter = category === 'email' ? 'person' : category;
    const next = (this.#counts.get(counter) ?? 0) + 1;
    const isFree = (number: number) =>
      !this.#used.has(formsOf(original, category, number)[0]?.[1] ?? '');
    // Two people with the same name still have two e-mail addresses.
    const number = sameAs !== undefined && isFree(sameAs) ? sameAs : next;
    this.#counts.set(counter, Math.max(number, next - 1));
    for (const [text, standIn] of formsOf(original, category, number)) this.#put(text, standIn);
    return number;
  }

  #put(original: string, standIn: string): void {
    this.#used.add(standIn);
    const key = normal(original);
    if (key === '' || this.#byOriginal.has(key)) return;
    this.#byOriginal.set(key, standIn);
    let node = this.#tree;
    for (const unit of key.split('')) {
      const next = node.next.get(unit) ?? { next: new Map() };
      node.next.set(unit, next);
      node = next;
    }
    node.standIn = standIn;
  }

  of(original: string): string {
    return this.#byOriginal.get(normal(original)) ?? original;
  }

  /** Replaces every known name in a text. */
  replaceIn(original: string): string {
    if (this.#ids.has(original)) return original;
    const text = original
      .normalize('NFC')
      .replace(pageAddress, (_all, path: string) => `https://media.example${path}`)
      .replace(email, (address) => this.of(address));
    const lower = text.toLowerCase();
    // Very rarely, the lower case has another length. Then the text stays in lower case.
    const source = lower.length === text.length ? text : lower;
    let result = '';
    for (let at = 0; at < source.length; ) {
      const id = this.#idAt(source, at);
      const name = id === undefined ? this.#nameAt(lower, at) : undefined;
      result += name?.standIn ?? id ?? source[at];
      at += name?.length ?? id?.length ?? 1;
    }
    return result === original.normalize('NFC') ? original : result;
  }

  #idAt(text: string, at: number): string | undefined {
    if (wordCharacter.test(text[at - 1] ?? '')) return undefined;
    const [word = ''] = /^[^\s"'(),;<>/]+/.exec(text.slice(at, at + maxIdLength)) ?? [];
    return [word, word.replace(/[.:!?]+$/, '')].find((each) => this.#ids.has(each));
  }

  /** The longest known name at a place. */
  #nameAt(lower: string, at: number): { standIn: string; length: number } | undefined {
    if (!isEdge(lower[at - 1], lower[at])) return undefined;
    let longest: { standIn: string; length: number } | undefined;
    let node = this.#tree.next.get(lower[at] ?? '');
    for (let end = at + 1; node !== undefined; end += 1) {
      const { standIn } = node;
      if (standIn !== undefined && isEdge(lower[end], lower[end - 1])) {
        longest = { standIn, length: end - at };
      }
      node = node.next.get(lower[end] ?? '');
    }
    return longest;
  }
}

const maxIdLength = 256;

const normal = (text: string): string => text.normalize('NFC').trim().toLowerCase();

/** Whether a word may start or end between two characters. */
const isEdge = (outside = '', inside = ''): boolean =>
  !wordCharacter.test(outside) || !wordCharacter.test(inside) || unspaced.test(inside);

/** The forms in which a name appears in texts, and the stand-in of each. */
function formsOf(original: string, category: Category, number: number): [string, string][] {
  if (category === 'email') return [[original, `person-${number}@media.example`]];
  if (category === 'file') {
    const [, stem = '', extension = ''] = /^(.*?)(\.[A-Za-z0-9]{1,5})?$/s.exec(original) ?? [];
    return [
      [original, `file-${number}${extension}`],
      [stem, `file-${number}`],
    ];
  }
  const label = category[0]?.toUpperCase() + category.slice(1);
  const words = original.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (category === 'person') {
    const parts = words.filter(({ length }) => length >= minNamePart);
    return [original, ...parts].map((text) => [text, `${label} ${number}`]);
  }
  const isSlug = /^[\p{Ll}\p{N}]+(?:-[\p{Ll}\p{N}]+)*$/u.test(original);
  const standIn = isSlug ? `${category}-${number}` : `${label} ${number}`;
  if (category !== 'title' || words.length < 2) return [[original, standIn]];
  // File names and addresses repeat titles with other separators.
  const joined = ['-', '_', '.', ''].map((separator): [string, string] => [
    words.join(separator),
    `title-${number}`,
  ]);
  return [[original, standIn], ...joined];
}
