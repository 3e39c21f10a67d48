import { fieldOf } from '../json/fields.ts';

/** The parts of an order by which it is recognised, in words that people can read. */
export interface Order {
  /** What it is for: `a-1001 fra FRA`. Empty if it names no asset or no language; then it is not compared. */
  place: string;
  /** What is requested: `use: online; dialogue: subtitled`. */
  wants: string;
}

const requested = [
  ['use', 'uses', 'items'],
  ['dialogue', 'dng', 'dialogue'],
  ['graphics', 'dng', 'graphics'],
  ['narration', 'dng', 'narration'],
  ['dcp', 'dcp', 'items'],
] as const;

const switches = ['auto', 'autosubs', 'dualLanguages'];

/** Due dates, instructions and tags are details of an order, and no other order. */
export function orderOf(request: unknown): Order {
  const wishes: string[] = [];
  for (const [name, field, list] of requested) {
    const texts = textsIn(fieldOf(fieldOf(request, field), list));
    if (texts !== '') wishes.push(`${name}: ${texts}`);
  }
  wishes.push(...switches.filter((name) => fieldOf(request, name) === true));
  const asset = reference(request, 'asset');
  const language = textOf(fieldOf(request, 'language')).trim().toLowerCase();
  const territory = textOf(fieldOf(request, 'territory')).trim().toUpperCase();
  const isNamed = asset !== '' && language !== '';
  return {
    place: isNamed ? `${asset} ${language} ${territory}`.trim() : '',
    wants: wishes.join('; '),
  };
}

/** Two events are the same if they tell the same people the same. */
export function notificationOf(event: unknown): Order {
  const notify = fieldOf(event, 'notify');
  const people = ['users', 'groups'].map((name) => textsIn(fieldOf(notify, name)));
  const told = [...people, textsIn(fieldOf(event, 'files'))].filter(Boolean).join('; ');
  const about = [textOf(fieldOf(event, 'type')), reference(event, 'workRequest')];
  return { place: told && `event ${about.filter(Boolean).join(' ')}`, wants: told };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

const reference = (record: unknown, field: string) => {
  const value = fieldOf(record, field);
  return textOf(fieldOf(value, '_id')) || textOf(value);
};

const textsIn = (list: unknown): string =>
  Array.isArray(list) ? [...new Set(list.map(String))].sort().join(', ') : '';
