import { valueAt } from '../../terminal/flatten.ts';
import type { View } from '../../terminal/view.ts';
import { rows, when } from './reading.ts';

export const fileView: View = {
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Name', path: 'name', importance: 4 },
    { title: 'Language', path: 'language', importance: 3 },
    { title: 'Country', path: 'country', importance: 2 },
    { title: 'Tags', path: 'tags', importance: 1 },
    { title: 'Asset', path: 'asset', importance: 2 },
    { title: 'Created', path: 'created', kind: 'time', importance: 2 },
  ],
  card: (record, show) => ({
    title: show.cell(valueAt(record, 'name')),
    subtitle: show.cell(valueAt(record, '_id')),
    sections: [
      {
        rows: rows(record, show, [
          ['Language', 'language'],
          ['Country', 'country'],
          ['Tags', 'tags'],
          ['Verified', 'verified'],
          ['Embargoed', 'embargo.event'],
          ['Embargo ends', when('embargo.end')],
          ['Asset', 'asset'],
          ['Project', 'project'],
          ['Studio', 'studio'],
          ['Path', 'path'],
          ['Created', when('created')],
        ]),
      },
    ],
  }),
};
