import { describe, expect, it } from 'vitest';
import { schemas } from '../../../src/core/api/schemas.ts';
import { plainDate } from '../../../src/core/records/dateText.ts';
import { headingReader } from '../../../src/core/rows/headings.ts';
import { batchWords } from '../../words/batch.ts';
import { newBatch } from './harness.ts';

describe('a heading', () => {
  const read = headingReader(schemas.workRequestDraft());
  it.each([
    [
      'language',
      [
        'Language',
        'LANGUAGE',
        'Languages',
        '  language: ',
        'Lang.',
        'Sprache',
        'Langue',
        'Language(s)',
      ],
    ],
    ['territory', ['Territory', 'TERR', 'Territorio']],
    ['asset', ['Asset', 'Asset ID', 'asset_name', 'Asset (name)']],
    ['asset._id', ['asset._id']],
    ['project', ['Project', 'Project name']],
    ['due', ['due']],
    [
      'due.date',
      [
        'Fällig am',
        "Date d'échéance",
        'Vencimiento',
        'Due',
        'Due date',
        'DUE-DATE',
        'due_date',
        'Due.Date',
      ],
    ],
    ['due.tz', ['TZ', 'Due TZ']],
    ['deliveryDeadline.date', ['Delivery deadline', 'Liefertermin']],
    ['deliveryDeadline.tz', ['delivery deadline tz']],
    ['dng.dialogue', ['Dialogue', 'dng dialogue']],
    ['dng.graphics', ['Graphics']],
    ['dng.narration', ['Narration']],
    ['uses.items', ['Use', 'Uses']],
    ['tags', ['Tag', 'Tags']],
    ['instructions', ['Instructions', 'Instruction']],
    ['aspectRatio', ['Aspect ratio']],
    ['dualLanguages', ['Dual languages']],
    ['autosubs', ['AutoSubs']],
    ['assetType', ['Asset type']],
    ['reason', ['Reason']],
    ['status', ['Status']],
    ['materials[0].name', ['materials[0].name']],
    [
      undefined,
      ['Title', 'Notes', 'Date', 'Items', 'Due (soon)', 'Language (source)', 'Name', 'Territories'],
    ],
  ])('is the field %j: %j', (path, headings) => {
    for (const heading of headings) expect([heading, read(heading)?.path]).toEqual([heading, path]);
  });

  it('takes time in proportion to its length, like a date', async () => {
    // With the square of its length, this would not end in the time that a test has.
    const spaces = ' '.repeat(1_000_000);
    expect(read(`Due${spaces}x`)).toBe(undefined);
    expect(read(`Due${spaces}(UTC)`)).toEqual({ path: 'due.date', zone: 'UTC' });
    expect(plainDate(`12 Dec${spaces}2031`, 'due')).toBe('12 Dec 2031');
    expect(plainDate(`Dec 12,${spaces}`, 'due')).toBe(`Dec 12,${spaces}`);
  });

  it('may have the time zone of its dates', async () => {
    expect(read('Due (Europe/Berlin)')).toEqual({ path: 'due.date', zone: 'Europe/Berlin' });
    const { service, batch } = await newBatch('Due (Asia/Tokyo)\n2031-12-12T18:00\n', {
      name: 'rows.csv',
    });
    await batch.run(['--skip-checks=order,due']);
    const date = Date.parse('2031-12-12T18:00+09:00');
    expect(service.received).toEqual([{ due: { tz: 'Asia/Tokyo', date } }]);
  });
});

