import { fieldOf, fieldsOf, items, valueAt } from '../../json/fields.ts';
import { type Card, type CardSection, type CardText, unbroken } from '../../output/card.ts';
import type { CardTools, View } from '../../output/viewType.ts';
import {
  deadlineOf,
  paintTimeLeft,
  presentEntry,
  sortedHistory,
  timeLeft,
  timeLeftColour,
} from '../../records/lateness.ts';
import { formatDate, readTime } from '../../values/time.ts';
import { translationState } from '../translation/view.ts';
import {
  dateOf,
  excerpt,
  type FactRow,
  knownFields,
  named,
  nameOf,
  nameReader,
  namesOfFlags,
  rows,
  statusText,
  when,
} from '../viewParts.ts';

export const workRequestView: View = {
  knownFields: knownFields('workRequest'),
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Status', path: 'status', kind: 'status', importance: 8 },
    {
      title: 'Since',
      path: 'since',
      kind: 'time',
      importance: 4,
      isForPeople: true,
      read: (wr) => valueAt(presentEntry(wr, { date: readTime }), 'date'),
    },
    {
      title: 'Due',
      path: 'due.date',
      kind: 'time',
      importance: 7,
      words: timeLeft,
      paint: paintTimeLeft,
    },
    { title: 'Language', short: 'Lang', path: 'language', importance: 5 },
    { title: 'Territory', short: 'Terr', path: 'territory', importance: 5 },
    { title: 'Project', path: 'project.name', importance: 2, show: nameReader('project') },
    {
      title: 'Asset',
      path: 'asset.name',
      importance: 6,
      within: 'project.name',
      show: nameReader('asset'),
    },
    { title: 'Reason', path: 'reason', importance: 4 },
    { title: 'From', path: 'from.name', importance: 1, show: nameReader('from') },
  ],
  card: (record, show) => workRequestCard(record, show),
};

/** `waits` is whom it waits for, and the rule that says so. */
export const workRequestCard = (record: unknown, show: CardTools, waits = ['', '']): Card => ({
  title: `Work request ${show.cell(valueAt(record, '_id'))}`.trim(),
  badge: statusText(record, show),
  sections: [
    {
      rows: rows(record, show, [
        ['Since', since],
        ['Reason', 'reason'],
        ['Waits for', () => waits[0] ?? ''],
        ['Rule', () => waits[1] ?? ''],
        ['Due', deadline('due')],
        ['Delivery', deadline('deliveryDeadline')],
        ['Missing', missingMaterials],
        ['Language', 'language'],
        ['Territory', 'territory'],
        ['Project', named('project')],
        ['Asset', named('asset')],
        ['Phase', 'asset.workflow.phase'],
        ['From', sender],
        ['Created', when('created')],
      ]),
    },
    {
      heading: 'Translation',
      rows: [
        ['Translation', translationState(record, 'translation', show)],
        ['Graphics', translationState(record, 'graphicsTranslation', show)],
      ],
    },
    requestedWork(record, show),
    materialsSection(record, show),
    { heading: 'Instructions', lines: [excerpt(show.cell(valueAt(record, 'instructions')))] },
    { heading: 'Recipients', rows: recipients(record, show) },
    {
      heading: 'More',
      rows: rows(record, show, [
        ['Estimate', estimate],
        ['Aspect ratio', 'aspectRatio'],
        ['Options', namesOfFlags(true, 'auto', 'autosubs', 'autoMode', 'dualLanguages')],
        ['Tags', 'tags'],
        ['Studio', 'studio'],
        ['Asset type', 'assetType'],
        ['Category', 'assetCategory'],
        ['Audio file', 'audioFile'],
        ['Ship to', 'shippingAddresses'],
        ['Files', 'files'],
        ['Rejections', 'rejections'],
        ['Encodes', 'encodes'],
        ['Offlines', 'offlines'],
        ['Graphics jobs', 'graphicsAutomationJobs'],
      ]),
    },
    historySection(record, show),
  ],
});

function sender(record: unknown, show: CardTools): string {
  const name = show.cell(nameOf(record, 'from'));
  const groups = show.cell(valueAt(record, 'from.groups'));
  return groups === '' ? name : `${name}, ${groups}`;
}

/** Inside an event, they are a plain list. */
function recipients(record: unknown, show: CardTools): FactRow[] {
  const value = valueAt(record, 'recipients');
  const fields = fieldsOf(value);
  if (!fields) return [['All', show.cell(value)]];
  return fields.map(([way, who]) => [way, show.cell(who)]);
}

function estimate(record: unknown, show: CardTools): string {
  const base = show.cell(valueAt(record, 'estimate.base'));
  const applied = show.cell(valueAt(record, 'estimate.applied'));
  const isChanged = applied !== '' && base !== '' && applied !== base;
  return isChanged ? `${applied} (of ${base})` : base || applied;
}

