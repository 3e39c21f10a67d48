import type { View } from '../../output/viewType.ts';
import { factsCard, knownFields, named, namedUser, when } from '../viewParts.ts';

export const offlineView: View = {
  knownFields: knownFields('offline'),
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Work request', path: 'workRequest', kind: 'id', importance: 4 },
    { title: 'Asset', path: 'asset', kind: 'id', importance: 2 },
    { title: 'From', path: 'from', kind: 'user', importance: 1 },
    { title: 'Created', path: 'created', kind: 'time', importance: 1 },
  ],
  card: factsCard('Offline file', undefined, [
    ['Work request', named('workRequest')],
    ['Asset', named('asset')],
    ['Project', named('project')],
    ['From', namedUser('from')],
    ['Path', 'path'],
    ['Created', when('created')],
  ]),
};