describe('headings in several rows', () => {
  it.each([
    'Asset,Language\na-1,fra\n\nAsset,Language,Due\na-2,deu,2031-12-12\n',
    'Client,Asset,Language,Price\nAnn,a-1,fra,1\n\nAsset,Language,Due\na-2,deu,2031-12-12\n',
    'Asset,Price,Language,Budget,Client\na-1,1,fra,2,Ann\n\nAsset,Language,Due\na-2,deu,2031-12-12\n',
  ])('are refused if there are rows between them, which would be left out: %j', async (two) => {
    const { service, batch } = await newBatch(two, { name: 'rows.csv' });
    expect(await batch.fails(2)).toMatch(/line 1: has headings, and so has line 4/);
    expect(service.received).toEqual([]);
  });

  it.each([
    ['Title,Client,PO\nHarbor,ACME,77\n\n', 'line 2'],
    ['Asset,Client,PO\nHarbor,ACME,77\n\n', 'line 2'],
    ['Client,Asset,PO\nACME,Harbor,77\nACME,Quay,78\n\n', 'lines 2-3'],
    ['Client,Asset\nACME,Harbor\nACME,Quay\nACME,Pier\n', 'lines 2-4'],
    ['Orders of May\nClient,Asset,PO\n,Harbor,\n\n', 'line 3'],
  ])('are refused if only one of the first row is known, or none: %j', async (first, lost) => {
    const { service, batch } = await newBatch(`${first}Asset,Language,Due\na-2,deu,2031-12-12\n`, {
      name: 'rows.csv',
    });
    expect(await batch.fails(2)).toContain(batchWords.rowsAboveHeader(lost));
    expect(service.received).toEqual([]);
  });

  it.each([
    'Project,Harbor\nDue,2031-12-12\nClient,Ann\n',
    'Project:,Harbor Light\nOrders of May\nProducer: Greta\n',
    'Project:,Harbor Light,,Client:,ACME\nPO:,77,,Producer:,Greta\n',
    'Project,Harbor Light,,\nClient,ACME,,\n',
    'Language,French,German,Finnish\nTerritory,FRA,DEU,FIN\n',
    'Producer: Greta,Client: ACME,PO: 77\nDraft,of,May\n',
    'ACME GmbH,Tel 123,Fax 456\nStreet 5,Berlin,Germany\n',
  ])('may be below labels: %j', async (labels) => {
    const { service, batch } = await newBatch(`${labels}Instructions,Language\n1,fra\n`, {
      name: 'rows.csv',
    });
    await batch.run(['--skip-checks=order,due']);
    expect(service.received).toEqual([{ instructions: '1', language: 'fra' }]);
  });
});

const rows = 'Lang;Notes;Budget;Due\nfra;Two lines;100;2031-12-12T18:00\n';

describe('headings that are not known', () => {
  it('are refused in one message, with the flags that name their fields', async () => {
    const { service, batch } = await newBatch(rows, { name: 'rows.csv' });
    const stderr = await batch.fails(2);
    expect(stderr).toMatch(/"Notes"[\s\S]*"Budget"/);
    expect(stderr).toMatch(/--map Notes=FIELD.*--map Notes=/);
    expect(service.received).toEqual([]);
  });

  it('have the fields of --map, without case; an empty one leaves the column out', async () => {
    const { service, batch } = await newBatch(rows, { name: 'rows.csv' });
    const flags = ['--map', 'notes=Instructions', '--map', 'Budget=', '--skip-checks=order,due'];
    const { code, stderr } = await batch.run([...flags, '--tz', 'Tokyo']);
    expect(code, stderr).toBe(0);
    const due = { date: Date.parse('2031-12-12T18:00+09:00'), tz: 'Asia/Tokyo' };
    expect(service.received).toEqual([{ language: 'fra', instructions: 'Two lines', due }]);
    expect(await batch.fails(2, flags)).toContain('--tz Asia/Tokyo');
  });

  it.each([
    ['Note=instructions', /no such heading[\s\S]*Lang, Notes, Budget, Due/],
    ['Notes', /expected HEADING=FIELD/],
    ['Notes=instrutcions', /"instructions"/],
    ['Notes=language', /two columns are for language: Lang and Notes/],
  ])('are not named by --map %s', async (map, facts) => {
    const { batch } = await newBatch(rows, { name: 'rows.csv' });
    expect(await batch.fails(2, ['--map', 'Budget=', '--map', map])).toMatch(facts);
  });
});
