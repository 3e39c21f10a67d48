import { valueAt } from '../../json/fields.ts';
import type { View } from '../../output/viewType.ts';
import { factsCard, knownFields, named, when } from '../viewParts.ts';

const card = factsCard('Preview', undefined, [
  ['Revision', 'revision'],
  ['Asset', named('asset')],
  ['Project', named('project')],
  ['Studio', named('studio')],
  ['Path', 'path'],
  ['Created', when('created')],
]);

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
    ...card(record, show),
    subtitle: show.cell(valueAt(record, 'label')),
  }),
};
