import { family, hostile, texts } from '../core/output/samples.ts';

/** Records with the names that studios and ill-wishers give, of the shapes nobody documented. */
const id = (number: number) => `5f0c1e2d3a4b5c6d7e8f9a${(0xa0 + number).toString(16)}`;

const names = Object.values(texts);
const statuses = ['awaiting-materials', 'incomplete', 'complete', 'rejected', '確認待ち'];

export const wideRequests = names.map((name, index) => ({
  _id: id(index),
  status: statuses[index % statuses.length],
  project: index % 2 === 0 ? { _id: `p-${index}`, name } : `p-${index}`,
  asset: { _id: `a-${index}`, name: `${name} ${name}`, workflow: { phase: 'LOCK' } },
  language: ['fra', 'jpn', 'ara'][index % 3],
  territory: ['FRA', '日本', ''][index % 3],
  due: { date: Date.UTC(2026, 2, 1 + index * 3), tz: 'Asia/Tokyo' },
  from: { _id: `u-${index}`, name: names[(index + 5) % names.length] },
}));

/** Everything at once: what a card has to survive. */
export const hostileRequest = {
  _id: `wr-${hostile[0]}`,
  status: `awaiting ${hostile[1]}`,
  reason: hostile[7],
  due: { date: Date.UTC(2026, 2, 9), tz: 'Mars/Phobos' },
  deliveryDeadline: 'next week',
  language: { code: 'fra' },
  territory: [texts.arabic, texts.hebrew],
  project: texts.chinese,
  asset: null,
  from: { name: `${family} ${hostile[8]}` },
  dng: 'everything',
  uses: { items: 'online', details: { online: [{ value: texts.japanese, ship: true }, 'plain'] } },
  dcp: [],
  materials: ['master', { name: hostile[2], complete: 'maybe' }, { complete: false }],
  translation: 't-1',
  graphicsTranslation: { status: 'submitted', lines: 'many' },
  instructions: `${texts.thai}\n${hostile.join('\n')}\n${'長い説明'.repeat(1500)}`,
  recipients: ['u-1', 'u-2'],
  history: Array.from({ length: 500 }, (_, index) => ({
    date: Date.UTC(2026, 0, 1) + index * 3_600_000,
    user: index % 2 === 0 ? 'u-1' : { name: texts.korean },
    status: index % 7 === 0 ? 'incomplete' : `awaiting ${hostile[1]}`,
    reason: index % 50 === 49 ? texts.latin.repeat(3) : '',
  })),
  created: 'yesterday',
};

/** Phases that nobody would name so, with groups and users of any shape. */
export const hostileWorkflow = {
  id: hostile[0],
  phase: hostile[1],
  definition: {
    phases: Object.fromEntries(
      [...hostile, ...names].map((name, index) => [
        name,
        index % 3 === 0
          ? 'open'
          : {
              groups: [{ id: name, dng: [name], usages: 'all' }, name, 7],
              users: index % 2 === 0 ? [name, { name }] : name,
              terminal: index === 4 ? 'yes' : index === 5,
            },
      ]),
    ),
    requireGraphicsApproval: 'maybe',
  },
};
