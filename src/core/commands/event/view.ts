import { fieldsOf, valueAt } from '../../json/fields.ts';
import type { CardTools, View } from '../../output/viewType.ts';
import {
  type FactRow,
  knownFields,
  named,
  namedUser,
  nameOf,
  namesOfFlags,
  rows,
  statusText,
  when,
} from '../viewParts.ts';
import { deadline } from '../wr/view.ts';

export const eventView: View = {
  knownFields: knownFields('event'),
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Type', path: 'type', importance: 3 },
    { title: 'From', path: 'from.name', importance: 2, show: (event) => nameOf(event, 'from') },
    { title: 'Processed', path: 'processed', importance: 1 },
    { title: 'Created', path: 'created', kind: 'time', importance: 2 },
  ],
  card: (record, show) => ({
    title: `Event ${show.cell(valueAt(record, '_id'))}`.trim(),
    sections: eventSections(record, show),
  }),
};

export function eventSections(event: unknown, show: CardTools) {
  const request = valueAt(event, 'workRequest');
  return [
    {
      rows: rows(event, show, [
        ['Type', 'type'],
        ['From', namedUser('from')],
        ['Created', when('created')],
        ['Projects', 'projects'],
        ['Assets', 'assets'],
        ['Files', 'files'],
        ['Notifies users', notifiedUsers],
        ['Notifies groups', 'notify.groups'],
        ['Done', namesOfFlags(true, 'processed', 'pushed', 'digested')],
        ['Not yet', namesOfFlags(false, 'processed', 'pushed', 'digested')],
      ]),
    },
    { heading: 'Work request', rows: workRequestRows(request, event, show) },
  ];
}

function notifiedUsers(event: unknown, show: CardTools): string {
  const users = valueAt(event, 'notify.users');
  const isIds = Array.isArray(users) && users.every((user) => typeof user === 'string');
  return isIds ? users.map((id) => show.user(id)).join(', ') : show.cell(users);
}

function workRequestRows(request: unknown, event: unknown, show: CardTools): FactRow[] {
  if (fieldsOf(request) === undefined) return [['Id', show.cell(request)]];
  return [
    ...rows(request, show, [
      ['Id', '_id'],
      ['Status', statusText],
      ['Reason', 'reason'],
      ['Due', deadline('due')],
      ['Language', 'language'],
      ['Territory', 'territory'],
      ['Project', named('project')],
      ['Asset', named('asset')],
    ]),
    ['Page', show.cell(valueAt(event, 'urls.view'))],
  ];
}
