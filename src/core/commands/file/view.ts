import type { View } from '../../output/viewType.ts';
import { embargoEnd } from '../../records/embargo.ts';
import { factsCard, knownFields, named, when } from '../viewParts.ts';

export const fileView: View = {
  knownFields: knownFields('file'),
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Name', path: 'name', importance: 4 },
    { title: 'Language', short: 'Lang', path: 'language', importance: 3 },
    { title: 'Country', path: 'country', importance: 2 },
    { title: 'Tags', path: 'tags', importance: 1 },
    { title: 'Asset', path: 'asset', kind: 'id', importance: 2 },
    { title: 'Created', path: 'created', kind: 'time', importance: 2 },
  ],
  card: factsCard('File', 'name', [
    ['Language', 'language'],
    ['Country', 'country'],
    ['Tags', 'tags'],
    ['Verified', 'verified'],
    ['Embargoed', 'embargo.event'],
    ['Embargo ends', when('embargo.end')],
    ['Warnings', 'warnings'],
    ['Flags', '$flags'],
    ['Asset', named('asset')],
    ['Project', named('project')],
    ['Studio', named('studio')],
    ['Path', 'path'],
    ['Type', 'mime'],
    ['Bytes', 'length'],
    ['MD5', 'md5'],
    ['Aspera user', 'aspera.username'],
    ['Downloaded', '$aspera.downloaded'],
    ['Created', when('created')],
  ]),
};

export const embargoView: View = {
  ...fileView,
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Name', path: 'name', importance: 4 },
    { title: 'Embargo ends', path: 'embargo.end', kind: 'time', importance: 5, words: embargoEnd },
    { title: 'Until event', path: 'embargo.event', isOffScreen: true },
    { title: 'Asset', path: 'asset', kind: 'id', importance: 2 },
    { title: 'Language', short: 'Lang', path: 'language', importance: 1 },
  ],
};
