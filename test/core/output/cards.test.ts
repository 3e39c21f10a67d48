import stringWidth from 'string-width';
import { describe, expect, it, vi } from 'vitest';
import { Service } from '../../../src/core/api/service.ts';
import { assetView } from '../../../src/core/commands/asset/view.ts';
import { notificationView } from '../../../src/core/commands/notification/view.ts';
import { userView } from '../../../src/core/commands/user/view.ts';
import { workRequestView } from '../../../src/core/commands/wr/view.ts';
import { parseJson } from '../../../src/core/json/parse.ts';
import { type Card, renderCard } from '../../../src/core/output/card.ts';
import { cardTools } from '../../../src/core/output/recordText.ts';
import { createStyle } from '../../../src/core/output/style.ts';
import type { View } from '../../../src/core/output/viewType.ts';
import { readTime } from '../../../src/core/values/time.ts';

const now = new Date('2026-03-10T12:00:00Z');
const day = 24 * 60 * 60 * 1000;
const ago = (days: number) => now.getTime() - days * day;

/** The card of a record on a terminal without colours. */
function card(record: object | string, view: View = workRequestView, columns = 100): string {
  const text = typeof record === 'string' ? record : JSON.stringify(record);
  const json = parseJson(text, { lastKeyCounts: true });
  const drawn = view.card?.(
    json,
    cardTools({ now, date: readTime, service: () => new Service(), paintStatus: (text) => text }),
  ) as Card;
  return `${renderCard(drawn, columns, createStyle(false)).join('\n')}\n`;
}

/** A row of a card, by its label. */
const row = (shown: string, label: string) =>
  new RegExp(`^ *${label} {2,}(.*)$`, 'm').exec(shown)?.[1];

const step = (days: number, status: string, name = 'Ann') => ({
  date: ago(days),
  status,
  user: { name },
});

describe('the card of a work request shows since when', () => {
  it('it has its status: from the first of the last entries with it, whatever their order', () => {
    const history = [9, 7, 5, 2].map((days) =>
      step(days, days === 7 ? 'a' : 'b', days === 5 ? 'Bo' : 'Ann'),
    );
    history.unshift(step(11, 'a'));
    for (const ordered of [history, history.toReversed()]) {
      const shown = card({ _id: 'x', status: 'b', history: ordered });
      expect(row(shown, 'Since')).toBe('2026-03-05 12:00 UTC (5 d ago), by Bo');
    }
  });

  it.each([
    ['ends with another status', [step(9, 'b'), step(7, 'a')]],
    ['is empty', []],
    ['is none', 'yesterday'],
  ])('or nothing where the history %s', (_, history) => {
    expect(row(card({ _id: 'x', status: 'b', history }), 'Since')).toBeUndefined();
  });
});

describe('the card of a work request shows how long is left', () => {
  it.each([
    [{ date: ago(-3.5), tz: 'Europe/Paris' }, '2026-03-14 01:00 Europe/Paris (3 d left)'],
    [{ date: ago(2) }, '2026-03-08 12:00 UTC (overdue 2 d)'],
    [
      { date: ago(-1), tz: 'Mars/Phobos' },
      '2026-03-11 12:00 UTC (1 d left; unknown time zone Mars/Phobos)',
    ],
    [ago(-1), '2026-03-11 12:00 UTC (1 d left)'],
    ['on Friday', 'on Friday'],
    [{ date: 'Friday', tz: 'Asia/Tokyo' }, 'Friday Asia/Tokyo'],
  ])('when due is %j', (due, text) => {
    expect(row(card({ _id: 'x', status: 'in-progress', due }), 'Due')).toBe(text);
  });

  it('in local time, except where the record names a zone', () => {
    vi.stubEnv('TZ', 'America/New_York');
    const history = [step(2, 'b')];
    const due = { date: ago(-3.5), tz: 'Europe/Paris' };
    const deliveryDeadline = { date: ago(-3.5) };
    const shown = card({ _id: 'x', status: 'b', due, deliveryDeadline, history });
    vi.unstubAllEnvs();
    expect(row(shown, 'Due')).toBe('2026-03-14 01:00 Europe/Paris (3 d left)');
    expect(row(shown, 'Delivery')).toBe('2026-03-13 20:00 EDT (3 d left)');
    expect(row(shown, 'Since')).toBe('2026-03-08 08:00 EDT (2 d ago), by Ann');
    expect(shown).toContain('2026-03-08 08:00 EDT  b ');
  });

  it('and does not call late what is complete', () => {
    const shown = card({ _id: 'x', status: 'complete', due: { date: ago(2) } });
    expect(row(shown, 'Due')).toBe('2026-03-08 12:00 UTC (done)');
  });
});

