import type { Resource } from '../api/endpoints.ts';
import { knownStatuses } from '../api/knownStatuses.ts';
import type { FieldProblem } from '../errors.ts';
import { fieldOf, fieldsOf } from '../json/fields.ts';
import { nearest } from '../values/nearest.ts';
import type * as Zones from './dateText.ts';

/*
 * The API lists only some values of fields such as the status. mar also learns those that it sees in
 * records, and so notices a value that is probably a typo of one of them.
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
  status: knownStatuses.workRequest,
  'translation status': knownStatuses.translation,
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
const checkedPlaces: Readonly<Partial<Record<Resource, Places>>> = {
  WorkRequest: {
    status: 'status',
    territory: 'territory',
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

/** Where else records show which values there are. */
const learnedPlaces: Readonly<Partial<Record<Resource, Places>>> = {
  WorkRequest: {
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

function valuesIn(record: unknown, places: Places = {}) {
  const found: [path: string, name: ValueName, value: string][] = [];
  if (record === undefined) return found;
  for (const [path, name] of Object.entries(places)) {
    for (const value of stringsAt(record, path.split('.'))) found.push([path, name, value]);
  }
  return found;
}

/** The values of a record, as they are remembered. */
export function valuesOf(resource: Resource, record: unknown): [ValueName, string][] {
  const places = { ...checkedPlaces[resource], ...learnedPlaces[resource] };
  return valuesIn(record, places).map(([, name, value]) => [name, value]);
}

/**
 * Compares the values of a record with the known ones. A value that its base has too is known. A value
 * of a list that the base has, such as `$statuses`, must be one of them. Any other value is a problem
 * only if it is close to a known one.
 */
export function checkValues(
  resource: Resource,
  record: unknown,
  base: unknown,
  seen: (name: ValueName) => readonly string[],
  { isZone, zoneError }: Pick<typeof Zones, 'isZone' | 'zoneError'>,
): { problems: FieldProblem[]; notes: string[] } {
  const problems: FieldProblem[] = [];
  const notes: string[] = [];
  const own = new Set(valuesIn(base, checkedPlaces[resource]).map(String));
  for (const [field, name, value] of valuesIn(record, checkedPlaces[resource])) {
    // Countries are known, too: see `codes.ts`.
    if (value === '' || name === 'territory' || own.has(String([field, name, value]))) continue;
    if (name === 'time zone') {
      if (isZone(value)) continue;
      const { message, details } = zoneError(value, field);
      problems.push({ field, value, suggestion: details.suggestion, message });
      continue;
    }
    const allowed = valuesIn(base, learnedPlaces[resource]).flatMap(([, one, text]) =>
      one === name ? [text] : [],
    );
    const known = [...new Set([...(documentedValues[name] ?? []), ...seen(name), ...allowed])];
    if (known.includes(value)) continue;
    const meant = closest(value, known);
    if (meant !== undefined) {
      const message = `unknown ${name} "${value}" (did you mean "${meant}"?)`;
      problems.push({ field, value, suggestion: meant, message });
    } else if (allowed.length > 0) {
      const list = allowed.join(', ');
      const message = `unknown ${name} "${value}" (this record has ${list})`;
      problems.push({ field, value, message });
    } else if (known.length > 0) {
      notes.push(`The ${name} "${value}" is new to mar and will be sent`);
    }
  }
  return { problems, notes };
}

/** With another first letter, it is a typo only if a single letter differs: incomplete is not complete. */
export const closest = (value: string, known: readonly string[]): string | undefined =>
  known.find((one) => one.toLowerCase() === value.toLowerCase()) ??
  nearest(value, known, 1) ??
  nearest(
    value,
    known.filter((one) => one[0] === value[0]),
  );
