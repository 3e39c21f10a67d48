import type { Resource } from '../api/endpoints.ts';
import { shownItems } from '../api/service.ts';
import { fieldOf, fieldsOf } from '../json/fields.ts';

/*
 * The API lists only some values of fields such as the status. A write is checked against these
 * (`checkValues.ts`). mar also learns values that it sees in records, for Tab and for tables.
 */

/** Values that mean the same have one name, whichever record they are in. */
export type ValueName =
  | 'status'
  | 'translation status'
  | 'phase'
  | 'asset type'
  | 'media type'
  | 'use'
  | 'dialogue treatment'
  | 'graphics treatment'
  | 'narration treatment'
  | 'territory'
  | 'event type'
  | 'time zone';

/** The treatment is not in the API's documentation, but in our help. */
export const documentedValues: Readonly<Partial<Record<ValueName, readonly string[]>>> = {
  status: shownItems('status'),
  'translation status': shownItems('translation-status'),
  phase: ['WIP', 'LOCK', 'FINAL'],
  'asset type': ['promo', 'preliminary-production', 'trailer.intl'],
  'media type': ['video'],
  use: [
    ...['broadcast', 'online', 'dcp', 'dcp3d', 'dcp4k', 'film35', 'film70', 'imax', 'imax3d'],
    ...['atmos', 'atmos2d', 'atmos3d', 'dolbyVision2d', 'dolbyVision3d'],
  ],
  'dialogue treatment': ['subtitled'],
  'event type': ['wam', 'fd'],
};

/** The kind under which values that were seen are remembered. */
export const seenKind = (name: ValueName) => `seen ${name}`;

/** Where records have these values. A path ends at strings, or at an object whose keys are the values. */
type Places = Readonly<Record<string, ValueName>>;

const treatments: Places = {
  'dng.dialogue': 'dialogue treatment',
  'dng.graphics': 'graphics treatment',
  'dng.narration': 'narration treatment',
};

/** Values that a user may set, and that are compared with the known ones. */
export const checkedPlaces: Readonly<Partial<Record<Resource, Places>>> = {
  WorkRequest: {
    status: 'status',
    assetType: 'asset type',
    'uses.items': 'use',
    'due.tz': 'time zone',
    'deliveryDeadline.tz': 'time zone',
    ...treatments,
  },
  Asset: { type: 'asset type', mediaType: 'media type', 'workflow.phase': 'phase' },
  Translation: { status: 'translation status' },
  Event: { type: 'event type' },
};

/** Where else records show which values there are. Codes are checked in `codes.ts`. */
export const learnedPlaces: Readonly<Partial<Record<Resource, Places>>> = {
  WorkRequest: {
    territory: 'territory',
    $statuses: 'status',
    'history.status': 'status',
    'asset.type': 'asset type',
    'asset.workflow.phase': 'phase',
    'asset.workflow.definition.phases': 'phase',
    'translation.status': 'translation status',
  },
  Asset: { 'workflow.definition.phases': 'phase' },
  User: { 'territory.code': 'territory' },
  Download: { 'asset.type': 'asset type' },
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
