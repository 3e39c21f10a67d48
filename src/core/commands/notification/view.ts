import { valueAt } from '../../json/fields.ts';
import type { CardText } from '../../output/card.ts';
import type { CardTools, View } from '../../output/viewType.ts';
import { eventSections } from '../event/view.ts';
import {
  type FactRow,
  head,
  knownFields,
  namedUser,
  nameOf,
  namesOfFlags,
  rows,
  when,
} from '../viewParts.ts';

export const notificationView: View = {
  knownFields: knownFields('notification'),
  userFields: ['from', 'to'],
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Type', path: 'type', importance: 1 },
    { title: 'Title', path: 'title', importance: 4 },
    { title: 'Read', path: 'read', importance: 2 },
    { title: 'Created', path: 'created', kind: 'time', importance: 3 },
  ],
  card: (record, show) => {
    const own = rows(record, show, [
      ['From', sender],
      ['To', namedUser('to')],
      ['Created', when('created')],
      ['Type', 'type'],
      ['E-mail subject', 'emailSubject'],
      ['Done', namesOfFlags(true, 'sent', 'viewed')],
      ['Not yet', namesOfFlags(false, 'sent', 'viewed')],
    ]);
    const isOwn = ([label, value]: FactRow) =>
      own.some(([ownLabel, ownValue]) => label === ownLabel && value === ownValue);
    const [event, ...about] = eventSections(valueAt(record, 'event'), show);
    return {
      ...head(record, show, 'Notification', 'title', 'emailSubject'),
      badge: readState(record),
      sections: [
        { rows: own },
        ...about,
        { heading: 'Event', rows: event?.rows.filter((row) => !isOwn(row)) },
      ],
    };
  },
};

function readState(record: unknown): CardText {
  const read = valueAt(record, 'read');
  if (typeof read !== 'boolean') return '';
  return read ? 'read' : { text: 'unread', paint: (text, style) => style.yellow(text) };
}

/** The embedded event has the sender's name. */
function sender(record: unknown, show: CardTools): string {
  const id = show.cell(valueAt(record, 'from'));
  const isKnown = show.cell(valueAt(record, 'event.from._id')) === id;
  const name = isKnown ? show.cell(nameOf(record, 'event.from')) : '';
  return name === '' || name === id ? show.user(id) : `${name} (${id})`;
}
