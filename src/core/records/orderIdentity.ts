import { items, textAt, valueAt } from '../json/fields.ts';

/** The parts of an order by which it is recognised, in words that people can read. */
export interface Order {
  /** What it is for: `a-1001 fra FRA`. Empty if it names no asset or no language; then it is not compared. */
  place: string;
  /** What is requested: `use: online; dialogue: subtitled`. */
  wants: string;
}

const requested = [
  ['use', 'uses.items'],
  ['dialogue', 'dng.dialogue'],
  ['graphics', 'dng.graphics'],
  ['narration', 'dng.narration'],
  ['dcp', 'dcp.items'],
] as const;

const switches = ['auto', 'autosubs', 'dualLanguages'];

/** Due dates, instructions and tags are details of an order, and no other order. */
export function orderOf(request: unknown): Order {
  const wishes: string[] = [];
  for (const [name, path] of requested) {
    const texts = textsAt(request, path);
    if (texts !== '') wishes.push(`${name}: ${texts}`);
  }
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
  const paths = ['notify.users', 'notify.groups', 'files'];
  const told = paths.flatMap((path) => textsAt(event, path) || []).join('; ');
  const about = [textAt(event, 'type'), reference(event, 'workRequest')];
  return { place: told && `event ${about.filter(Boolean).join(' ')}`, wants: told };
}

const reference = (record: unknown, field: string) =>
  textAt(record, `${field}._id`) || textAt(record, field);

const textsAt = (record: unknown, path: string) =>
  [...new Set(items(record, path).map(String))].sort().join(', ');
