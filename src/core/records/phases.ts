import { fieldOf, items, valueAt } from '../json/fields.ts';
import { cellText } from '../values/cell.ts';

/** The groups and users that a phase of a workflow names. */
export function partiesOf(phase: unknown) {
  const groups = items(phase, 'groups').map((group) => ({
    // Undocumented: a group may be just its id.
    id: cellText(valueAt(group, 'id')) || cellText(group),
    /** The group's part in the phase: `subtitled for online`. */
    work: ['dng', 'usages']
      .map((path) => cellText(valueAt(group, path)))
      .filter(Boolean)
      .join(' for '),
  }));
  return { groups, users: items(phase, 'users').map(cellText) };
}

/** The names in a record, by id: it names most of the users and groups that it refers to. */
export function namesIn(record: unknown, names = new Map<string, string>()): Map<string, string> {
  if (typeof record !== 'object' || record === null) return names;
  const [id, name] = [cellText(fieldOf(record, '_id')), cellText(fieldOf(record, 'name'))];
  if (id !== '' && name !== '') names.set(id, name);
  const children = record instanceof Map ? record.values() : Object.values(record);
  for (const child of children) namesIn(child, names);
  return names;
}

/** The users and groups of the phase that the asset of a work request is in. */
export function presentParties(request: unknown) {
  const workflow = valueAt(request, 'asset.workflow');
  const phases = valueAt(workflow, 'definition.phases');
  const { users, groups } = partiesOf(fieldOf(phases, cellText(valueAt(workflow, 'phase'))));
  return [
    ...users.map((id) => ({ kind: 'user', id })),
    ...groups.map(({ id }) => ({ kind: 'group', id })),
  ];
}
