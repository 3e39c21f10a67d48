import { items, valueAt } from '../../json/fields.ts';
import type { View } from '../../output/viewType.ts';
import { dateOf, enabledNames, head, knownFields, named, rows, when } from '../viewParts.ts';

const usage = (asset: unknown) => enabledNames(asset, 'usage');

export const assetView: View = {
  knownFields: knownFields('asset'),
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Name', path: 'name', importance: 4 },
    { title: 'Type', path: 'type', importance: 2 },
    { title: 'Usage', path: 'usage', importance: 1, show: usage },
    { title: 'Phase', path: 'workflow.phase', importance: 3 },
    { title: 'Created', path: 'created', kind: 'time', importance: 2 },
  ],
  card: (record, show) => ({
    ...head(record, show, 'Asset', 'name', 'importName', 'slug'),
    sections: [
      {
        rows: rows(record, show, [
          ['Phase', 'workflow.phase'],
          ['Type', 'type'],
          ['Media', 'mediaType'],
          ['Usage', usage],
          ['Aspect ratio', 'aspectRatio'],
          ['Verified', 'verified'],
          ['Creative', 'creative'],
          ['Embargo', '$embargo'],
          ['Import name', 'importName'],
          ['Project', named('project')],
          ['Studio', named('studio')],
          ['Flags', '$flags'],
          ['Access', '$permissions.access'],
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
            { title: 'Created', fixed: true },
          ],
          rows: items(record, 'previews').map((preview) => [
            ...['_id', 'label', 'revision', 'language'].map((path) =>
              show.cell(valueAt(preview, path)),
            ),
            dateOf(preview, 'created', show),
          ]),
        },
      },
    ],
  }),
};
