import { describe, expect, it } from 'vitest';
import { schemas } from '../../src/api/schemas.ts';
import { headingReader } from '../../src/rows/headings.ts';
import { newBatch } from './harness.ts';

describe('a heading', () => {
  const read = headingReader(schemas.workRequestDraft());
  it.each([
    ['Language', 'language'],
    ['LANGUAGE', 'language'],
    ['Languages', 'language'],
    ['  language: ', 'language'],
    ['Lang.', 'language'],
    ['Territory', 'territory'],
    ['Territories', undefined],
    ['TERR', 'territory'],
    ['Asset', 'asset'],
    ['Asset ID', 'asset'],
    ['asset_name', 'asset'],
    ['asset._id', 'asset._id'],
    ['Project', 'project'],
    ['Project name', 'project'],
    ['Due', 'due.date'],
    ['due', 'due'],
    ['Due date', 'due.date'],
    ['DUE-DATE', 'due.date'],
    ['due_date', 'due.date'],
    ['Due.Date', 'due.date'],
    ['TZ', 'due.tz'],
    ['Due TZ', 'due.tz'],
    ['Delivery deadline', 'deliveryDeadline.date'],
    ['delivery deadline tz', 'deliveryDeadline.tz'],
    ['Dialogue', 'dng.dialogue'],
    ['dng dialogue', 'dng.dialogue'],
    ['Graphics', 'dng.graphics'],
    ['Narration', 'dng.narration'],
    ['Use', 'uses.items'],
    ['Uses', 'uses.items'],
    ['Tag', 'tags'],
    ['Tags', 'tags'],
    ['Instructions', 'instructions'],
    ['Instruction', 'instructions'],
    ['Aspect ratio', 'aspectRatio'],
    ['Dual languages', 'dualLanguages'],
    ['AutoSubs', 'autosubs'],
    ['Asset type', 'assetType'],
    ['Reason', 'reason'],
    ['Status', 'status'],
    ['materials[0].name', 'materials[0].name'],
    ['Title', undefined],
    ['Notes', undefined],
    ['Date', undefined],
    ['Items', undefined],
    ['Due (soon)', undefined],
    ['Name', undefined],
  ])('%j is the field %j', (heading, path) => {
    expect(read(heading)?.path).toBe(path);
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

const rows = 'Lang;Notes;Budget;Due\nfra;Two lines;100;2031-12-12T18:00\n';

describe('headings that are not known', () => {
  it('are refused in one message, with the flags that name their fields', async () => {
    const { service, batch } = await newBatch(rows, { name: 'rows.csv' });
    const stderr = await batch.fails(2);
    expect(stderr).toMatch(/"Notes"[\s\S]*"Budget"/);
    expect(stderr).toMatch(/--map Notes=instructions.*--map Notes=/);
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
    ['Notes=instrutcions', /did you mean "instructions"/],
    ['Notes=language', /two columns are for language: Lang and Notes/],
  ])('are not named by --map %s', async (map, facts) => {
    const { batch } = await newBatch(rows, { name: 'rows.csv' });
    expect(await batch.fails(2, ['--map', 'Budget=', '--map', map])).toMatch(facts);
  });
});
