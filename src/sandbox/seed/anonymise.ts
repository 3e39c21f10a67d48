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

function collect(json: Json, key: string, standIns: StandIns): void {
  if (Array.isArray(json)) for (const item of json) collect(item, key, standIns);
  if (!isObject(json)) return;
  const id = json.get('_id');
  if (typeof id === 'string') standIns.keep(id);
  // A person's name and e-mail get the same number.
  let number: number | undefined;
  for (const [field, category] of namesIn(json, key)) {
    const value = json.get(field);
    if (typeof value === 'string' && value !== '') {
      number = standIns.add(value, category, category === 'email' ? number : undefined);
    }
  }
  for (const [field, value] of json) collect(value, field, standIns);
}

/** Fields that hold ids, hashes or codes, and never words of people. */
const keptFields = /^(?:_id|id|md5|kind|language|country|code|status|type|phase|tz)$/;

function replaceAll(json: Json, key: string, standIns: StandIns): Json {
  if (Array.isArray(json)) return json.map((item) => replaceAll(item, key, standIns));
  if (typeof json === 'string') return keptFields.test(key) ? json : standIns.replaceIn(json);
  if (!isObject(json)) return json;
  const names = new Map(namesIn(json, key));
  return new Map(
    [...json].map(([field, value]) => {
      if (typeof value === 'string' && names.has(field)) return [field, standIns.of(value)];
      if (key === 'cdn') return [field, field === 'domain' ? 'cdn.media.example' : 'removed'];
      return [field, replaceAll(value, field, standIns)];
    }),
  );
}

const email = /[^\s<>"'(),;:@/]+@[^\s<>"'(),;:@/]+\.[^\s<>"'(),;:@/.]+/g;
const pageAddress = /\bhttps?:\/\/[^/\s?#"'<>]+([^\s?#"'<>]*)(?:\?[^\s#"'<>]*)?/g;
/** Scripts that are written without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const wordCharacter = /[\p{L}\p{N}\p{M}]/u;
/** Shorter parts of a person's name may be words of the language. */
const minNamePart = 3;

class StandIns {
  /** By the original text, normalised. */
  readonly #byOriginal = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  /** The originals, the longest first, by the first character. */
  #index: Map<string, string[]> | undefined;

  /** An id is its own stand-in, also where it contains a name. */
  keep(id: string): void {
    this.#put(id, id);
  }

  /** Returns the number of the stand-in. */
  add(original: string, category: Category, sameAs?: number): number {
    const known = /\d+/.exec(this.#byOriginal.get(normal(original)) ?? '');
    if (known) return Number(known[0]);
    const counter = category === 'email' ? 'person' : category;
    const number = sameAs ?? (this.#counts.get(counter) ?? 0) + 1;
    this.#counts.set(counter, Math.max(number, this.#counts.get(counter) ?? 0));
    for (const [text, standIn] of formsOf(original, category, number)) this.#put(text, standIn);
    return number;
  }

  #put(original: string, standIn: string): void {
    const key = normal(original);
    if (key !== '' && !this.#byOriginal.has(key)) this.#byOriginal.set(key, standIn);
    this.#index = undefined;
  }

  of(original: string): string {
    return this.#byOriginal.get(normal(original)) ?? original;
  }

  /** Replaces every known name in a text. */
  replaceIn(original: string): string {
    const text = original
      .normalize('NFC')
      .replace(pageAddress, (_all, path: string) => `https://media.example${path}`)
      .replace(email, (address) => this.#email(address));
    const lower = text.toLowerCase();
    // Very rarely, the lower case has another length. Then the text stays in lower case.
    const source = lower.length === text.length ? text : lower;
    let result = '';
    for (let at = 0; at < source.length; ) {
      const found = this.#at(lower, at);
      result += found === undefined ? source[at] : this.#byOriginal.get(found);
      at += found?.length ?? 1;
    }
    return result === original.normalize('NFC') ? original : result;
  }

  /** An address that no record of a user has. */
  #email(address: string): string {
    if (!this.#byOriginal.has(normal(address))) this.add(address, 'email');
    return this.of(address);
  }

  #at(lower: string, at: number): string | undefined {
    return this.#candidates(lower[at] ?? '').find((name) => {
      if (!lower.startsWith(name, at)) return false;
      const end = at + name.length;
      return isEdge(lower[at - 1], lower[at]) && isEdge(lower[end], lower[end - 1]);
    });
  }

  #candidates(first: string): readonly string[] {
    if (this.#index === undefined) {
      this.#index = new Map();
      const byLength = [...this.#byOriginal.keys()].sort((a, b) => b.length - a.length);
      for (const name of byLength) {
        const start = name[0] ?? '';
        this.#index.set(start, [...(this.#index.get(start) ?? []), name]);
      }
    }
    return this.#index.get(first) ?? [];
  }
}

const normal = (text: string): string => text.normalize('NFC').trim().toLowerCase();

/** Whether a word may end between two characters. */
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
