import { valueAt } from '../../terminal/flatten.ts';
import { paintStatus } from '../../terminal/status.ts';
import type { View } from '../../terminal/view.ts';
import { items, rows, switchedOn, when } from './reading.ts';

export const assetView: View = {
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Name', path: 'name', importance: 4 },
    { title: 'Type', path: 'type', importance: 2 },
    { title: 'Usage', path: 'usage', importance: 1, read: (record) => switchedOn(record, 'usage') },
    { title: 'Phase', path: 'workflow.phase', kind: 'status', importance: 3 },
    { title: 'Created', path: 'created', kind: 'time', importance: 2 },
  ],
  card: (record, show) => ({
    title: show.cell(valueAt(record, 'name')) || show.cell(valueAt(record, '_id')),
    subtitle: show.cell(valueAt(record, '_id')),
    badge: { text: show.cell(valueAt(record, 'workflow.phase')), paint: paintStatus },
    sections: [
      {
        rows: rows(record, show, [
          ['Type', 'type'],
          ['Media', 'mediaType'],
          ['Usage', () => switchedOn(record, 'usage')],
          ['Aspect ratio', 'aspectRatio'],
          ['Verified', 'verified'],
          ['Creative', 'creative'],
          ['Embargo', '$embargo'],
          ['Import name', 'importName'],
          ['Project', 'project'],
          ['Studio', 'studio'],
          ['Created', when('created')],
        ]),
      },
      {
        heading: 'Previews',
        table: {
          columns: [
            { title: 'Id', fixed: true },
            { title: 'Label', importance: 2 },
            { title: 'Revision' },
            { title: 'Language' },
            { title: 'Created', importance: 1 },
          ],
          rows: items(record, 'previews').map((preview) => [
            ...['_id', 'label', 'revision', 'language'].map((path) =>
              show.cell(valueAt(preview, path)),
            ),
            show.time(valueAt(preview, 'created')),
          ]),
        },
      },
    ],
  }),
};
