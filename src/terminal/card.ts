import { stripVTControlCharacters } from 'node:util';
import { sanitise, sanitiseLines } from './sanitise.ts';
import type { Style } from './style.ts';
import { fitTable, type TableColumn } from './table.ts';
import { displayWidth, pad, truncate, wrap } from './width.ts';

/** Text, and how to colour what is left of it once it was made safe and fitted. */
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
  /** Stands behind the title. May be painted already: of that, colours alone are kept. */
  badge?: CardText;
  sections: readonly CardSection[];
}

/** Holds a few words together on a line of a card: `3 d ago`. */
export const unbroken = (text: string): string => text.replaceAll(' ', bond);

const bond = '\u00a0';
/** Longer lines are hard to read. */
const widestText = 100;
const narrowestText = 20;
const widestLabel = 24;
const gap = '  ';
/** Nobody reads more on a terminal, and drawing it takes long. Each value gets the minimum at least. */
const maxCharacters = 100_000;
const minCharacters = 1000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that styleText writes
const colourCode = /(\x1b\[[\d;]*m)/;

interface Frame {
  style: Style;
  /** Stands before all but the title and the headings; nothing where there is neither. */
  indent: string;
  /** How many characters the rest of the card may still show. */
  budget: { left: number };
  /** Columns for text, and for a table, which may use the whole terminal. */
  text: number;
  table: number;
}

/** One record for a reader. All text is made safe here; what is empty is left out. */
export function renderCard(card: Card, width: number, style: Style): string[] {
  const room = Math.max(width, narrowestText);
  const hasHeads = [card, ...card.sections].some((part) => headOf(part).trim() !== '');
  const indent = hasHeads ? '  ' : '';
  const frame: Frame = {
    style,
    indent,
    budget: { left: maxCharacters },
    text: Math.min(room, widestText) - indent.length,
    table: room - indent.length,
  };
  const rows = card.sections.flatMap((section) => section.rows ?? []);
  const labels = labelColumn(rows, frame);
  const blocks = [
    titleLines(card, Math.min(room, widestText), frame),
    ...card.sections.map((section) => sectionLines(section, labels, frame)),
  ].filter((block) => block.length > 0);
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

function headOf(part: Card | CardSection): string {
  return ('title' in part ? part.title : part.heading) ?? '';
}

function titleLines({ title, subtitle, badge }: Card, width: number, frame: Frame): string[] {
  const { style } = frame;
  const wrapped = shownLines(title, width, frame);
  const mark = badge === undefined ? '' : badgeText(badge, width, style);
  const last = wrapped.at(-1);
  const beside = mark === '' ? 0 : gap.length + displayWidth(stripVTControlCharacters(mark));
  const lines = wrapped.map(style.bold);
  if (last !== undefined && mark !== '' && displayWidth(last) + beside <= width) {
    lines.push(`${lines.pop()}${gap}${mark}`);
  } else if (mark !== '') {
    lines.push(mark);
  }
  return [...lines, ...shownLines(subtitle ?? '', width, frame).map(style.dim)];
}

/** A painted badge keeps its colours; anything else that a terminal would obey is made text. */
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
  return [...shownLines(heading, frame.text, frame).map(frame.style.bold), ...content];
}

function paragraph(lines: readonly CardText[], frame: Frame): string[] {
  const { style, text } = frame;
  const shown = lines.flatMap((line) => {
    const wrapped = shownLines(plainCardText(line), text, frame).map(painterOf(line, style));
    return wrapped.length === 0 ? [''] : wrapped;
  });
  return withoutBlankEnds(shown);
}

/** The width of the widest label that does not take too much of the line. */
function labelColumn(rows: NonNullable<CardSection['rows']>, frame: Frame): number {
  const most = Math.min(widestLabel, Math.floor(frame.text * 0.4));
  // Without heads it is one of many: they line up when they all count the same labels.
  const isOneOfMany = frame.indent === '';
  return rows
    .filter(([, value]) => isOneOfMany || plainCardText(value).trim() !== '')
    .map(([label]) => displayWidth(sanitise(label)))
    .filter((width) => width <= most)
    .reduce((widest, width) => Math.max(widest, width), 0);
}

function rowLines(
  [label, value]: readonly [string, CardText],
  labels: number,
  frame: Frame,
): string[] {
  const { style, text } = frame;
  const name = sanitise(label).trim();
  const margin = ' '.repeat(labels === 0 ? 2 : labels + gap.length);
  const values = shownLines(plainCardText(value), text - margin.length, frame).map(
    painterOf(value, style),
  );
  const [first = '', ...rest] = values;
  if (values.length === 0) return [];
  const under = rest.map((line) => (line === '' ? '' : margin + line));
  // A label too long for its column has a line of its own.
  if (displayWidth(name) > labels) {
    return [...wrap(name, text).map(style.dim), margin + first, ...under];
  }
  return [style.dim(name) + pad('', margin.length - displayWidth(name), 'left') + first, ...under];
}

function tableLines(table: NonNullable<CardSection['table']>, frame: Frame): string[] {
  const rows = table.rows.map((row) => row.map((cell) => sanitise(affordable(cell, frame))));
  if (rows.length === 0) return [];
  const layout = fitTable(table.columns, rows, frame.table, frame.style);
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

/** Safe, wrapped, without blank lines around. */
function shownLines(text: string, width: number, frame: Frame): string[] {
  return withoutBlankEnds(sanitiseLines(affordable(text, frame)))
    .flatMap((line) => wrap(line, width))
    .map((line) => line.replaceAll(bond, ' '));
}

/** As much of a text as the card has room for. */
function affordable(text: string, { budget }: Frame): string {
  const most = Math.max(budget.left, minCharacters);
  budget.left -= Math.min(text.length, most);
  return abbreviate(text, most);
}

/** The beginning of a text that is too long to be shown, and how much is missing. */
export function abbreviate(text: string, most: number): string {
  if (text.length <= most) return text;
  const isPairCut = /[\ud800-\udbff]/.test(text[most - 1] ?? '');
  const end = isPairCut ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length - end} more characters; --json shows all)`;
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  const isShown = (line: string) => line.trim() !== '';
  const first = lines.findIndex(isShown);
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isShown) + 1);
}
