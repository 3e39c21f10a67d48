import { stripVTControlCharacters } from 'node:util';
import { sanitise, sanitiseLines } from './sanitise.ts';
import type { Style } from './style.ts';
import { fitTable, type TableColumn } from './table.ts';
import { displayWidth, pad, truncate, wrap } from './width.ts';

/** Text with a colour, which is applied after the text is made safe and wrapped. */
export type CardText = string | { text: string; paint?: (text: string, style: Style) => string };

export interface CardSection {
  heading?: string;
  rows?: readonly (readonly [label: string, value: CardText])[];
  lines?: readonly CardText[];
  table?: { columns: readonly TableColumn[]; rows: readonly (readonly string[])[] };
}

export interface Card {
  title: string;
  subtitle?: string;
  /** Follows the title. A string may hold colour codes; other control characters are removed. */
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
/** Limits a whole card, since nobody reads more on a terminal. Each value gets the minimum anyway. */
const maxCharacters = 100_000;
const minCharacters = 1000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that styleText writes
const colourCode = /(\x1b\[[\d;]*m)/;

interface Frame {
  style: Style;
  /** For everything but titles and headings. Empty if the card has neither. */
  indent: string;
  budget: { remaining: number };
  textWidth: number;
  tableWidth: number;
}

/** Draws one record. All text is made safe here, and empty parts are left out. */
export function renderCard(card: Card, width: number, style: Style): string[] {
  const cardWidth = Math.max(width, minTextWidth);
  const hasHeads = [card, ...card.sections].some((part) => headOf(part).trim() !== '');
  const indent = hasHeads ? '  ' : '';
  const frame: Frame = {
    style,
    indent,
    budget: { remaining: maxCharacters },
    textWidth: Math.min(cardWidth, maxTextWidth) - indent.length,
    tableWidth: cardWidth - indent.length,
  };
  const rows = card.sections.flatMap((section) => section.rows ?? []);
  const labels = labelColumn(rows, frame);
  const blocks = [
    titleLines(card, Math.min(cardWidth, maxTextWidth), frame),
    ...card.sections.map((section) => sectionLines(section, labels, frame)),
  ].filter((block) => block.length > 0);
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

function headOf(part: Card | CardSection): string {
  return ('title' in part ? part.title : part.heading) ?? '';
}

function titleLines({ title, subtitle, badge }: Card, width: number, frame: Frame): string[] {
  const { style } = frame;
  const wrapped = wrapSafely(title, width, frame);
  const mark = badge === undefined ? '' : badgeText(badge, width, style);
  const last = wrapped.at(-1);
  const beside = mark === '' ? 0 : gap.length + displayWidth(stripVTControlCharacters(mark));
  const lines = wrapped.map(style.bold);
  if (last !== undefined && mark !== '' && displayWidth(last) + beside <= width) {
    lines.push(`${lines.pop()}${gap}${mark}`);
  } else if (mark !== '') {
    lines.push(mark);
  }
  return [...lines, ...wrapSafely(subtitle ?? '', width, frame).map(style.dim)];
}

function badgeText(badge: CardText, width: number, style: Style): string {
  if (typeof badge !== 'string') {
    return painterOf(badge, style)(truncate(sanitise(badge.text).trim(), width));
  }
  const parts = badge.trim().split(colourCode);
  const text = parts.filter((_, index) => index % 2 === 0).map(sanitise);
  const bare = text.join('');
  const hasColour = style.bold('x') !== 'x';
  if (!hasColour || displayWidth(bare) > width) return truncate(bare, width);
  return parts.map((part, index) => (index % 2 === 0 ? sanitise(part) : part)).join('');
}

function sectionLines(section: CardSection, labels: number, frame: Frame): string[] {
  const { heading = '', rows = [], lines = [], table } = section;
  const content = [
    ...rows.flatMap((row) => rowLines(row, labels, frame)),
    ...paragraph(lines, frame),
    ...(table === undefined ? [] : tableLines(table, frame)),
  ].map((line) => (line === '' ? '' : frame.indent + line));
  if (content.length === 0) return [];
  return [...wrapSafely(heading, frame.textWidth, frame).map(frame.style.bold), ...content];
}

function paragraph(lines: readonly CardText[], frame: Frame): string[] {
  const { style, textWidth } = frame;
  const shown = lines.flatMap((line) => {
    const wrapped = wrapSafely(plainCardText(line), textWidth, frame).map(painterOf(line, style));
    return wrapped.length === 0 ? [''] : wrapped;
  });
  return withoutBlankEnds(shown);
}

function labelColumn(rows: NonNullable<CardSection['rows']>, frame: Frame): number {
  const maxWidth = Math.min(maxLabelWidth, Math.floor(frame.textWidth * 0.4));
  // A card without heads is one of many, which line up if empty rows count too.
  const isOneOfMany = frame.indent === '';
  return rows
    .filter(([, value]) => isOneOfMany || plainCardText(value).trim() !== '')
    .map(([label]) => displayWidth(sanitise(label)))
    .filter((width) => width <= maxWidth)
    .reduce((widest, width) => Math.max(widest, width), 0);
}

function rowLines(
  [label, value]: readonly [string, CardText],
  labels: number,
  frame: Frame,
): string[] {
  const { style, textWidth } = frame;
  const name = sanitise(label).trim();
  const margin = ' '.repeat(labels === 0 ? 2 : labels + gap.length);
  const values = wrapSafely(plainCardText(value), textWidth - margin.length, frame).map(
    painterOf(value, style),
  );
  const [first = '', ...rest] = values;
  if (values.length === 0) return [];
  const under = rest.map((line) => (line === '' ? '' : margin + line));
  // A label that is too long gets a line of its own.
  if (displayWidth(name) > labels) {
    return [...wrap(name, textWidth).map(style.dim), margin + first, ...under];
  }
  return [style.dim(name) + pad('', margin.length - displayWidth(name), 'left') + first, ...under];
}

function tableLines(table: NonNullable<CardSection['table']>, frame: Frame): string[] {
  const rows = table.rows.map((row) => row.map((cell) => sanitise(withinBudget(cell, frame))));
  if (rows.length === 0) return [];
  const layout = fitTable(table.columns, rows, frame.tableWidth, frame.style);
  if (layout !== undefined) return [layout.header, ...rows.flatMap((row) => layout.lines(row))];
  const records = rows.map((row) =>
    table.columns.map(
      ({ title, paint }, index) => [title, { text: row[index] ?? '', paint }] as const,
    ),
  );
  const labels = labelColumn(records.flat(), frame);
  return records.flatMap((record, index) => {
    const lines = record.flatMap((row) => rowLines(row, labels, frame));
    return index === 0 ? lines : ['', ...lines];
  });
}

export function plainCardText(value: CardText): string {
  return typeof value === 'string' ? value : value.text;
}

export function painterOf(value: CardText, style: Style): (text: string) => string {
  const paint = typeof value === 'string' ? undefined : value.paint;
  return (text) => (paint === undefined || text === '' ? text : paint(text, style));
}

function wrapSafely(text: string, width: number, frame: Frame): string[] {
  return withoutBlankEnds(sanitiseLines(withinBudget(text, frame)))
    .flatMap((line) => wrap(line, width))
    .map((line) => line.replaceAll(noBreakSpace, ' '));
}

function withinBudget(text: string, { budget }: Frame): string {
  const maxLength = Math.max(budget.remaining, minCharacters);
  budget.remaining -= Math.min(text.length, maxLength);
  return abbreviate(text, maxLength);
}

export function abbreviate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const isPairCut = /[\ud800-\udbff]/.test(text[maxLength - 1] ?? '');
  const end = isPairCut ? maxLength - 1 : maxLength;
  return `${text.slice(0, end)}… (${text.length - end} more characters; --json shows all)`;
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  const isShown = (line: string) => line.trim() !== '';
  const first = lines.findIndex(isShown);
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isShown) + 1);
}
