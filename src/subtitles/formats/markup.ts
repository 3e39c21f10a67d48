import { Tokenizer } from 'htmlparser2';
import { type Span, SpanBuilder, type StyleName, type TextStyle } from '../spans.ts';

export type Token =
  /** `unfinished` is a tag without its closing bracket. */
  { kind: 'text' | 'unfinished'; text: string } | { kind: 'open' | 'close'; name: string };

/** Splits HTML into text and tags. Comments and declarations are left out. */
export function htmlTokens(source: string, toName = (name: string) => name.toLowerCase()): Token[] {
  const tokens: Token[] = [];
  let name = '';
  let done = 0;
  const addText = (text: string) => tokens.push({ kind: 'text', text });
  const open = (end: number) => {
    tokens.push({ kind: 'open', name });
    done = end + 1;
  };
  const skip = (_: number, end: number) => {
    done = end + 1;
  };
  const ignore = () => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext(from, to) {
        addText(source.slice(from, to));
        done = to;
      },
      ontextentity(codePoint, to) {
        addText(String.fromCodePoint(codePoint));
        done = to;
      },
      onopentagname(from, to) {
        name = toName(source.slice(from, to));
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag(from, to) {
        tokens.push({ kind: 'close', name: toName(source.slice(from, to)) });
        done = source.indexOf('>', to) + 1 || source.length;
      },
      oncdata: skip,
      onattribdata: ignore,
      onattribentity: ignore,
      onattribend: ignore,
      onattribname: ignore,
      oncomment: skip,
      ondeclaration: skip,
      onprocessinginstruction: skip,
      onend: ignore,
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  if (done < source.length) tokens.push({ kind: 'unfinished', text: source.slice(done) });
  return tokens;
}

type TagEffect = StyleName | 'break' | 'block' | 'ruby' | 'reading' | 'hidden';

export interface ParsedText {
  spans: Span[];
  /** The tags that do not match. */
  problems: string[];
  /** The tags to close, if they are all that is wrong. */
  closable: string[];
}

export type ReadText = (text: string) => ParsedText;

interface MarkupLanguage {
  tokens(source: string): Token[];
  collapses: boolean;
  effects: ReadonlyMap<string, TagEffect>;
  /** Tags like `<br>`, which enclose nothing. */
  voids: ReadonlySet<string>;
  /** Tags whose closing tag is optional. */
  openEnded: ReadonlySet<string>;
  /** All tags, if others are mistakes. */
  known?: ReadonlySet<string>;
}

const effectsOf = (...tags: readonly [effect: TagEffect, ...names: string[]][]) =>
  new Map(tags.flatMap(([effect, ...names]) => names.map((name) => [name, effect] as const)));

export const html: MarkupLanguage = {
  tokens: htmlTokens,
  collapses: true,
  effects: effectsOf(
    ['bold', 'b', 'strong'],
    ['italic', 'i', 'em'],
    ['underline', 'u'],
    ['break', 'br'],
    ['ruby', 'ruby'],
    ['reading', 'rt'],
    ['block', 'p', 'div', 'li', 'ul', 'ol', 'blockquote', 'h1', 'h2', 'h3', 'section'],
    // Browsers hide the content of these; `rp` holds brackets for browsers without ruby.
    ['hidden', 'script', 'style', 'template', 'head', 'title', 'rp'],
  ),
  voids: new Set(['br', 'hr', 'img', 'wbr', 'input', 'meta', 'link', 'area', 'col', 'embed']),
  openEnded: new Set(['p', 'li', 'rt', 'rp']),
};

export const readHtml = (fragment: string) => parseMarkup(fragment, html);

export function parseMarkup(source: string, language: MarkupLanguage): ParsedText {
  const reader = new MarkupReader(language);
  for (const token of language.tokens(source)) reader.add(token);
  return reader.finish();
}

/** Deeper tags are ignored: each open tag slows down everything after it. */
const maxOpenTags = 100;
const maxProblems = 10;

class MarkupReader {
  readonly #language: MarkupLanguage;
  readonly #builder = new SpanBuilder();
  readonly #problems: string[] = [];
  #moreProblems = 0;
  #open: { name: string; effect: TagEffect | undefined }[] = [];
  #ruby: { base: string; above: string; style: TextStyle } | undefined;

  constructor(language: MarkupLanguage) {
    this.#language = language;
  }

  add(token: Token): void {
    if (token.kind === 'unfinished') this.#report(`unfinished tag ${token.text.slice(0, 20)}`);
    if ('name' in token) this.#addTag(token.kind, token.name);
    else this.#addText(token.text);
  }

  finish(): ParsedText {
    this.#endRuby();
    const unclosed = this.#open
      .map(({ name }) => name)
      .filter((name) => !this.#language.openEnded.has(name));
    const closable = this.#problems.length === 0 ? unclosed.toReversed() : [];
    for (const name of unclosed) this.#report(`<${name}> is not closed`);
    if (this.#moreProblems > 0) this.#problems.push(`${this.#moreProblems} more tag problems`);
    return { spans: this.#builder.finish(), problems: this.#problems, closable };
  }

  #report(problem: string): void {
    if (this.#problems.length < maxProblems) this.#problems.push(problem);
    else this.#moreProblems += 1;
  }

  #reportOnce(problem: string): void {
    if (!this.#problems.includes(problem)) this.#report(problem);
  }

  get #style(): TextStyle {
    const style: TextStyle = {};
    for (const { effect } of this.#open) {
      if (effect === 'bold' || effect === 'italic' || effect === 'underline') style[effect] = true;
    }
    return style;
  }

  #addText(text: string): void {
    const isInside = (effect: TagEffect) => this.#open.some((tag) => tag.effect === effect);
    if (isInside('hidden')) return;
    if (!this.#ruby) this.#builder.add(text, this.#style, this.#language.collapses);
    else if (isInside('reading')) this.#ruby.above += text;
    else {
      if (this.#ruby.above !== '') this.#endRuby({ startsNew: true });
      if (this.#ruby.base === '') this.#ruby.style = this.#style;
      this.#ruby.base += text;
    }
  }

  #addTag(kind: 'open' | 'close', name: string): void {
    if (this.#language.known?.has(name) === false) {
      this.#reportOnce(`unknown tag <${name.slice(0, 20)}>`);
      return;
    }
    const effect = this.#language.effects.get(name);
    // `</br>` is a break in every browser.
    if (effect === 'break') {
      // Splits a ruby: the reading belongs to the base after the break only.
      if (this.#ruby) this.#endRuby({ startsNew: true });
      this.#builder.breakLine();
    } else if (this.#language.voids.has(name)) return;
    else if (kind === 'open') this.#openTag(name, effect);
    else this.#closeTag(name, effect);
  }

  #openTag(name: string, effect: TagEffect | undefined): void {
    if (effect === 'block') this.#builder.endBlock();
    if (effect === 'ruby') this.#endRuby({ startsNew: true });
    // The next paragraph closes the one before.
    const { openEnded } = this.#language;
    if (openEnded.has(name) && openEnded.has(this.#open.at(-1)?.name ?? '')) this.#open.pop();
    if (this.#open.length < maxOpenTags) this.#open.push({ name, effect });
    else this.#reportOnce(`tags are nested more than ${maxOpenTags} levels deep`);
  }

  #closeTag(name: string, effect: TagEffect | undefined): void {
    const at = this.#open.findLastIndex((tag) => tag.name === name);
    if (at < 0) {
      this.#report(`</${name}> has no opening tag`);
      return;
    }
    const crossed = this.#open.slice(at + 1).find((tag) => !this.#language.openEnded.has(tag.name));
    if (crossed) this.#report(`<${crossed.name}> is still open at </${name}>`);
    if (effect === 'ruby') this.#endRuby();
    this.#open = this.#open.filter(
      (tag, index) => index !== at && (index < at || !this.#language.openEnded.has(tag.name)),
    );
    if (effect === 'block') this.#builder.endBlock();
  }

  #endRuby({ startsNew = false } = {}): void {
    if (this.#ruby) this.#builder.addRuby(this.#ruby.base, this.#ruby.above, this.#ruby.style);
    this.#ruby = startsNew ? { base: '', above: '', style: {} } : undefined;
  }
}
