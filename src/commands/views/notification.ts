import { valueAt } from '../../terminal/flatten.ts';
import type { View } from '../../terminal/view.ts';
import { eventRows } from './event.ts';
import { rows, when } from './reading.ts';

export const notificationView: View = {
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Type', path: 'type', importance: 1 },
    { title: 'Title', path: 'title', importance: 4 },
    { title: 'Read', path: 'read', importance: 2 },
    { title: 'Created', path: 'created', kind: 'time', importance: 3 },
  ],
  card: (record, show) => ({
    title: show.cell(valueAt(record, 'title')) || show.cell(valueAt(record, '_id')),
    subtitle: show.cell(valueAt(record, '_id')),
    sections: [
      {
        rows: rows(record, show, [
          ['Type', 'type'],
          ['To', 'to'],
          ['From', 'from'],
          ['E-mail subject', 'emailSubject'],
          ['Read', 'read'],
          ['Viewed', 'viewed'],
          ['Sent', 'sent'],
          ['Created', when('created')],
        ]),
      },
      { heading: 'Event', rows: eventRows(valueAt(record, 'event'), show) },
    ],
  }),
};
