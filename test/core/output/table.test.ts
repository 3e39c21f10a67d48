import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { createStyle } from '../../../src/core/output/style.ts';
import { fitTable, type TableColumn } from '../../../src/core/output/table.ts';
import { sanitise } from '../../../src/core/values/sanitise.ts';
import { family, randomTexts, texts, widths } from './samples.ts';

const plain = createStyle(false);

const columns: readonly TableColumn[] = [
  { title: 'id', fixed: true },
  { title: 'name', importance: 2 },
  { title: 'status', importance: 1, whole: true, paint: (text, style) => style.yellow(text) },
  { title: 'language' },
  { title: 'size' },
  { title: 'created', whole: true },
];

const rows = Object.entries(texts).map(([language, text], index) => [
  `5f0c1e2d3a4b5c6d7e8f9a${(0xa0 + index).toString(16)}`,
  text,
  index % 3 === 0 ? 'awaiting-materials' : 'incomplete',
  language.slice(0, 3),
  String(7 ** index),
  index % 4 === 0 ? '' : `${index} d ago`,
]);

function render(
  width: number,
  shown: readonly TableColumn[] = columns,
  cells: readonly (readonly string[])[] = rows,
): string[] | undefined {
  const layout = fitTable(shown, cells, width, plain);
  return layout && [layout.header, ...cells.map((row) => layout.row(row))];
}

