import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { createStyle } from '../../src/output/style.ts';
import { fitTable, type TableColumn } from '../../src/output/table.ts';
import { sanitise } from '../../src/values/sanitise.ts';
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
      const lines = render(
        60,
        [{ title: 'name' }, { title: 'mark' }],
        [
          [text, 'X'],
          ['plain', 'X'],
        ],
      );
      const places = lines
        ?.slice(1)
        .map((line) => stringWidth(line.slice(0, line.lastIndexOf('X'))));
      expect(new Set(places).size).toBe(1);
    },
  );

  it('cuts the least important column first, the widest of these first', () => {
    const long = 'x'.repeat(30);
    const shown = [
      { title: 'first', importance: 2 },
      { title: 'second', importance: 1 },
      { title: 'third', importance: 1 },
    ];
    expect(render(80, shown, [[long, long, 'y'.repeat(20)]])?.[1]).toBe(
      `${long}  ${'x'.repeat(25)}…  ${'y'.repeat(20)}`,
    );
    expect(render(70, shown, [[long, long, 'y'.repeat(20)]])?.[1]).toBe(
      `${long}  ${'x'.repeat(17)}…  ${'y'.repeat(17)}…`,
    );
  });

  it('cuts a short column only when all long ones are short as well', () => {
    const shown = [{ title: 'name', importance: 5 }, { title: 'created' }];
    const line = render(30, shown, [['n'.repeat(38), '3 h ago']])?.[1];
    expect(line).toBe(`${'n'.repeat(20)}…  3 h ago`);
  });

  it('never cuts an id, however little it matters', () => {
    const id = '5f0c1e2d3a4b5c6d7e8f9a0b';
    const shown = [
      { title: 'id', fixed: true, importance: -1 },
      { title: 'name', importance: 9 },
    ];
    expect(render(40, shown, [[id, 'n'.repeat(30)]])?.[1]).toBe(`${id}  ${'n'.repeat(13)}…`);
    expect(render(30, shown, [[id, 'n'.repeat(30)]])).toBeUndefined();
  });

  it('cuts no number before the names beside it', () => {
    const shown: TableColumn[] = [
      { title: 'name', importance: 9 },
      { title: 'size', align: 'right' },
    ];
    const line = render(30, shown, [['n'.repeat(30), '123456789012']])?.[1];
    expect(line).toBe(`${'n'.repeat(15)}…  123456789012`);
  });

  it('cuts no status and no time before the names beside them', () => {
    const shown: TableColumn[] = [
      { title: 'name', importance: 9 },
      { title: 'status', whole: true },
      { title: 'due', whole: true },
    ];
    const cells = [['n'.repeat(30), 'awaiting-materials', '20 d ago']];
    expect(render(46, shown, cells)?.[1]).toBe(`${'n'.repeat(15)}…  awaiting-materials  20 d ago`);
    expect(render(32, shown, cells)?.[1]).toBe('nnnnnnnnn…  awaiting-…  20 d ago');
  });

  it('cuts titles before anything that stands below them', () => {
    const shown = [{ title: 'id', fixed: true }, { title: 'territory' }, { title: 'name' }];
    expect(render(22, shown, [['1', 'FRA', 'Ten letter']])).toEqual([
      'ID  TERRI…  NAME',
      '1   FRA     Ten letter',
    ]);
  });

  it('cuts the last columns short before it cuts a name at all', () => {
    const shown = [
      { title: 'name', importance: 4 },
      { title: 'mail', importance: 3 },
      { title: 'group', importance: 2 },
      { title: 'role', importance: 1 },
    ];
    const cells = [['n'.repeat(20), 'm'.repeat(20), 'g'.repeat(20), 'r'.repeat(20)]];
    expect(render(61, shown, cells)?.[1]).toBe(
      `${'n'.repeat(20)}  ${'m'.repeat(18)}…  ggggggggg…  rrrrr…`,
    );
  });

  it('sets a column to the right when it holds numbers alone', () => {
    const shown = [{ title: 'id', fixed: true }, { title: 'size' }, { title: 'code' }];
    const cells = [
      ['1', '5', '5'],
      ['22', '-1.5', 'a5'],
      ['3', '', ''],
    ];
    expect(render(40, shown, cells)).toEqual([
      'ID  SIZE  CODE',
      '1      5  5',
      '22  -1.5  a5',
      '3',
    ]);
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

  it('writes titles in capitals, two spaces between columns, numbers to the right', () => {
    const shown: TableColumn[] = [
      { title: 'id' },
      { title: 'size', align: 'right' },
      { title: 'ok' },
    ];
    expect(
      render(40, shown, [
        ['a', '5', 'yes'],
        ['b', '12345', ''],
      ]),
    ).toEqual(['ID   SIZE  OK', 'a       5  yes', 'b   12345']);
  });

  it('paints a cell after it was cut, and not the spaces around it', () => {
    const paint = (text: string) => `<${text}>`;
    const layout = fitTable(
      [{ title: 'status', paint }, { title: 'n' }],
      [
        ['awaiting', '1'],
        ['ok', '2'],
      ],
      12,
      plain,
    );
    expect(layout?.row(['ok', '2'])).toBe('<ok>        2');
    expect(layout?.row(['awaiting-materials', '2'])).toBe('<awaitin…>  2');
  });

  it('shows a missing cell as an empty one', () => {
    expect(render(40, [{ title: 'a' }, { title: 'b' }], [['1'], []])).toEqual(['A  B', '1', '']);
  });
});