describe('the card of a work request', () => {
  it('shows which materials are missing, and calls none missing that is not said to be', () => {
    const materials = [
      { name: 'master', complete: true, approved: true },
      { name: 'script', complete: true, approved: false },
      { name: 'textless', complete: false },
      { name: 'stems' },
    ];
    const shown = card({ _id: 'x', materials });
    expect(shown).toContain('Materials, 1 of 4 missing\n');
    expect(row(shown, 'master')).toBe('complete, approved');
    expect(row(shown, 'script')).toBe('complete, not approved yet');
    expect(row(shown, 'textless')).toBe('missing');
    expect(row(shown, 'stems')).toBe('unknown');
  });

  it('shows ids where records are not embedded', () => {
    const ids = { project: 'p-1', asset: 'a-1', from: 'u-1', translation: 't-1' };
    const shown = card({ _id: 'x', ...ids });
    expect(row(shown, 'Project')).toBe('p-1');
    expect(row(shown, 'Asset')).toBe('a-1');
    expect(row(shown, 'From')).toBe('u-1');
    expect(row(shown, 'Translation')).toBe('t-1');
  });

  it('shows every other documented field that has a value', () => {
    const shown = card({
      _id: 'x',
      dcp: { items: ['2D Flat'], details: ['48 fps'] },
      shippingAddresses: [{ name: 'Warehouse', city: 'Lyon' }],
      rejections: ['r-1', 'r-2'],
      encodes: [{ width: 1 }, { width: 2 }],
      offlines: ['o-1'],
      graphicsAutomationJobs: [{ _id: 'job-1' }],
    });
    const labels = {
      'DCP details': '48 fps',
      'Ship to': 'Warehouse',
      Rejections: 'r-1, r-2',
      Encodes: '2 items',
      Offlines: 'o-1',
      'Graphics jobs': 'job-1',
    };
    const found = Object.keys(labels).map((label) => [label, row(shown, label)]);
    expect(Object.fromEntries(found)).toEqual(labels);
  });

  it('leaves out sections without content', () => {
    expect(card({ _id: 'x', status: 'new', history: [], materials: [], uses: {} })).toBe(
      'Work request x  new\n',
    );
  });

  it('shows the last of a long history and how much it leaves out', () => {
    const history = Array.from({ length: 500 }, (_, at) => step(500 - at, `s${at}`));
    const shown = card({ _id: 'x', history });
    expect(shown).toMatch(/480 earlier .*--json/);
    expect(shown).toContain('s499');
    expect(shown).not.toContain('s479 ');
  });

  it('shows the beginning of huge instructions and how much it leaves out', () => {
    const instructions = `${'ab '.repeat(1000)}${'x'.repeat(5_000_000)}`;
    const shown = card({ _id: 'x', instructions });
    expect(shown).toMatch(/… \(5000000 .*--json/);
    expect(shown.length).toBeLessThan(5000);
  });
});

describe('the card of a user', () => {
  it.each([
    [{}, undefined],
    [{ twofactorVerified: false }, 'no'],
    [{ twofactorVerified: true, hasEnforced2fa: true }, 'yes, enforced'],
    [{ hasEnforced2fa: true }, 'enforced'],
  ])('reports of two factors what the service does: %j', (fields, text) => {
    const shown = card({ _id: 'u-1', name: 'Ann', ...fields }, userView);
    expect(row(shown, 'Two-factor')).toBe(text);
  });
});

describe('a card of any shape', () => {
  const odd = [null, true, 5, 1e300, '', 'text', [], [null], [[1]], {}, { _id: 7 }, { name: [] }];
  const workRequest = [
    ...['_id', 'status', 'reason', 'due', 'deliveryDeadline', 'language', 'project', 'asset'],
    ...['from', 'dng', 'uses', 'dcp', 'materials', 'translation', 'instructions', 'recipients'],
    ...['estimate', 'history', 'created', 'tags'],
  ];
  const asset = ['_id', 'name', 'usage', 'previews', 'workflow', 'created', '$permissions'];
  const notification = ['_id', 'title', 'from', 'to', 'event', 'read', 'created'];
  const kinds: [string, View, string[]][] = [
    ['a work request', workRequestView, workRequest],
    ['an asset', assetView, asset],
    ['a notification', notificationView, notification],
  ];
  const cases = kinds.flatMap(([kind, view, names]) =>
    odd.map((value) => [kind, JSON.stringify(value), view, names] as const),
  );

  it.each(cases)('%s does not fail on %s', (_kind, value, view, names) => {
    const records = names.flatMap((name) => [
      `{"_id":"x","${name}":${value}}`,
      `{"${name}":{"items":${value},"details":{"a":${value}},"date":${value},"workRequest":${value}}}`,
      `{"${name}":[{"_id":${value},"status":${value},"user":${value},"date":${value}}]}`,
    ]);
    const all = `{${names.map((name) => `"${name}":${value}`).join()}}`;
    for (const body of new Set([...records, all])) {
      const shown = card(body, view, 40);
      for (const line of shown.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(40);
      expect(shown, body).not.toMatch(/undefined|NaN|\[object|Invalid Date/);
    }
  });
});
