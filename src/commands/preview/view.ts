import { valueAt } from '../../json/fields.ts';
import type { View } from '../../output/view.ts';
import { knownFields, named, rows, when } from '../viewParts.ts';

export const previewView: View = {
  knownFields: knownFields('preview'),
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Label', path: 'label', importance: 3 },
    { title: 'Revision', path: 'revision', importance: 2 },
    { title: 'Asset', path: 'asset', kind: 'id', importance: 2 },
    { title: 'Created', path: 'created', kind: 'time', importance: 1 },
  ],
  card: (record, show) => ({
    title: `Preview ${show.cell(valueAt(record, '_id'))}`.trim(),
    subtitle: show.cell(valueAt(record, 'label')),
    sections: [
      {
        rows: rows(record, show, [
          ['Revision', 'revision'],
          ['Asset', named('asset')],
          ['Project', named('project')],
          ['Studio', named('studio')],
          ['Path', 'path'],
          ['Created', when('created')],
        ]),
      },
    ],
  }),
};
