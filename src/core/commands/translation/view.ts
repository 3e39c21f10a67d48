import { fieldsOf, items, valueAt } from '../../json/fields.ts';
import type { CardTools, View } from '../../output/viewType.ts';
import { pluralNoun } from '../../values/numbers.ts';
import { knownFields, named, nameOf, rows, statusText, when } from '../viewParts.ts';

export const translationView: View = {
  knownFields: knownFields('translation'),
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Status', path: 'status', kind: 'status', importance: 4 },
    { title: 'Language', short: 'Lang', path: 'language', importance: 2 },
    { title: 'Work request', path: 'workRequest', kind: 'id', importance: 3 },
    { title: 'Asset', path: 'asset', kind: 'id', importance: 1 },
    { title: 'Created', path: 'created', kind: 'time', importance: 1 },
  ],
  card: (record, show) => ({
    title: `Translation ${show.cell(valueAt(record, '_id'))}`.trim(),
    badge: statusText(record, show),
    sections: [
      {
        rows: rows(record, show, [
          ['Language', 'language'],
          ['Work request', named('workRequest')],
          ['Asset', named('asset')],
          ['Translator', named('translator')],
          ['Lines', lineCount],
          ['Approved', 'approval'],
          ['Created', when('created')],
        ]),
      },
    ],
  }),
};

/** The state of a work request's translation; only its id if it is not embedded. */
export function translationState(record: unknown, path: string, show: CardTools): string {
  const translation = valueAt(record, path);
  if (fieldsOf(translation) === undefined) return show.cell(translation);
  return [
    show.cell(valueAt(translation, 'status')),
    lineCount(translation),
    show.cell(nameOf(translation, 'translator')),
    valueAt(translation, 'approval') === true ? 'approved' : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function lineCount(translation: unknown): string {
  const { length } = items(translation, 'lines');
  return length === 0 ? '' : `${length} ${pluralNoun(length, 'line')}`;
}
