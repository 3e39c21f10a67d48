import { sanitise, sanitiseLines } from '../values/sanitise.ts';
import { displayWidth, truncate, wrap } from '../values/width.ts';
import type { Style } from './style.ts';
import { fitTable, type TableColumn } from './table.ts';

/** Text with a colour, which is applied after the text is made safe and wrapped. */
export type CardText =
  | string
  | { text: string; paint?: (text: string, style: Style) => string; link?: string };

type CardRow = readonly [label: string, value: CardText];

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
  link?: string;
  sections: readonly CardSection[];
}

const noBreakSpace = '\u00a0';

/** Keeps a few words together on one line of a card: `3 d ago`. */
export const unbroken = (text: string): string => text.replaceAll(' ', noBreakSpace);

/** Longer lines are hard to read. */
export const maxTextWidth = 100;
const minTextWidth = 20;
const maxLabelWidth = 24;
const gap = '  ';
/** Limits a whole card: more is not readable on a terminal. Each value gets the minimum anyway. */
const maxCharacters = 100_000;
const minCharacters = 1000;

interface Frame {
  style: Style;
  /** For everything but titles and headings. Empty if the card has neither. */
  indent: string;
  remainingCharacters: number;
  textWidth: number;
  tableWidth: number;
}

/** Draws one record. All text is made safe here, and empty parts are left out. */
export function renderCard(card: Card, width: number, style: Style): string[] {
  const cardWidth = Math.max(width, minTextWidth);
  const heads = [card.title, ...card.sections.map(({ heading = '' }) => heading)];
  const indent = heads.some((head) => head.trim() !== '') ? '  ' : '';
  const frame: Frame = {
    style,
    indent,
    remainingCharacters: maxCharacters,
    textWidth: Math.min(cardWidth, maxTextWidth) - indent.length,
    tableWidth: cardWidth - indent.length,
  };
  const rows = card.sections.flatMap((section) => section.rows ?? []);
  const labels = labelColumn(rows, frame);
  const blocks = [
    titleLines(card, frame),
    ...card.sections.map((section) => sectionLines(section, labels, frame)),
  ];
  return separated(blocks);
}

/** The blocks that have lines, with an empty line between them. */
export const separated = (blocks: readonly string[][]): string[] =>
  blocks
    .filter((block) => block.length > 0)
    .flatMap((block, index) => (index === 0 ? block : ['', ...block]));

function titleLines(card: Card, frame: Frame): string[] {
  const { title, subtitle = '', badge = '' } = card;
  const { style } = frame;
  const width = frame.textWidth + frame.indent.length;
  const wrapped = wrapSafely(title, width, frame);
  const mark = truncate(sanitise(plainCardText(badge)).trim(), width);
  const { link = '' } = card;
  const lines = wrapped.map((line) => {
    const bold = style.bold(line);
    return link === '' ? bold : style.link(bold, link);
  });
  if (mark !== '') {
    const painted = painterOf(badge, style)(mark);
    const between = style.isAccessible ? ', ' : gap;
    const used = displayWidth(wrapped.at(-1) ?? '') + between.length + displayWidth(mark);
    lines.push(lines.length > 0 && used <= width ? lines.pop() + between + painted : painted);
  }
  return [...lines, ...wrapSafely(subtitle, width, frame).map(style.dim)];
}

function sectionLines(section: CardSection, labels: number, frame: Frame): string[] {
  const { heading = '', rows = [], lines = [], table } = section;
  const paragraph = (line: CardText) => {
    const wrapped = painted(line, frame.textWidth, frame);
    return wrapped.length === 0 ? [''] : wrapped;
  };
  const content = [
    ...rows.flatMap((row) => rowLines(row, labels, frame)),
    ...withoutBlankEnds(lines.flatMap(paragraph)),
    ...(table === undefined ? [] : tableLines(table, frame)),
  ].map((line) => (line === '' ? '' : frame.indent + line));
  if (content.length === 0) return [];
  return [...wrapSafely(heading, frame.textWidth, frame).map(frame.style.bold), ...content];
}

function labelColumn(rows: readonly CardRow[], frame: Frame): number {
  const maxWidth = Math.min(maxLabelWidth, Math.floor(frame.textWidth * 0.4));
  // A card without heads is one of many, which line up if empty rows count too.
  const isOneOfMany = frame.indent === '';
  return rows
    .filter(([, value]) => isOneOfMany || plainCardText(value).trim() !== '')
    .map(([label]) => displayWidth(sanitise(label)))
    .filter((width) => width <= maxWidth)
    .reduce((widest, width) => Math.max(widest, width), 0);
}

function rowLines([label, value]: CardRow, labels: number, frame: Frame): string[] {
  const { style, textWidth } = frame;
  const name = sanitise(label).trim();
  // `Label: value`, without columns, for screen readers.
  if (style.isAccessible) {
    const [first, ...rest] = painted(value, textWidth, frame);
    return first === undefined ? [] : [`${name}: ${first}`, ...rest];
  }
  const margin = ' '.repeat(labels === 0 ? 2 : labels + gap.length);
  const [first, ...rest] = painted(value, textWidth - margin.length, frame);
  if (first === undefined) return [];
  const under = rest.map((line) => (line === '' ? '' : margin + line));
  // A label that is too long gets a line of its own.
  if (displayWidth(name) > labels) {
    return [...wrap(name, textWidth).map(style.dim), margin + first, ...under];
  }
  return [style.dim(name) + margin.slice(displayWidth(name)) + first, ...under];
}

function tableLines(table: NonNullable<CardSection['table']>, frame: Frame): string[] {
  const rows = table.rows.map((row) => row.map((cell) => sanitise(withinBudget(cell, frame))));
  if (rows.length === 0) return [];
  const layout = frame.style.isAccessible
    ? undefined
    : fitTable(table.columns, rows, frame.tableWidth, frame.style);
  if (layout !== undefined) return [layout.header, ...rows.flatMap((row) => layout.lines(row))];
  const records = rows.map((row) => recordRows(table.columns, row));
  const labels = labelColumn(records.flat(), frame);
  return separated(records.map((rows) => rows.flatMap((row) => rowLines(row, labels, frame))));
}

/** A record of a table that is too wide, for a card. */
export const recordRows = (
  columns: readonly TableColumn[],
  cells: readonly string[],
  link?: string,
): CardRow[] =>
  columns.map(({ title, paint, isLinked }, index) => [
    title,
    { text: cells[index] ?? '', paint, ...(isLinked && link !== undefined && { link }) },
  ]);

export const plainCardText = (value: CardText): string =>
  typeof value === 'string' ? value : value.text;

export function painterOf(value: CardText, style: Style): (text: string) => string {
  if (typeof value === 'string') return (text) => text;
  const { paint, link } = value;
  return (text) => {
    const painted = paint === undefined || text === '' ? text : paint(text, style);
    return link === undefined ? painted : style.link(painted, link);
  };
}

const painted = (value: CardText, width: number, frame: Frame): string[] =>
  wrapSafely(plainCardText(value), width, frame).map(painterOf(value, frame.style));

function wrapSafely(text: string, width: number, frame: Frame): string[] {
  return withoutBlankEnds(sanitiseLines(withinBudget(text, frame)))
    .flatMap((line) => wrap(line, width))
    .map((line) => line.replaceAll(noBreakSpace, ' '));
}

function withinBudget(text: string, frame: Frame): string {
  const maxLength = Math.max(frame.remainingCharacters, minCharacters);
  frame.remainingCharacters -= Math.min(text.length, maxLength);
  return abbreviate(text, maxLength);
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
