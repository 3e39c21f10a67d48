import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { type Card, renderCard } from '../../../src/core/output/card.ts';
import { createStyle } from '../../../src/core/output/style.ts';
import { randomTexts, texts, widths } from './samples.ts';

const plain = createStyle(false);
const colour = createStyle(true);

const longReason = 'The dialogue list lacked its last reel';
const card: Card = {
  title: texts.latin,
  subtitle: '5f0c1e2d3a4b5c6d7e8f9a0b · Spider: Across the Night',
  badge: { text: 'awaiting-materials', paint: (text, style) => style.yellow(text) },
  sections: [
    {
      rows: [
        ['Language', 'fra'],
        ['Territory', ''],
        ['Due', '2026-12-01 18:00 Europe/Paris (in 2 d)'],
        ['Delivery deadline of the master', '2026-12-04 18:00 Europe/Paris'],
        ['Asset', `${texts.chinese}，請在週五之前完成所有的字幕與圖形翻譯工作，謝謝。`],
        ['Cast', `${texts.emoji}, ${texts.combining}`],
        ['Original', `${texts.arabic} ${texts.hebrew}`],
        [
          'Instructions',
          'Keep the pun in line 12.\n\nThe house style is at https://studio.example/guides/2026/subtitles/house-style.pdf, and nothing else counts.',
        ],
      ],
    },
    {
      heading: 'Materials',
      table: {
        columns: [{ title: 'name', importance: 1 }, { title: 'complete' }, { title: 'approved' }],
        rows: [
          ['Dialogue list', 'yes', 'no'],
          [texts.japanese, 'no', 'no'],
        ],
      },
    },
    {
      heading: 'History',
      table: {
        columns: [
          { title: 'when', fixed: true },
          { title: 'status', importance: 1, paint: (text, style) => style.yellow(text) },
          { title: 'by' },
          { title: 'reason' },
        ],
        rows: [
          ['2026-11-28 09:12 UTC', 'incomplete', 'Ann Lee', longReason],
          ['2026-11-29 17:40 UTC', 'awaiting-materials', 'Zoë Ångström', ''],
        ],
      },
    },
    { heading: 'Tags', rows: [['None', '']], lines: [''] },
    {
      heading: 'Notes',
      lines: [
        'A note that is long enough to be wrapped on all terminals but the widest ones there are.',
        '',
        'Another.',
      ],
    },
  ],
};

describe('renderCard', () => {
  it.each([40, 60, 80, 120])('at %i columns looks as in its snapshot', async (width) => {
    const shown = `${renderCard(card, width, plain).join('\n')}\n`;
    await expect(shown).toMatchFileSnapshot(`./snapshots/card-${width}.txt`);
  });

  it('in colour looks as in its snapshot', async () => {
    const shown = `${renderCard(card, 80, colour).join('\n')}\n`.replaceAll('\x1b', '␛');
    await expect(shown).toMatchFileSnapshot('./snapshots/card-colour.txt');
  });

  it.each(widths)('at %i columns no line is wider, and none ends in a space', (width) => {
    const random = randomTexts(200, 120);
    const rows = random.map((text, index) => [random[(index + 1) % 20] ?? '', text] as const);
    const cards: Card[] = [
      card,
      { title: random[0] ?? '', subtitle: random[1], badge: random[2], sections: [{ rows }] },
      { title: '', sections: [{ heading: random[3], lines: random }] },
    ];
    for (const one of cards) {
      for (const line of renderCard(one, width, plain)) {
        expect(stringWidth(line)).toBeLessThanOrEqual(width);
        expect(line).toBe(line.trimEnd());
      }
    }
  });

  it('paints a badge, and nothing that its text holds', () => {
    const badge: Card['badge'] = {
      text: '\x1b[31mdone\x1b[2J\x07\n',
      paint: (text, style) => style.green(text),
    };
    const [line] = renderCard({ title: 'T', badge, sections: [] }, 40, colour);
    expect(line).toBe(`${colour.bold('T')}  ${colour.green('␛[31mdone␛[2J␇')}`);
  });

  it('adds no colour to an empty text', () => {
    expect(colour.dim('')).toBe('');
  });

  it('leaves out what is empty', () => {
    const sections = [
      { heading: 'Rows', rows: [['a', ''] as const, ['b', ' \n '] as const] },
      { heading: 'Lines', lines: ['', ' '] },
      { heading: 'Table', table: { columns: [{ title: 'a' }], rows: [] } },
      { heading: 'Nothing' },
      { rows: [['c', '1'] as const] },
    ];
    const shown = renderCard({ title: 'T', subtitle: '', badge: '', sections }, 40, plain);
    expect(shown).toEqual(['T', '', '  c  1']);
  });

  it('has no margin where there is neither a title nor a heading', () => {
    const rows = [['ID', '1'] as const, ['NAME', 'x'] as const];
    const shown = renderCard({ title: '', sections: [{ rows }] }, 40, plain);
    expect(shown).toEqual(['ID    1', 'NAME  x']);
  });

  it('lines labels up across sections', () => {
    const sections = [{ rows: [['a', '1'] as const] }, { rows: [['longer', '2'] as const] }];
    expect(renderCard({ title: '', sections }, 40, plain)).toEqual(['a       1', '', 'longer  2']);
  });

  it('keeps long lines readable on a wide terminal', () => {
    const sections = [{ lines: ['word '.repeat(100)] }];
    const lines = renderCard({ title: '', sections }, 200, plain);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  });
});
