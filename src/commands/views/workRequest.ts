import { fieldsOf } from '../../terminal/fields.ts';
import { valueAt } from '../../terminal/flatten.ts';
import { paintStatus } from '../../terminal/status.ts';
import type { CardTools, View } from '../../terminal/view.ts';
import { askedFor } from './askedFor.ts';
import { deadline } from './deadline.ts';
import { historySection, since } from './history.ts';
import { materialsSection } from './materials.ts';
import { excerpt, named, nameOf, type Row, rows, those, when } from './reading.ts';
import { translationState } from './translation.ts';

export const workRequestView: View = {
  schema: 'workRequest',
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
    title: `Work request ${show.cell(valueAt(record, '_id'))}`.trim(),
    badge: { text: show.cell(valueAt(record, 'status')), paint: paintStatus },
    sections: [
      {
        rows: rows(record, show, [
          ['Since', since],
          ['Reason', 'reason'],
          ['Due', deadline('due')],
          ['Delivery', deadline('deliveryDeadline')],
          ['Language', 'language'],
          ['Territory', 'territory'],
          ['Project', named('project')],
          ['Asset', named('asset')],
          ['Phase', (wr) => ({ text: phaseOf(wr, show), paint: paintStatus })],
          ['From', sender],
          ['Created', when('created')],
        ]),
      },
      askedFor(record, show),
      materialsSection(record, show),
      {
        heading: 'Translation',
        rows: [
          ['Translation', translationState(record, 'translation', show)],
          ['Graphics', translationState(record, 'graphicsTranslation', show)],
        ],
      },
      { heading: 'Instructions', lines: excerpt(show.cell(valueAt(record, 'instructions'))) },
      { heading: 'Recipients', rows: recipients(record, show) },
      {
        heading: 'More',
        rows: rows(record, show, [
          ['Estimate', estimate],
          ['Aspect ratio', 'aspectRatio'],
          ['With', those(true, 'auto', 'autosubs', 'autoMode', 'dualLanguages')],
          ['Tags', 'tags'],
        ]),
      },
      historySection(record, show),
    ],
  }),
};

const phaseOf = (record: unknown, show: CardTools) =>
  show.cell(valueAt(record, 'asset.workflow.phase'));

function sender(record: unknown, show: CardTools): string {
  const name = show.cell(nameOf(record, 'from'));
  const groups = show.cell(valueAt(record, 'from.groups'));
  return groups === '' ? name : `${name}, ${groups}`;
}

/** By their way of delivery; inside an event they are a plain list. */
function recipients(record: unknown, show: CardTools): Row[] {
  const value = valueAt(record, 'recipients');
  const fields = fieldsOf(value);
  if (!fields) return [['All', show.cell(value)]];
  return fields.map(([way, who]) => [way, show.cell(who)]);
}

function estimate(record: unknown, show: CardTools): string {
  const base = show.cell(valueAt(record, 'estimate.base'));
  const applied = show.cell(valueAt(record, 'estimate.applied'));
  return applied === '' || applied === base || base === ''
    ? base || applied
    : `${applied} (of ${base})`;
}
