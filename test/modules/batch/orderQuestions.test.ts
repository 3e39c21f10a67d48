import { expect, it } from 'vitest';
import { asked, no, questions, shop, typing } from '../../core/orders/shop.ts';
import { temporaryFile } from '../../harness/mar.ts';
import { batchWords } from '../../words/batch.ts';
import { requestWords } from '../../words/requests.ts';

it('the overview of a batch names what rows lack, before its question', async () => {
  const { run } = await shop();
  const rows = 'asset,language,territory,uses.items\na-1001,swe,SWE,online\na-1001,dan,,online\n';
  const argv = ['wr', 'create', '--batch', temporaryFile(rows, 'rows.csv')];
  const refused = await run(argv, typing(no));
  expect([refused.code, questions(refused)]).toEqual([130, 1]);
  const shown = refused.stdout + asked(refused);
  expect(shown).toContain(`warning: ${requestWords.noDueDate}: rows 1-2`);
  expect(shown).toContain(`warning: ${requestWords.noTerritory}: row 2`);
});

it('the overview of a batch says what rows order, once for those that order the same', async () => {
  const { run, file } = await shop();
  const rows = ['asset,language,territory', 'a-1001,swe,SWE', 'a-1001,dan,DNK'].join('\n');
  const argv = ['wr', 'create', '--batch', file('rows.csv', rows)];
  const all = await run([...argv, '--use', 'online'], typing(no));
  expect(all.stdout + asked(all)).toContain('use: online (each row)');
  const wishes = ['asset,language,territory,uses.items', 'a-1001,swe,SWE,online'];
  const two = file('two.csv', [...wishes, 'a-1001,dan,DNK,broadcast'].join('\n'));
  const some = await run(['wr', 'create', '--batch', two], typing(no));
  expect(some.stdout + asked(some)).toContain('use: broadcast (row 2)');
  const told = ['asset,language,uses.items,instructions', 'a-1001,swe,online,Two lines'];
  const three = file('three.csv', [...told, 'a-1001,dan,online,Two lines'].join('\n'));
  const same = await run(['wr', 'create', '--batch', three], typing(no));
  expect(same.stdout + asked(same)).toContain('instructions: 1 text in 2 rows');
});

it('rows that are left out are named before the question', async () => {
  const { run } = await shop();
  const rows = 'asset,language,uses.items\na-1001,swe,online\na-1001,Frnch,online\n';
  const argv = ['wr', 'create', '--batch', temporaryFile(rows, 'rows.csv'), '--skip-invalid'];
  expect(asked(await run(argv, typing(no)))).toContain('Row 2 (line 3) skipped');
});

it('the question before changes has the number of rows that are sent', async () => {
  const { run, file } = await shop();
  const argv = ['asset', 'put', '--skip-invalid', '--batch'];
  const first = '_id,name\na-1001,One\n';
  expect((await run([...argv, file('assets.csv', first)])).code).toBe(0);
  const edited = file('assets.csv', `${first}a-1002,Two\n,Nowhere\n`);
  const refused = await run([...argv, edited], typing(no));
  expect(asked(refused)).toContain(batchWords.writing('1 record'));
  expect((await run([...argv, edited])).stdout).toContain('2 done');
  const again = await run([...argv, edited], typing(no));
  expect([questions(again), again.code]).toEqual([0, 8]);
});
