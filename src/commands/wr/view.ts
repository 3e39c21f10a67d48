import { fieldOf, fieldsOf, valueAt } from '../../json/fields.ts';
import { isSettled, paintLeading, paintStatus } from '../../records/status.ts';
import { type CardSection, type CardText, unbroken } from '../../terminal/card.ts';
import type { Style } from '../../terminal/style.ts';
import { formatDate, formatRelative, formatSpan } from '../../terminal/time.ts';
import type { CardTools, View } from '../../terminal/view.ts';
import {
  excerpt,
  items,
  named,
  nameOf,
  type Row,
  rows,
  stray,
  strayList,
  those,
  timeFields,
  when,
} from '../read/readingValues.ts';
import { translationState } from '../translation/view.ts';
import { historySection, since } from './history.ts';

export const workRequestView: View = {
  timeFields: timeFields('workRequest'),
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

const day = 24 * 60 * 60 * 1000;

/** When something is due, in the zone that the record names, and how long is left until then. */
export const deadline =
  (path: string) =>
  (record: unknown, show: CardTools): CardText => {
    const value = valueAt(record, path);
    const at = fieldsOf(value) === undefined ? value : valueAt(value, 'date');
    const zone = valueAt(value, 'tz');
    const date = show.date(at);
    if (!date) return [show.cell(at), show.cell(zone)].filter((part) => part !== '').join(' ');
    const isOver = isSettled(show.cell(valueAt(record, 'status')));
    const text = formatDate(date, typeof zone === 'string' && zone !== '' ? zone : undefined);
    const left = isOver ? formatRelative(date, show.now) : timeLeft(date, show.now);
    const unknown = zoneUnknown(text, show.cell(zone));
    return {
      text: `${text} (${unbroken(left)}${unknown})`,
      paint: isOver ? undefined : urgency(date.getTime() - show.now.getTime()),
    };
  };

function timeLeft(date: Date, now: Date): string {
  const left = date.getTime() - now.getTime();
  return left < 0 ? `overdue by ${formatSpan(-left)}` : `${formatSpan(left)} left`;
}

/** The date is then in UTC, and the reader should know that another zone was meant. */
const zoneUnknown = (date: string, zone: string) =>
  zone === '' || date.endsWith(` ${zone}`) ? '' : `; the zone ${zone} is not known here`;

function urgency(left: number): ((text: string, style: Style) => string) | undefined {
  if (left < 0) return (text, style) => style.red(text);
  return left < day ? (text, style) => style.yellow(text) : undefined;
}

/** The materials of a work request, and in the heading how many of them are missing. */
function materialsSection(record: unknown, show: CardTools): CardSection {
  const materials = items(record, 'materials');
  const missing = materials.filter((material) => valueAt(material, 'complete') === false).length;
  return {
    heading: missing === 0 ? 'Materials' : `Materials, ${missing} of ${materials.length} missing`,
    rows: [
      ...materials.map((material, index) => row(material, index, show)),
      ...strayList(record, 'materials', 'Materials', show),
    ],
  };
}

function row(material: unknown, index: number, show: CardTools): Row {
  if (fieldsOf(material) === undefined) return [String(index + 1), show.cell(material)];
  const name = show.cell(valueAt(material, 'name')) || String(index + 1);
  const complete = valueAt(material, 'complete');
  const state = stateOf(complete, show);
  // That a missing one is not approved goes without saying.
  const isRefused = complete === true && valueAt(material, 'approved') === false;
  const text = isRefused ? `${state}, not approved yet` : state;
  return [name, { text, paint: paintLeading(state) }];
}

function stateOf(complete: unknown, show: CardTools): string {
  if (typeof complete !== 'boolean') return show.cell(complete) || 'not said';
  return complete ? 'complete' : 'missing';
}

/** What a work request asks for: kinds of work, and where the result is used. */
const askedFor = (record: unknown, show: CardTools): CardSection => ({
  heading: 'Asked for',
  rows: [
    ...rows(record, show, [
      ['Dialogue', 'dng.dialogue'],
      ['Graphics', 'dng.graphics'],
      ['Narration', 'dng.narration'],
    ]),
    ...stray(record, 'dng', 'Work', show),
    ...uses(record, show),
    ...stray(record, 'uses', 'Uses', show),
    ...rows(record, show, [['DCP', (wr) => show.cell(valueAt(wr, 'dcp.items'))]]),
    ...stray(record, 'dcp', 'DCP', show),
  ],
});

/** One row a use: those that are listed, and those that only have details. */
function uses(record: unknown, show: CardTools): Row[] {
  const details = valueAt(record, 'uses.details');
  const listed = [valueAt(record, 'uses.items')].flat().map(show.cell);
  const detailed = (fieldsOf(details) ?? []).map(([name]) => name);
  const names = [...new Set([...listed, ...detailed])].filter((name) => name !== '');
  return names.map((name) => {
    const detail = fieldOf(details, name);
    const parts = Array.isArray(detail) ? detail : [detail];
    const text = parts
      .map((part: unknown) => oneUse(part, show))
      .filter((shown) => shown !== '')
      .join(', ');
    return [name, text || (listed.includes(name) ? 'yes' : '')];
  });
}

function oneUse(detail: unknown, show: CardTools): string {
  const value = show.cell(fieldsOf(detail) === undefined ? detail : valueAt(detail, 'value'));
  return valueAt(detail, 'ship') === true ? `${value} (to be shipped)`.trim() : value;
}
