/** How a piece of text looks. */
export interface Look {
  bold?: true;
  italic?: true;
  underline?: true;
}

/** A piece of a line's text that looks the same throughout; `\n` in it is a line break. */
export interface Span extends Look {
  text: string;
  /** What is set above it in small letters, to say how it is read. */
  ruby?: string;
}

export const looks = ['bold', 'italic', 'underline'] as const;
export type LookName = (typeof looks)[number];

const blanks = /[ \t\n\f\r]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Puts spans together as they come, and brings them into the one form that equal texts have. */
export class SpanBuilder {
  readonly #collapses: boolean;
  #pieces: Span[] = [];

  /** In HTML any amount of white space is one space, and none at the ends of a line. */
  constructor({ collapses }: { collapses: boolean }) {
    this.#collapses = collapses;
  }

  add(text: string, look: Look): void {
    if (!this.#collapses) {
      for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
        if (index > 0) this.breakLine();
        this.#push({ ...look, text: line });
      }
      return;
    }
    const collapsed = text.replace(blanks, ' ');
    const before = this.#pieces.at(-1)?.text ?? '\n';
    this.#push({ ...look, text: /[ \n]$/.test(before) ? collapsed.replace(/^ /, '') : collapsed });
  }

  addRuby(text: string, ruby: string, look: Look): void {
    const [base, above] = [text, ruby].map((part) => part.replace(blanks, ' ').trim());
    if (base && above) this.#push({ ...look, text: base, ruby: above });
    else if (base) this.add(base, look);
  }

  breakLine(): void {
    this.#pieces.push({ text: '\n' });
  }

  /** For a paragraph: a break, unless there is one already. */
  endBlock(): void {
    if (this.#pieces.length > 0 && this.#pieces.at(-1)?.text !== '\n') this.breakLine();
  }

  finish(): Span[] {
    return merged(withBreakLooks(trimmed(this.#pieces)));
  }

  #push(span: Span): void {
    if (span.text !== '')
      this.#pieces.push({ ...span, text: span.text.replace(controls, '\ufffd') });
  }
}

/** Most texts: words with one space between them, and nothing that has to be replaced. */
const plainLine = /^[ -~\u00a1-\u200a\u2010-\ud7ff]+$/;
const strayBlank = /^ | $| {2}/;

/** Of text without markup. */
export function plainSpans(text: string): Span[] {
  if (plainLine.test(text) && !strayBlank.test(text)) return [{ text }];
  const builder = new SpanBuilder({ collapses: true });
  builder.add(text, {});
  return builder.finish();
}

/** Without spaces at the ends of lines, and without breaks at the ends of the text. */
function trimmed(pieces: readonly Span[]): Span[] {
  const lines: Span[][] = [[]];
  for (const piece of pieces) {
    if (piece.text === '\n') lines.push([]);
    else lines.at(-1)?.push({ ...piece });
  }
  for (const line of lines) {
    trimEnd(line);
    trimStart(line);
  }
  const isFilled = (line: readonly Span[]) => line.length > 0;
  const first = lines.findIndex(isFilled);
  if (first < 0) return [];
  const filled = lines.slice(first, lines.findLastIndex(isFilled) + 1);
  return filled.flatMap((line, index) => (index === 0 ? line : [{ text: '\n' }, ...line]));
}

function trimEnd(line: Span[]): void {
  for (let last = line.at(-1); last; last = line.at(-1)) {
    last.text = withoutEnd(last.text);
    if (last.text !== '') return;
    line.pop();
  }
}

/** Not by a pattern: one that has to end the text is tried at every space of it. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ' || text[end - 1] === '\t') end -= 1;
  return text.slice(0, end);
}

function trimStart(line: Span[]): void {
  const first = line.findIndex((span) => {
    span.text = span.text.replace(/^[ \t]+/, '');
    return span.text !== '';
  });
  line.splice(0, first < 0 ? line.length : first);
}

/** A break looks like what stands on both sides of it, so that tags close at the end of a line. */
function withBreakLooks(pieces: Span[]): Span[] {
  // From the end: what follows a run of breaks is then known without looking for it again.
  const following: (Span | undefined)[] = [];
  let after: Span | undefined;
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    following[index] = after;
    if (pieces[index]?.text !== '\n') after = pieces[index];
  }
  for (const [index, piece] of pieces.entries()) {
    if (piece.text !== '\n') continue;
    // Of several breaks in a row each looks like the one before it.
    const before = pieces[index - 1];
    const next = following[index];
    for (const look of looks) if (before?.[look] && next?.[look]) piece[look] = true;
  }
  return pieces;
}

function merged(pieces: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const piece of pieces) {
    const last = spans.at(-1);
    if (last && !last.ruby && !piece.ruby && looks.every((look) => last[look] === piece[look])) {
      last.text += piece.text;
    } else spans.push({ ...piece });
  }
  return spans;
}

/** The words alone; what is set above others follows them in brackets, as browsers of old show it. */
export const textOf = (spans: readonly Span[]): string =>
  spans.map(({ text, ruby }) => (ruby === undefined ? text : `${text}(${ruby})`)).join('');

/** What a reader sees, line by line; what is set above others takes no room in its line. */
export const shownLines = (spans: readonly Span[]): string[] =>
  spans
    .map(({ text }) => text)
    .join('')
    .split('\n')
    .filter((line) => line !== '');

/** Formats whose entries end at an empty line cannot hold one. */
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
