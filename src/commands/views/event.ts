import { valueAt } from '../../terminal/flatten.ts';
import type { CardTools, View } from '../../terminal/view.ts';
import { nameOf, rows, when } from './reading.ts';

export const eventView: View = {
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Type', path: 'type', importance: 3 },
    { title: 'From', path: 'from.name', importance: 2, read: (event) => nameOf(event, 'from') },
    { title: 'Processed', path: 'processed', importance: 1 },
    { title: 'Created', path: 'created', kind: 'time', importance: 2 },
  ],
  card: (record, show) => ({
    title: `Event ${show.cell(valueAt(record, '_id'))}`,
    subtitle: show.cell(valueAt(record, 'type')),
    sections: [{ rows: eventRows(record, show) }],
  }),
};

/** What there is to say about an event, here and inside a notification. */
export const eventRows = (event: unknown, show: CardTools): [string, string][] =>
  rows(event, show, [
    ['From', () => show.cell(nameOf(event, 'from'))],
    ['Work request', 'workRequest._id'],
    ['Status', 'workRequest.status'],
    ['Projects', 'projects'],
    ['Assets', 'assets'],
    ['Files', 'files'],
    ['Notifies users', 'notify.users'],
    ['Notifies groups', 'notify.groups'],
    ['Processed', 'processed'],
    ['Pushed', 'pushed'],
    ['Digested', 'digested'],
    ['Created', when('created')],
  ]);
