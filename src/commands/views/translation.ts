import { valueAt } from '../../terminal/flatten.ts';
import { paintStatus } from '../../terminal/status.ts';
import type { View } from '../../terminal/view.ts';
import { rows, when } from './reading.ts';

export const translationView: View = {
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Status', path: 'status', kind: 'status', importance: 3 },
    { title: 'Language', path: 'language', importance: 2 },
    { title: 'Work request', path: 'workRequest', importance: 2 },
    { title: 'Asset', path: 'asset', importance: 1 },
    { title: 'Created', path: 'created', kind: 'time', importance: 1 },
  ],
  card: (record, show) => ({
    title: `Translation ${show.cell(valueAt(record, '_id'))}`,
    badge: { text: show.cell(valueAt(record, 'status')), paint: paintStatus },
    sections: [
      {
        rows: rows(record, show, [
          ['Language', 'language'],
          ['Work request', 'workRequest'],
          ['Asset', 'asset'],
          ['Created', when('created')],
        ]),
      },
    ],
  }),
};
