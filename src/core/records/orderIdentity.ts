import { iso31661Alpha2ToAlpha3 } from 'iso-3166';
import type { Service } from '../api/service.ts';
import { fieldsOf, flatten, items, textAt, valueAt } from '../json/fields.ts';

/** The parts of an order by which it is recognised, in words that people can read. */
export interface Order {
  /** Asset, language and territory: `a-1001 fra FRA`. Empty if it names no asset or no language; then it is not compared. */
  place: string;
  /** The wishes: `use: online; dialogue: subtitled`. */
  wants: string;
}

const inPlace = ['asset', 'language', 'territory'];

const nouns: Readonly<Record<string, string>> = {
  'uses.items': 'use',
  'dng.dialogue': 'dialogue',
  'dng.graphics': 'graphics',
  'dng.narration': 'narration',
  'dcp.items': 'dcp',
};

/** The order of a request. Fields that are not in `same`, such as the due date, are its details. */
export function orderOf(request: unknown, service: Service): Order {
  const same = service.parts('order', 'same');
  const asset = reference(valueAt(request, 'asset'));
  const code = textAt(request, 'language').trim().toLowerCase();
  const other = service.parts('order', 'same-languages').find((one) => one.startsWith(`${code}=`));
  const language = other?.slice(code.length + 1) ?? code;
  const territory = same.includes('territory') ? territoryOf(textAt(request, 'territory')) : '';
  const isNamed = asset !== '' && language !== '';
  const wishes = same.flatMap((path) => (inPlace.includes(path) ? [] : wishAt(request, path)));
  return {
    place: isNamed ? `${asset} ${language} ${territory}`.trim() : '',
    wants: wishes.join('; '),
  };
}

/** FR and FRA are one country. */
function territoryOf(text: string): string {
  const code = text.trim().toUpperCase();
  const byTwoLetters: Readonly<Record<string, string>> = iso31661Alpha2ToAlpha3;
  return byTwoLetters[code] ?? code;
}

function wishAt(request: unknown, path: string): string[] {
  const value = valueAt(request, path);
  if (value === true) return [path];
  const isEmpty = value === undefined || value === null || value === false || value === '';
  if (isEmpty) return [];
  const text = textsOf([value].flat()).toLowerCase();
  return text === '' ? [] : [`${nouns[path] ?? path}: ${text}`];
}

/** Two events are the same if they tell the same people the same. */
export function notificationOf(event: unknown, service: Service): Order {
  const same = service.parts('event', 'same');
  const [lists, about] = [
    ['notify.users', 'notify.groups', 'files'],
    ['type', 'workRequest'],
  ].map((paths) => paths.filter((path) => same.includes(path)));
  const told = (lists ?? []).flatMap((path) => textsOf(items(event, path)) || []).join('; ');
  const subject = (about ?? []).map((path) => reference(valueAt(event, path))).filter(Boolean);
  return { place: told && `event ${subject.join(' ')}`, wants: told };
}

/** The id of a record that is embedded, or named by its id. */
function reference(value: unknown): string {
  if (fieldsOf(value) === undefined) return String(value ?? '').trim();
  const allFields = () => flatten(value, String).map((field) => field.join('='));
  return textAt(value, '_id') || allFields().sort().join(' ');
}

/** Their order does not matter. */
const textsOf = (values: readonly unknown[]) =>
  [...new Set(values.map(reference))].sort().join(', ');
