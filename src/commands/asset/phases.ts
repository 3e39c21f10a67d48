import type { Json, JsonObject } from '../../json/value.ts';
import { cellText } from '../../terminal/cell.ts';
import { fieldOf, fieldsOf } from '../../terminal/fields.ts';
import { valueAt } from '../../terminal/flatten.ts';
import { items } from '../views/reading.ts';

/** A phase of a workflow, and who may act in it. */
export interface Phase {
  name: string;
  isPresent: boolean;
  isTerminal: boolean;
  groups: readonly { id: string; dng: string; usages: string }[];
  users: readonly string[];
  /** For programs. */
  record: JsonObject;
}

/** The phases in the order of the definition; the present one is among them, defined or not. */
export function phasesOf(workflow: JsonObject): Phase[] {
  const present = cellText(valueAt(workflow, 'phase'));
  const defined = fieldsOf(valueAt(workflow, 'definition.phases')) ?? [];
  const phases = defined.map(([name, phase]) => phaseOf(name, phase, present));
  const isUnknown = present !== '' && !phases.some(({ isPresent }) => isPresent);
  return isUnknown ? [...phases, phaseOf(present, undefined, present)] : phases;
}

function phaseOf(name: string, phase: unknown, present: string): Phase {
  const groups = items(phase, 'groups').map((group) => ({
    // A group that is not the documented object may be its id alone.
    id: cellText(valueAt(group, 'id')) || cellText(group),
    dng: cellText(valueAt(group, 'dng')),
    usages: cellText(valueAt(group, 'usages')),
  }));
  const users = items(phase, 'users').map(cellText);
  const isPresent = name === present;
  const terminal = (valueAt(phase, 'terminal') ?? null) as Json;
  const record = new Map<string, Json>([
    ['phase', name],
    ['isPresent', isPresent],
    ['terminal', terminal],
    ['groups', groups.map(({ id }) => id)],
    ['users', users],
  ]);
  return { name, isPresent, isTerminal: terminal === true, groups, users, record };
}

/** The names that a record has for ids, wherever in it they stand. */
export function namesIn(record: unknown, names = new Map<string, string>()): Map<string, string> {
  const children = Array.isArray(record) ? record : fieldsOf(record)?.map(([, value]) => value);
  if (children === undefined) return names;
  const [id, name] = [cellText(fieldOf(record, '_id')), cellText(fieldOf(record, 'name'))];
  if (id !== '' && name !== '') names.set(id, name);
  for (const child of children) namesIn(child, names);
  return names;
}