/** `2026-12-01 18:00 Europe/Paris (overdue 5 d)` */
export const deadline =
  (path: string) =>
  (record: unknown, show: CardTools): CardText => {
    const at = deadlineOf(record, path);
    const zone = valueAt(record, `${path}.tz`);
    const date = show.date(at);
    const zoneName = show.cell(zone);
    if (!date) return [show.cell(at), zoneName].filter((part) => part !== '').join(' ');
    const text = formatDate(date, zone);
    // A date whose zone is unknown is in local time.
    const isZoneKnown = zoneName === '' || text.endsWith(` ${zoneName}`);
    const unknown = isZoneKnown ? '' : `; unknown time zone ${zoneName}`;
    const left = timeLeft(record, show, { path });
    const colour = timeLeftColour(record, show, path);
    return {
      text: `${text} (${unbroken(left)}${unknown})`,
      paint: colour && ((part, style) => style[colour](part)),
    };
  };

/** The API has the field, and does not say what it means. */
const isMissing = (material: unknown) => valueAt(material, 'complete') === false;

const inRed = (text: string): CardText => ({ text, paint: (part, style) => style.red(part) });

function missingMaterials(record: unknown, show: CardTools): CardText {
  const names = items(record, 'materials').flatMap((material, index) =>
    isMissing(material) ? show.cell(valueAt(material, 'name')) || String(index + 1) : [],
  );
  return inRed(names.join(', '));
}

function materialsSection(record: unknown, show: CardTools): CardSection {
  const materials = items(record, 'materials');
  const missing = materials.filter(isMissing).length;
  return {
    heading: missing === 0 ? 'Materials' : `Materials, ${missing} of ${materials.length} missing`,
    rows: materials.map((material, index) => row(material, index, show)),
  };
}

function row(material: unknown, index: number, show: CardTools): FactRow {
  if (fieldsOf(material) === undefined) return [String(index + 1), show.cell(material)];
  const name = show.cell(valueAt(material, 'name')) || String(index + 1);
  const complete = valueAt(material, 'complete');
  if (isMissing(material)) return [name, inRed('missing')];
  const state = complete === true ? 'complete' : show.cell(complete) || 'unknown';
  return [name, state + approvalOf(material)];
}

function approvalOf(material: unknown): string {
  const approved = valueAt(material, 'approved');
  if (approved === true) return ', approved';
  return approved === false ? ', not approved yet' : '';
}

const requestedWork = (record: unknown, show: CardTools): CardSection => ({
  heading: 'Requested',
  rows: [
    ...rows(record, show, [
      ['Dialogue', 'dng.dialogue'],
      ['Graphics', 'dng.graphics'],
      ['Narration', 'dng.narration'],
    ]),
    ...uses(record, show),
    ...rows(record, show, [
      ['DCP', 'dcp.items'],
      ['DCP details', 'dcp.details'],
    ]),
  ],
});

function uses(record: unknown, show: CardTools): FactRow[] {
  const details = valueAt(record, 'uses.details');
  const listed = [valueAt(record, 'uses.items')].flat().map(show.cell);
  const detailed = (fieldsOf(details) ?? []).map(([name]) => name);
  const names = [...new Set([...listed, ...detailed])].filter((name) => name !== '');
  return names.map((name) => {
    const parts = [fieldOf(details, name)].flat().map((part) => oneUse(part, show));
    const text = parts.filter(Boolean).join(', ');
    return [name, text || (listed.includes(name) ? 'yes' : '')];
  });
}

function oneUse(detail: unknown, show: CardTools): string {
  const value = show.cell(fieldsOf(detail) === undefined ? detail : valueAt(detail, 'value'));
  return valueAt(detail, 'ship') === true ? `${value} (to be shipped)`.trim() : value;
}

const maxHistoryEntries = 20;

function since(record: unknown, show: CardTools): string {
  const entry = presentEntry(record, show);
  const who = show.cell(nameOf(entry, 'user'));
  const date = show.time(valueAt(entry, 'date'));
  return date === '' || who === '' ? date : `${date}, by ${who}`;
}

function historySection(record: unknown, show: CardTools): CardSection {
  const steps = sortedHistory(record, show);
  const earlier = steps.length - maxHistoryEntries;
  const entries = earlier === 1 ? '1 earlier entry' : `${earlier} earlier entries`;
  return {
    heading: 'History',
    lines: earlier > 0 ? [`${entries} not shown; use --json to see them`] : [],
    table: {
      columns: [
        { title: 'When', fixed: true },
        { title: 'Status', importance: 3, whole: true, paint: show.paintStatus },
        { title: 'Who', importance: 1, wraps: true },
        { title: 'Reason', importance: 1, wraps: true },
      ],
      rows: steps
        .slice(-maxHistoryEntries)
        .map((entry) => [
          dateOf(entry, 'date', show),
          show.cell(valueAt(entry, 'status')),
          show.cell(nameOf(entry, 'user')),
          show.cell(valueAt(entry, 'reason')),
        ]),
    },
  };
}