describe('fitTable', () => {
  it.each([80, 120])('at %i columns looks as in its snapshot', async (width) => {
    const shown = `${render(width)?.join('\n')}\n`;
    await expect(shown).toMatchFileSnapshot(`./snapshots/table-${width}.txt`);
  });

  it('in colour looks as in its snapshot', async () => {
    const layout = fitTable(columns, rows, 120, createStyle(true));
    const lines = [layout?.header, ...rows.slice(0, 4).map((row) => layout?.row(row))];
    const shown = `${lines.join('\n')}\n`.replaceAll('\x1b', '␛');
    await expect(shown).toMatchFileSnapshot('./snapshots/table-colour.txt');
  });

  it('gives up where so many columns cannot be read', () => {
    expect(render(40)).toBeUndefined();
    expect(render(60)).toBeUndefined();
  });

  it('gives up where every column would fit but say next to nothing', () => {
    const shown = ['when', 'status', 'by', 'reason'].map((title) => ({ title }));
    const cells = [['2026-11-28 09:12 UTC', 'awaiting-materials', 'Zoë Ångström', 'r'.repeat(40)]];
    expect(render(40, shown, cells)).toBeUndefined();
    expect(render(60, shown, cells)).toBeDefined();
  });

  it.each(widths)('at %i columns no row is wider, and none ends in a space', (width) => {
    const few = columns.slice(1, 4);
    const cells = [
      ...rows.map((row) => row.slice(1, 4)),
      ...randomTexts(300, 90).map((text) => [sanitise(text), 'incomplete', 'fra']),
    ];
    const lines = render(width, few, cells);
    expect(lines).toBeDefined();
    for (const line of lines ?? []) {
      expect(stringWidth(line)).toBeLessThanOrEqual(width);
      expect(line).toBe(line.trimEnd());
    }
  });

  it.each([[texts.chinese], [family], [texts.combining], [texts.hebrew]])(
    'keeps the next column in its place behind %s',
    (text) => {
      const cells = [text, 'plain'].map((name) => [name, 'X']);
      const [, ...lines] = render(60, [{ title: 'name' }, { title: 'mark' }], cells) ?? [];
      const places = lines.map((line) => stringWidth(line.slice(0, line.lastIndexOf('X'))));
      expect(new Set(places).size).toBe(1);
    },
  );

  const letters = (letter: string, count: number) => letter.repeat(count);
  const column = (title: string, importance: number, more: Partial<TableColumn> = {}) => ({
    ...{ title, importance },
    ...more,
  });
  const three = [column('first', 2), column('second', 1), column('third', 1)];
  const threeCells = [letters('x', 30), letters('x', 30), letters('y', 20)];
  const id = '5f0c1e2d3a4b5c6d7e8f9a0b';
  const withId = [column('id', -1, { fixed: true }), column('name', 9)];
  const name = letters('n', 30);
  const status: TableColumn[] = [
    column('name', 9),
    { title: 'status', whole: true },
    { title: 'due', whole: true },
  ];
  const statusCells = [name, 'awaiting-materials', '20 d ago'];
  const four = ['name', 'mail', 'group', 'role'].map((title, at) => column(title, 4 - at));

  it.each<[what: string, width: number, TableColumn[], cells: string[], line: string | undefined]>([
    [
      'the widest of the least important columns first',
      80,
      three,
      threeCells,
      `${letters('x', 30)}  ${letters('x', 25)}…  ${letters('y', 20)}`,
    ],
    [
      'a short column only when all long ones are short as well',
      30,
      [column('name', 5), { title: 'created' }],
      [letters('n', 38), '3 h ago'],
      `${letters('n', 20)}…  3 h ago`,
    ],
    ['no id, however little it matters', 40, withId, [id, name], `${id}  ${letters('n', 13)}…`],
    ['nothing where even the id has no room', 30, withId, [id, name], undefined],
    [
      'no number before the names beside it',
      30,
      [column('name', 9), { title: 'size', align: 'right' }],
      [name, '123456789012'],
      `${letters('n', 15)}…  123456789012`,
    ],
    [
      'no status and no time before the names beside them',
      46,
      status,
      statusCells,
      `${letters('n', 15)}…  awaiting-materials  20 d ago`,
    ],
    ['a status then', 32, status, statusCells, 'nnnnnnnnn…  awaiting-…  20 d ago'],
    [
      'the last columns short before it cuts a name at all',
      61,
      four,
      ['n', 'm', 'g', 'r'].map((letter) => letters(letter, 20)),
      `${letters('n', 20)}  ${letters('m', 18)}…  ggggggggg…  rrrrr…`,
    ],
  ])('cuts %s', (_what, width, shown, cells, line) => {
    expect(render(width, shown, [cells])?.[1]).toBe(line);
  });

  it('cuts titles before anything that stands below them', () => {
    const shown = [{ title: 'id', fixed: true }, { title: 'territory' }, { title: 'name' }];
    const lines = ['ID  TERRI…  NAME', '1   FRA     Ten letter'];
    expect(render(22, shown, [['1', 'FRA', 'Ten letter']])).toEqual(lines);
  });

  it('sets a column to the right when it holds numbers alone', () => {
    const shown = [{ title: 'id', fixed: true }, { title: 'size' }, { title: 'code' }];
    const cells = [
      ['1', '5', '5'],
      ['22', '-1.5', 'a5'],
      ['3', '', ''],
    ];
    const lines = ['ID  SIZE  CODE', '1      5  5', '22  -1.5  a5', '3'];
    expect(render(40, shown, cells)).toEqual(lines);
  });

  it('lets text go on below where there is room for several lines', () => {
    const shown = [{ title: 'when' }, { title: 'why', wraps: true }, { title: 'n' }];
    const layout = fitTable(shown, [['today', 'w'.repeat(40), '1']], 34, plain);
    expect(layout?.lines(['today', 'the last reel was missing its sound', '1'])).toEqual([
      'today  the last reel was         1',
      '       missing its sound',
    ]);
    expect(layout?.lines(['today', '', ''])).toEqual(['today']);
  });

  it('prints a later, longer id whole and cuts a later, longer name', () => {
    const shown = [{ title: 'id', fixed: true }, { title: 'name' }];
    const layout = fitTable(shown, [['1', 'short']], 20, plain);
    expect(layout?.row(['1234567890123456789012', 'much longer than short'])).toBe(
      '1234567890123456789012  much…',
    );
  });

  it('paints a cell after it was cut, and not the spaces around it', () => {
    const paint = (text: string) => `<${text}>`;
    const shown = [{ title: 'status', paint }, { title: 'n' }];
    const layout = fitTable(shown, [['awaiting', '1']], 12, plain);
    expect(layout?.row(['ok', '2'])).toBe('<ok>        2');
    expect(layout?.row(['awaiting-materials', '2'])).toBe('<awaitin…>  2');
  });

  it('shows a missing cell as an empty one', () => {
    expect(render(40, [{ title: 'a' }, { title: 'b' }], [['1'], []])).toEqual(['A  B', '1', '']);
  });
});
