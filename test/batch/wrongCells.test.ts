import { type CellValue, writeXlsx } from 'hucre/xlsx';
import { expect, it } from 'vitest';
import { shop } from '../orders/shop.ts';

const heads = 'Asset,Language,Territory,Due,TZ,Uses,Dialogue,Auto,Asset type,Tags,From'.split(',');
const whole = 'a-1001,French,France,+30d,Europe/Paris,online,subtitled,no,promo,x,'.split(',');

/** A wrong value in a column, and what the message says. */
const wrong: readonly [column: string, value: CellValue, facts: RegExp][] = [
  ['A', 'The Harbor', /no asset that mar can find is named "The Harbor"/],
  ['A', 'Nothing', /no asset that mar can find/],
  ['A', '#REF!', /holds the error/],
  ['A', new Date('2031-01-01'), /holds a date/],
  ['B', 'Frnch', /did you mean fra \(French\)/],
  ['B', 'Germn', /did you mean deu/],
  ['B', 'SE', /not a language/],
  ['B', 'JP', /did you mean jpn/],
  ['B', 'pt-BR', /did you mean por/],
  ['B', 'Mandarin', /not a language/],
  ['B', 'French, German', /not a language/],
  ['B', 'xx', /not a language/],
  ['B', '?', /not a language/],
  ['C', 'Frnce', /did you mean FRA/],
  ['C', 'Germny', /did you mean DEU/],
  ['C', 'France, Germany', /a row for each/],
  ['C', 'FRA;DEU', /a row for each/],
  ['D', '1.12.2027', /1 Dec 2027 with --dates dmy, 12 Jan 2027 with --dates mdy/],
  ['D', '3/4/27', /two readings/],
  ['D', '31.31.2027', /not a valid date/],
  ['D', '30 Feb 2027', /not a valid date/],
  ['D', 'soon', /expected a time/],
  ['D', 46_000, /holds the number 46000/],
  ['D', new Date('1899-12-31T18:00:00Z'), /time without a date/],
  ['D', 'Q3', /expected a time/],
  ['E', 'Europe/Pariss', /did you mean "Europe\/Paris"/],
  ['E', 'BST', /time zone/],
  ['F', 'onlin', /did you mean "online"/],
  ['F', 'online/dcp', /unknown use/],
  ['F', 'online, brodcast', /did you mean "broadcast"/],
  ['G', 'subtitlde', /did you mean "subtitled"/],
  ['H', 'perhaps', /expected true or false/],
  ['H', 'maybe not', /expected true or false/],
  ['I', 'promoo', /did you mean "promo"/],
  ['J', '#N/A', /holds the error/],
  ['K', 'Somebody Else', /no user that mar can find/],
];

it('wrong and ambiguous values of a workbook are refused, each with its cell', async () => {
  const { run, file } = await shop();
  const rows = wrong.map(([column, value]) =>
    whole.map((usual, at) => (at === column.charCodeAt(0) - 65 ? value : usual)),
  );
  const book = await writeXlsx({ sheets: [{ name: 'Plan', rows: [heads, ...rows] }] });
  const argv = ['wr', 'create', '--batch', file('rows.xlsx', Buffer.from(book)), '--json'];
  const { code, stderr } = await run([...argv, '--allow-duplicates']);
  expect(code, stderr).toBe(2);
  const problems: { cell?: string; message: string }[] = JSON.parse(stderr.split('\n').at(-2) ?? '')
    .error.rows;
  const found = wrong.map(([column], at) =>
    problems
      .filter(({ cell }) => cell === `${column}${at + 2}`)
      .map(({ message }) => message)
      .join(),
  );
  expect(found).toEqual(wrong.map(([, , facts]) => expect.stringMatching(facts)));
  const cells = wrong.map(([column], at) => `${column}${at + 2}`);
  expect(new Set(problems.map(({ cell }) => cell))).toEqual(new Set(cells));
});
