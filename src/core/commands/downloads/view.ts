import type { View } from '../../output/viewType.ts';
import { factsCard, knownFields, named, namedUser, when } from '../viewParts.ts';

export const downloadView: View = {
  knownFields: knownFields('download'),
  columns: [
    { title: 'When', path: 'created', kind: 'time', importance: 6 },
    { title: 'Who', path: 'user', kind: 'user', importance: 4 },
    { title: 'File', path: 'file.name', importance: 5 },
    { title: 'Asset id', path: 'asset._id', kind: 'id', importance: 3 },
    { title: 'Asset', path: 'asset.name', importance: 3, within: 'project.name' },
    { title: 'Project', path: 'project.name', importance: 2 },
    { title: 'Id', path: '_id', kind: 'id', importance: 1 },
  ],
  card: factsCard('Download', 'file.name', [
    ['When', when('created')],
    ['User', namedUser('user')],
    ['File', named('file')],
    ['Asset', named('asset')],
    ['Type', 'asset.type'],
    ['Project', named('project')],
  ]),
};
