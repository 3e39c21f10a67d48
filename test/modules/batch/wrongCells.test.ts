import { type CellValue, writeXlsx } from 'hucre/xlsx';
import { expect, it } from 'vitest';
import { shop } from '../../core/orders/shop.ts';

const heads = 'Asset,Language,Territory,Due,TZ,Uses,Dialogue,Auto,Asset type,Tags,From'.split(',');
const whole = 'a-1001,French,France,+30d,Europe/Paris,online,subtitled,no,promo,x,'.split(',');

/** A wrong value in a column, and what the message says. */
const wrong: readonly [column: string, value: CellValue, facts: RegExp][] = [
  ['A', 'The Harbor', /asset .*"The Harbor"/],
  ['A', 'Nothing', /asset .*"Nothing"/],
  ['A', '#REF!', /#REF!/],
  ['A', new Date('2031-01-01'), / date/],
  ['B', 'Frnch', /\bfra \(French\)/],
  ['B', 'Germn', /\bdeu\b/],
  ['B', 'SE', /SE: .*ISO 639/],
  ['B', 'JP', /\bjpn\b/],
  ['B', 'pt-BR', /\bpor\b/],
  ['B', 'Mandarin', /Mandarin: .*ISO 639/],
  ['B', 'French, German', /French, German: .*ISO 639/],
  ['B', 'xx', /xx: .*ISO 639/],
  ['B', '?', /\?: .*ISO 639/],
  ['C', 'Frnce', /\bFRA\b/],
  ['C', 'Germny', /\bDEU\b/],
  ['C', 'France, Germany', /France, Germany: .*row/],
  ['C', 'FRA;DEU', /FRA;DEU: .*row/],
  ['D', '1.12.2027', /1 Dec 2027 \(dmy\) and 12 Jan 2027 \(mdy\)/],
  ['D', '3/4/27', /3 Apr 2027 \(dmy\)/],
  ['D', '31.31.2027', /31\.31\.2027 .*valid/],
  ['D', '30 Feb 2027', /30 Feb 2027 .*valid/],
  ['D', 'soon', /"soon"/],
  ['D', 46_000, /46000.* date/],
  ['D', new Date('1899-12-31T18:00:00Z'), /time .*date/],
  ['D', 'Q3', /"Q3"/],
  ['E', 'Europe/Pariss', /"Europe\/Paris"/],
  ['E', 'BST', /zone "BST"/],
  ['F', 'onlin', /"online"/],
  ['F', 'online/dcp', /"online\/dcp"/],
  ['F', 'online, brodcast', /"broadcast"/],
  ['G', 'subtitlde', /"subtitled"/],
  ['H', 'perhaps', /"perhaps"/],
  ['H', 'maybe not', /"maybe not"/],
  ['I', 'promoo', /"promo"/],
  ['J', '#N/A', /#N\/A/],
  ['K', 'Somebody Else', /user .*"Somebody Else"/],
];

it('wrong and ambiguous values of a workbook are refused, each with its cell', async () => {
  const { run, file } = await shop();
  const rows = wrong.map(([column, value]) =>
    whole.map((usual, at) => (at === column.charCodeAt(0) - 65 ? value : usual)),
  );
  const book = await writeXlsx({ sheets: [{ name: 'Plan', rows: [heads, ...rows] }] });
  const argv = ['wr', 'create', '--batch', file('rows.xlsx', Buffer.from(book)), '--json'];
  const { code, stderr } = await run([...argv, '--again']);
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
