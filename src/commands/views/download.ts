import { valueAt } from '../../terminal/flatten.ts';
import type { View } from '../../terminal/view.ts';
import { rows, when } from './reading.ts';

export const downloadView: View = {
  columns: [
    { title: 'When', path: 'created', kind: 'time', importance: 4 },
    { title: 'File', path: 'file.name', importance: 4 },
    { title: 'Asset', path: 'asset.name', importance: 3 },
    { title: 'Project', path: 'project.name', importance: 2 },
    { title: 'Id', path: '_id', kind: 'id' },
  ],
  card: (record, show) => ({
    title: show.cell(valueAt(record, 'file.name')),
    subtitle: show.cell(valueAt(record, '_id')),
    sections: [
      {
        rows: rows(record, show, [
          ['Asset', 'asset.name'],
          ['Project', 'project.name'],
          ['When', when('created')],
        ]),
      },
    ],
  }),
};
