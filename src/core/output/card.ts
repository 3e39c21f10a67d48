import { sanitise, sanitiseLines } from '../values/sanitise.ts';
import { displayWidth, truncate, wrap } from '../values/width.ts';
import type { Style } from './style.ts';
import { fitTable, type TableColumn } from './table.ts';

/** Text with a colour, which is applied after the text is made safe and wrapped. */
export type CardText = string | { text: string; paint?: (text: string, style: Style) => string };

export type CardRow = readonly [label: string, value: CardText];

export interface CardSection {
  heading?: string;
  rows?: readonly CardRow[];
  lines?: readonly CardText[];
  table?: { columns: readonly TableColumn[]; rows: readonly (readonly string[])[] };
}

export interface Card {
  title: string;
  subtitle?: string;
  badge?: CardText;
  sections: readonly CardSection[];
}

const noBreakSpace = '\u00a0';

/** Keeps a few words together on one line of a card: `3 d ago`. */
export const unbroken = (text: string): string => text.replaceAll(' ', noBreakSpace);

/** Longer lines are hard to read. */
const maxTextWidth = 100;
const minTextWidth = 20;
const maxLabelWidth = 24;
const gap = '  ';
/** A longer value is not readable on a terminal. */
const maxCharacters = 20_000;

/** Draws one record. All text is made safe here, and empty parts are left out. */
export function renderCard(card: Card, width: number, style: Style): string[] {
  const cardWidth = Math.max(width, minTextWidth);
  const heads = [card.title, ...card.sections.map(({ heading = '' }) => heading)];
  /** For everything but titles and headings. Empty if the card has neither. */
  const indent = heads.some((head) => head.trim() !== '') ? '  ' : '';
  const titleWidth = Math.min(cardWidth, maxTextWidth);
  const textWidth = titleWidth - indent.length;
  const labels = labelColumn(card.sections.flatMap(({ rows = [] }) => rows));
  return separated([titleLines(), ...card.sections.map(sectionLines)]);

  function titleLines(): string[] {
    const { title, subtitle = '', badge = '' } = card;
    const wrapped = wrapSafely(title, titleWidth);
    const mark = truncate(sanitise(plainCardText(badge)).trim(), titleWidth);
    const lines = wrapped.map(style.bold);
    if (mark !== '') {
      const shown = painterOf(badge, style)(mark);
      const between = style.isAccessible ? ', ' : gap;
      const used = displayWidth(wrapped.at(-1) ?? '') + between.length + displayWidth(mark);
      lines.push(lines.length > 0 && used <= titleWidth ? lines.pop() + between + shown : shown);
    }
    return [...lines, ...wrapSafely(subtitle, titleWidth).map(style.dim)];
  }

  function sectionLines({ heading = '', rows = [], lines = [], table }: CardSection): string[] {
    const paragraph = (line: CardText) => {
      const wrapped = painted(line, textWidth);
      return wrapped.length === 0 ? [''] : wrapped;
    };
    const content = [
      ...rows.flatMap((row) => rowLines(row, labels)),
      ...withoutBlankEnds(lines.flatMap(paragraph)),
      ...(table === undefined ? [] : tableLines(table)),
    ].map((line) => (line === '' ? '' : indent + line));
    if (content.length === 0) return [];
    return [...wrapSafely(heading, textWidth).map(style.bold), ...content];
  }

  function labelColumn(rows: readonly CardRow[]): number {
    const maxWidth = Math.min(maxLabelWidth, Math.floor(textWidth * 0.4));
    // A card without heads is one of many, which line up if empty rows count too.
    const isOneOfMany = indent === '';
    return rows
      .filter(([, value]) => isOneOfMany || plainCardText(value).trim() !== '')
      .map(([label]) => displayWidth(sanitise(label)))
      .filter((labelWidth) => labelWidth <= maxWidth)
      .reduce((widest, labelWidth) => Math.max(widest, labelWidth), 0);
  }

  function rowLines([label, value]: CardRow, column: number): string[] {
    const name = sanitise(label).trim();
    // `Label: value`, without columns, for screen readers.
    const isColumn = !style.isAccessible;
    const margin = isColumn ? ' '.repeat(column === 0 ? 2 : column + gap.length) : '';
    const [first, ...rest] = painted(value, textWidth - margin.length);
    if (first === undefined) return [];
    const under = rest.map((line) => (line === '' ? '' : margin + line));
    if (!isColumn) return [`${name}: ${first}`, ...under];
    // A label that is too long gets a line of its own.
    if (displayWidth(name) > column) {
      return [...wrap(name, textWidth).map(style.dim), margin + first, ...under];
    }
    return [style.dim(name) + margin.slice(displayWidth(name)) + first, ...under];
  }

  function tableLines({ columns, rows: given }: NonNullable<CardSection['table']>): string[] {
    const rows = given.map((row) => row.map((cell) => sanitise(abbreviate(cell, maxCharacters))));
    if (rows.length === 0) return [];
    const layout = style.isAccessible
      ? undefined
      : fitTable(columns, rows, cardWidth - indent.length, style);
    if (layout !== undefined) return [layout.header, ...rows.flatMap((row) => layout.lines(row))];
    const records = rows.map((row) => recordRows(columns, row));
    const column = labelColumn(records.flat());
    return separated(records.map((record) => record.flatMap((row) => rowLines(row, column))));
  }

  function painted(value: CardText, maxWidth: number): string[] {
    return wrapSafely(plainCardText(value), maxWidth).map(painterOf(value, style));
  }

  function wrapSafely(text: string, maxWidth: number): string[] {
    return withoutBlankEnds(sanitiseLines(abbreviate(text, maxCharacters)))
      .flatMap((line) => wrap(line, maxWidth))
      .map((line) => line.replaceAll(noBreakSpace, ' '));
  }
}

/** The blocks that have lines, with an empty line between them. */
const separated = (blocks: readonly string[][]): string[] =>
  blocks
    .filter((block) => block.length > 0)
    .flatMap((block, index) => (index === 0 ? block : ['', ...block]));

/** A record of a table that is too wide, for a card. */
export const recordRows = (
  columns: readonly TableColumn[],
  cells: readonly string[],
  record?: unknown,
): CardRow[] =>
  columns.map(({ title, paint }, index) => [
    title,
    {
      text: cells[index] ?? '',
      paint: paint && ((text, style) => paint(text, style, record)),
    },
  ]);

const plainCardText = (value: CardText): string => (typeof value === 'string' ? value : value.text);

function painterOf(value: CardText, style: Style): (text: string) => string {
  if (typeof value === 'string') return (text) => text;
  const { paint } = value;
  return (text) => (paint === undefined || text === '' ? text : paint(text, style));
}

export function abbreviate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // A surrogate pair is not cut in half.
  const end = maxLength - (/[\ud800-\udbff]/.test(text[maxLength - 1] ?? '') ? 1 : 0);
  return `${text.slice(0, end)}… (${text.length - end} more characters; use --json to see all)`;
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  const isShown = (line: string) => line.trim() !== '';
  const first = lines.findIndex(isShown);
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isShown) + 1);
}
