import { fieldOf } from '../../terminal/fields.ts';
import { valueAt } from '../../terminal/flatten.ts';
import { paintStatus } from '../../terminal/status.ts';
import type { CardTools, View } from '../../terminal/view.ts';
import { items, nameOf, rows, when } from './reading.ts';

export const workRequestView: View = {
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Status', path: 'status', kind: 'status', importance: 5 },
    { title: 'Project', path: 'project.name', importance: 2, read: (wr) => nameOf(wr, 'project') },
    { title: 'Asset', path: 'asset.name', importance: 3, read: (wr) => nameOf(wr, 'asset') },
    { title: 'Language', path: 'language', importance: 4 },
    { title: 'Territory', path: 'territory', importance: 4 },
    { title: 'Due', path: 'due.date', kind: 'time', importance: 4 },
    { title: 'From', path: 'from.name', importance: 1, read: (wr) => nameOf(wr, 'from') },
  ],
  card: (record, show) => ({
    title: `Work request ${show.cell(valueAt(record, '_id'))}`,
    badge: { text: show.cell(valueAt(record, 'status')), paint: paintStatus },
    sections: [
      {
        rows: rows(record, show, [
          ['Due', when('due.date', 'due.tz')],
          ['Delivery', when('deliveryDeadline.date', 'deliveryDeadline.tz')],
          ['Language', 'language'],
          ['Territory', 'territory'],
          ['Project', () => show.cell(nameOf(record, 'project'))],
          ['Asset', asset],
          ['From', sender],
          ['Created', when('created')],
          ['Reason', 'reason'],
        ]),
      },
      {
        heading: 'Asked for',
        rows: [
          ...rows(record, show, [
            ['Dialogue', 'dng.dialogue'],
            ['Graphics', 'dng.graphics'],
            ['Narration', 'dng.narration'],
          ]),
          ...items(record, 'uses.items').map((item) => use(record, item, show)),
        ],
      },
      {
        heading: 'Materials',
        rows: items(record, 'materials').map((material) => [
          show.cell(valueAt(material, 'name')),
          {
            text: valueAt(material, 'complete') === true ? 'complete' : 'missing',
            paint: paintStatus,
          },
        ]),
      },
      {
        heading: 'Translation',
        rows: [
          ['Translation', translation(record, 'translation', show)],
          ['Graphics', translation(record, 'graphicsTranslation', show)],
        ],
      },
      { heading: 'Instructions', lines: [show.cell(valueAt(record, 'instructions'))] },
      {
        heading: 'History',
        table: {
          columns: [
            { title: 'When', importance: 3 },
            { title: 'Status', importance: 3, paint: paintStatus },
            { title: 'Who', importance: 1 },
            { title: 'Reason', importance: 2 },
          ],
          rows: items(record, 'history').map((entry) => [
            show.time(valueAt(entry, 'date')),
            show.cell(valueAt(entry, 'status')),
            show.cell(nameOf(entry, 'user')),
            show.cell(valueAt(entry, 'reason')),
          ]),
        },
      },
    ],
  }),
};

function asset(record: unknown, show: CardTools): string {
  const name = show.cell(nameOf(record, 'asset'));
  const phase = show.cell(valueAt(record, 'asset.workflow.phase'));
  return phase === '' ? name : `${name} (${phase})`;
}

function sender(record: unknown, show: CardTools): string {
  const name = show.cell(nameOf(record, 'from'));
  const groups = show.cell(valueAt(record, 'from.groups'));
  return groups === '' ? name : `${name}, ${groups}`;
}

function use(record: unknown, item: unknown, show: CardTools): [string, string] {
  const name = show.cell(item);
  const details = fieldOf(valueAt(record, 'uses.details'), name);
  const values = (Array.isArray(details) ? details : []).map((detail: unknown) => {
    const shipped = valueAt(detail, 'ship') === true ? ' (shipped)' : '';
    return `${show.cell(valueAt(detail, 'value'))}${shipped}`;
  });
  return [name, values.join(', ') || 'yes'];
}

function translation(record: unknown, path: string, show: CardTools): string {
  const status = show.cell(valueAt(record, `${path}.status`));
  const lines = items(record, `${path}.lines`).length;
  return lines === 0 ? status : `${status}, ${lines} lines`;
}
