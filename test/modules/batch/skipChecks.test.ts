import { describe, expect, it } from 'vitest';
import { prepare } from '../../core/commands/seenValues.ts';
import { assetService } from '../../harness/assetService.ts';
import { mar, temporaryFile } from '../../harness/mar.ts';
import { failure, refused } from '../../harness/marWith.ts';
import { requestWords } from '../../words/requests.ts';

it('--skip-checks skips the check of columns by its name', async () => {
  const check = (rows: string, flag: string, words = ['wr', 'create']) =>
    mar([...words, '--batch', temporaryFile(rows, 'rows.csv'), '--check', flag]);
  const twice = 'asset,language,uses.items,langauge\na-1,fra,dcp,x\na-1,fra,dcp,x\n';
  expect((await check(twice, '--skip-checks=field')).stderr).toMatch(/row 2 .*row 1\b/);
  expect((await check(twice, '--again')).stderr).toContain('"langauge"');
});

describe('a slip in a row is refused', () => {
  const csv = (name: string, cell: string) => {
    const rows = `asset,language,dng.graphics,${name}\na-1,fra,new,${cell}\n`;
    return ['wr', 'create', '--batch', temporaryFile(rows, 'rows.csv')];
  };
  it.each<[string, () => string[], string]>([
    ['a list', () => csv('uses.items', 'online/broadcast'), 'use "online/broadcast"'],
    ['#N/A', () => csv('instructions', '#N/A'), 'instructions: "#N/A" '],
    ['#REF!', () => csv('project', '#REF!'), 'project._id: "#REF!" '],
    ['--unset in rows', () => [...csv('tags', 'x'), '--unset', 'instuctions'], '"instructions"?'],
  ])('%s', async (_, argv, problem) => {
    expect(await refused(argv())).toContain(problem);
  });
});

it('a column of a field that only the asset has is no slip', async () => {
  const before = '{"_id":"a-1","aspectRatio":"16:9","runtime":90,"slug":"x"}';
  const service = await assetService(before);
  const rows = temporaryFile('_id,aspectRatio\na-1,2.39:1\n', 'rows.csv');
  const { stderr } = await mar(['asset', 'put', '--batch', rows], service);
  expect(stderr).not.toContain('aspectRatio');
  expect(service.text).toContain('2.39:1');
});

const record = { territory: 'FRNACE', dng: { dialogue: ['subtitlde'] } };
it.each([
  ['rows.jsonl', `${JSON.stringify(record)}\n`],
  ['rows.csv', 'territory,dng.dialogue\nFRNACE,subtitlde\n'],
])('a value that is probably a typo is refused in %s', async (name, text) => {
  const { run, posts } = await prepare();
  const stderr = await failure(2, run(['wr', 'create', '--batch', temporaryFile(text, name)]));
  expect(stderr).toContain(' FRA (France)?');
  expect(stderr).toContain(requestWords.didYouMean('subtitled'));
  expect(posts()).toEqual([]);
});
