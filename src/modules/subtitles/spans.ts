export const styleNames = ['bold', 'italic', 'underline'] as const;
export type StyleName = (typeof styleNames)[number];
export type TextStyle = Partial<Record<StyleName, true>>;

/** A piece of a line's text in one style. `\n` in it is a line break. */
export interface Span extends TextStyle {
  text: string;
  /** Small characters above the text that tell how it is read. */
  ruby?: string;
}

const blanks = /[ \t\n\f\r]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Joins pieces of text into spans. Equal texts give equal spans. */
export class SpanBuilder {
  #line: Span[] = [];
  readonly #lines = [this.#line];

  /** `collapses`: white space counts as in HTML, where any amount of it is one space. */
  add(text: string, style: TextStyle, collapses: boolean): void {
    if (!collapses) {
      for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
        if (index > 0) this.breakLine();
        this.#push({ ...style, text: line });
      }
      return;
    }
    const collapsed = text.replace(blanks, ' ');
    const isAfterSpace = this.#line.at(-1)?.text.endsWith(' ') ?? true;
    this.#push({ ...style, text: isAfterSpace ? collapsed.replace(/^ /, '') : collapsed });
  }

  addRuby(text: string, ruby: string, style: TextStyle): void {
    const [base, above] = [text, ruby].map((part) => part.replace(blanks, ' ').trim());
    if (base) this.#push({ ...style, text: base, ...(above && { ruby: above }) });
  }

  breakLine(): void {
    this.#line = [];
    this.#lines.push(this.#line);
  }

  /** Adds a break after a paragraph, unless there is one already. */
  endBlock(): void {
    if (this.#line.length > 0) this.breakLine();
  }

  /** Leaves out spaces at the ends of each line, and breaks at the ends of the text. */
  finish(): Span[] {
    const spans: Span[] = [];
    let breaks = 0;
    for (const line of this.#lines.map(trimmed)) {
      const [before, after] = [spans.at(-1), line[0]];
      if (before && after) append(spans, breakBetween(before, after, breaks));
      for (const piece of line) append(spans, piece);
      breaks = after ? 1 : breaks + 1;
    }
    return spans;
  }

  #push(span: Span): void {
    if (span.text === '') return;
    const clean = { ...span, text: span.text.replace(controls, '\ufffd') };
    if (clean.ruby !== undefined) clean.ruby = clean.ruby.replace(controls, '\ufffd');
    this.#line.push(clean);
  }
}

function append(spans: Span[], piece: Span): void {
  const last = spans.at(-1);
  if (last && !last.ruby && !piece.ruby && styleNames.every((name) => last[name] === piece[name]))
    last.text += piece.text;
  else spans.push(piece);
}

/** Has the style that both of its sides have, so that tags close at the end of a line. */
function breakBetween(before: Span, after: Span, count: number): Span {
  const style = styleNames.filter((name) => before[name] && after[name]);
  return { text: '\n'.repeat(count), ...Object.fromEntries(style.map((name) => [name, true])) };
}

/** The pieces of a line without the spaces at its ends. */
function trimmed(line: readonly Span[]): Span[] {
  const whole = line.map(({ text }) => text).join('');
  const start = whole.search(/[^ \t]/);
  let end = start < 0 ? 0 : whole.length;
  // A pattern anchored at the end would be tried at every space: quadratic time.
  while (/[ \t]/.test(whole.charAt(end - 1))) end -= 1;
  let at = 0;
  return line.flatMap((span) => {
    const from = at;
    at += span.text.length;
    const text = whole.slice(Math.max(start, from), Math.min(end, at));
    return text === '' ? [] : { ...span, text };
  });
}

/** The text without markup. Ruby follows its base in brackets, as in browsers without ruby. */
export const plainText = (spans: readonly Span[]): string =>
  spans.map(({ text, ruby }) => (ruby === undefined ? text : `${text}(${ruby})`)).join('');

/** The text as viewers see it, without empty lines. Ruby is left out: it takes no width. */
export const visibleLines = (spans: readonly Span[]): string[] =>
  spans
    .map(({ text }) => text)
    .join('')
    .split('\n')
    .filter((line) => line !== '');

/** For formats whose entries end at an empty line. */
export function withoutEmptyLines(spans: readonly Span[]): readonly Span[] {
  if (spans.length === 1 && !spans[0]?.text.includes('\n\n')) return spans;
  let isAfterBreak = true;
  const kept = spans.map((span) => {
    let text = span.text.replace(/\n\n+/g, '\n');
    if (isAfterBreak) text = text.replace(/^\n/, '');
    if (text !== '') isAfterBreak = text.endsWith('\n');
    return { ...span, text };
  });
  return kept.filter(({ text }) => text !== '');
}

const tagNames: Readonly<Record<StyleName, string>> = { bold: 'b', italic: 'i', underline: 'u' };

/** The text with as few `<b>`, `<i>` and `<u>` tags as possible. */
export function taggedText(spans: readonly Span[], format: (span: Span) => string): string {
  let open: StyleName[] = [];
  let text = '';
  for (const span of [...spans, { text: '' } satisfies Span]) {
    const style: TextStyle = span;
    const firstClosed = open.findIndex((name) => !style[name]);
    const closing = firstClosed < 0 ? [] : open.slice(firstClosed);
    for (const name of closing.toReversed()) text += `</${tagNames[name]}>`;
    open = open.slice(0, open.length - closing.length);
    for (const name of styleNames.filter((name) => style[name] && !open.includes(name))) {
      text += `<${tagNames[name]}>`;
      open.push(name);
    }
    text += format(span);
  }
  return text;
}
