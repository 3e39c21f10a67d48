import type { Resource } from '../api/endpoints.ts';
import { fieldOf, fieldsOf } from '../json/fields.ts';

/*
 * Where records have the values that the description of the service lists (`api/service.ts`). A write is
 * checked against these (`checkValues.ts`). mar also learns the values that it sees, for Tab and for tables.
 */

/** Groups of the description that list the values of fields. */
export type ValueName =
  | 'status'
  | 'translation-status'
  | 'phase'
  | 'asset-type'
  | 'media-type'
  | 'use'
  | 'dialogue'
  | 'graphics'
  | 'narration'
  | 'territory'
  | 'event-type'
  | 'zone';

const nouns: Readonly<Partial<Record<ValueName, string>>> = {
  dialogue: 'dialogue treatment',
  graphics: 'graphics treatment',
  narration: 'narration treatment',
  zone: 'time zone',
};

export const nounOf = (name: ValueName) => nouns[name] ?? name.replace('-', ' ');

/** The kind under which values that were seen are remembered. */
export const seenKind = (name: ValueName) => `seen ${name}`;

/** Where records have these values. A path ends at strings, or at an object whose keys are the values. */
type Places = Readonly<Record<string, ValueName>>;

const treatments: Places = {
  'dng.dialogue': 'dialogue',
  'dng.graphics': 'graphics',
  'dng.narration': 'narration',
};

/** Values that a user may set, and that are compared with the known ones. */
export const checkedPlaces: Readonly<Partial<Record<Resource, Places>>> = {
  WorkRequest: {
    status: 'status',
    assetType: 'asset-type',
    'uses.items': 'use',
    'due.tz': 'zone',
    'deliveryDeadline.tz': 'zone',
    ...treatments,
  },
  Asset: { type: 'asset-type', mediaType: 'media-type', 'workflow.phase': 'phase' },
  Translation: { status: 'translation-status' },
  Event: { type: 'event-type' },
};

/** Where else records show which values there are. Codes are checked in `codes.ts`. */
export const learnedPlaces: Readonly<Partial<Record<Resource, Places>>> = {
  WorkRequest: {
    territory: 'territory',
    $statuses: 'status',
    'history.status': 'status',
    'asset.type': 'asset-type',
    'asset.workflow.phase': 'phase',
    'asset.workflow.definition.phases': 'phase',
    'translation.status': 'translation-status',
  },
  Asset: { 'workflow.definition.phases': 'phase' },
  User: { 'territory.code': 'territory' },
  Download: { 'asset.type': 'asset-type' },
};

/** The strings at a path, through lists; at its end, also the keys of an object. */
function stringsAt(value: unknown, steps: readonly string[], index = 0): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((one) => stringsAt(one, steps, index));
  const step = steps[index];
  if (step !== undefined) return stringsAt(fieldOf(value, step), steps, index + 1);
  if (typeof value === 'string') return [value];
  return (fieldsOf(value) ?? []).map(([key]) => key);
}

export const valuesIn = (record: unknown, places: Places = {}) =>
  Object.entries(places).flatMap(([path, name]) =>
    stringsAt(record, path.split('.')).map((value) => [path, name, value] as const),
  );

/** The values of a record, as they are remembered. */
export function valuesOf(resource: Resource, record: unknown): [ValueName, string][] {
  const places = { ...checkedPlaces[resource], ...learnedPlaces[resource] };
  return valuesIn(record, places).map(([, name, value]) => [name, value]);
}
