import { items, textAt, valueAt } from '../json/fields.ts';

/** What an order is recognised by, in words that people can read. */
export interface Order {
  /** What it is for: `a-1001 fra FRA`. Empty if that is not known, and then it is like no other. */
  place: string;
  /** What is requested: `use: online; dialogue: subtitled`. */
  wants: string;
}

const requested: Readonly<Record<string, string>> = {
  use: 'uses.items',
  dialogue: 'dng.dialogue',
  graphics: 'dng.graphics',
  narration: 'dng.narration',
  dcp: 'dcp.items',
};

const switches = ['auto', 'autosubs', 'dualLanguages'];

/** Due dates, instructions and tags are details of an order, and no other order. */
export function orderOf(request: unknown): Order {
  const lists = Object.entries(requested).map(([name, path]) => [name, textsIn(request, path)]);
  const wishes = lists.flatMap(([name, texts]) => (texts?.length ? [`${name}: ${texts}`] : []));
  wishes.push(...switches.filter((name) => valueAt(request, name) === true));
  const asset = reference(request, 'asset');
  const language = textAt(request, 'language').trim().toLowerCase();
  const territory = textAt(request, 'territory').trim().toUpperCase();
  const isNamed = asset !== '' && language !== '';
  return {
    place: isNamed ? `${asset} ${language} ${territory}`.trim() : '',
    wants: wishes.join('; '),
  };
}

/** Two events are the same if they tell the same people the same. */
export function notificationOf(event: unknown): Order {
  const people = [...items(event, 'notify.users'), ...items(event, 'notify.groups')];
  const about = [textAt(event, 'type'), reference(event, 'workRequest')].filter(Boolean).join(' ');
  const files = textsIn(event, 'files');
  const isNamed = people.length > 0 || files !== '';
  return {
    place: isNamed ? `event ${about}` : '',
    wants: [people.map(String).sort().join(', '), files].filter(Boolean).join('; '),
  };
}

const reference = (record: unknown, field: string) =>
  textAt(record, `${field}._id`) || textAt(record, field);

const textsIn = (record: unknown, path: string): string =>
  [...new Set(items(record, path).map(String))].sort().join(', ');
