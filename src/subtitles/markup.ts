import { Tokenizer } from 'htmlparser2';
import { type Look, type LookName, type Span, SpanBuilder } from './spans.ts';

/** A piece of marked-up text, as HTML divides it. */
export type Token =
  | { kind: 'text'; text: string }
  /** What looks like a tag and has no end. */
  | { kind: 'unfinished'; text: string }
  | { kind: 'open' | 'close'; name: string };

/** Divides text with tags by the rules of HTML. Comments and declarations are left out. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let name = '';
  let done = 0;
  const addText = (text: string) => tokens.push({ kind: 'text', text });
  const open = (end: number) => {
    tokens.push({ kind: 'open', name });
    done = end + 1;
  };
  const pass = (_: number, end: number) => {
    done = end + 1;
  };
  const nothing = () => {};
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
        name = source.slice(from, to).toLowerCase();
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag(from, to) {
        tokens.push({ kind: 'close', name: source.slice(from, to).toLowerCase() });
        done = source.indexOf('>', to) + 1 || source.length;
      },
      oncdata: pass,
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      oncomment: pass,
      ondeclaration: pass,
      onprocessinginstruction: pass,
      onend: nothing,
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  if (done < source.length) tokens.push({ kind: 'unfinished', text: source.slice(done) });
  return tokens;
}

/** The same of WebVTT: in `<c.yellow>`, what follows the dot is a class. */
export const vttTokensOf = (source: string): Token[] =>
  tokensOf(source).map((token) =>
    token.kind === 'open' ? { ...token, name: token.name.replace(/\..*/, '') } : token,
  );

const srtTag = /(<\/?(?:b|i|u|s|font|br)(?:\s[^<>\n]*)?\/?>)/i;

/** The same of SRT, which has a few tags, no entities and no comments: all else is text. */
export function srtTokensOf(source: string): Token[] {
  return source.split(srtTag).flatMap((part, index): Token[] => {
    if (part === '') return [];
    if (index % 2 === 0) return [{ kind: 'text', text: part }];
    const name = /[a-z]+/i.exec(part)?.[0].toLowerCase() ?? '';
    return [{ kind: part.startsWith('</') ? 'close' : 'open', name }];
  });
}

/** What a tag does to the text in it. */
type Meaning = LookName | 'break' | 'block' | 'ruby' | 'reading' | 'hidden' | 'nothing';

/** One way to mark text up. */
interface Dialect {
  tokens(source: string): Token[];
  collapses: boolean;
  meaning(name: string): Meaning;
  /** Tags that have no end, and those whose end may be left out. */
  isVoid(name: string): boolean;
  mayStayOpen(name: string): boolean;
}

export interface Marked {
  spans: Span[];
  /** Tags that do not match. */
  problems: string[];
}

const styles: Readonly<Record<string, Meaning>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  br: 'break',
  ruby: 'ruby',
  rt: 'reading',
};
const blocks = new Set(['p', 'div', 'li', 'ul', 'ol', 'blockquote', 'h1', 'h2', 'h3', 'section']);
/** What browsers do not show; `rp` holds brackets for those that know no ruby. */
const hidden = new Set(['script', 'style', 'template', 'head', 'title', 'rp']);
const voids = new Set(['br', 'hr', 'img', 'wbr', 'input', 'meta', 'link', 'area', 'col', 'embed']);
const openEnded = new Set(['p', 'li', 'rt', 'rp']);

const html: Dialect = {
  tokens: tokensOf,
  collapses: true,
  meaning: (name) =>
    styles[name] ?? (blocks.has(name) ? 'block' : hidden.has(name) ? 'hidden' : 'nothing'),
  isVoid: (name) => voids.has(name),
  mayStayOpen: (name) => openEnded.has(name),
};

const srtTags: Readonly<Record<string, Meaning>> = {
  b: 'bold',
  i: 'italic',
  u: 'underline',
  br: 'break',
};
const srt: Dialect = {
  tokens: srtTokensOf,
  collapses: false,
  meaning: (name) => srtTags[name] ?? 'nothing',
  isVoid: (name) => name === 'br',
  mayStayOpen: () => false,
};

const vttTags: Readonly<Record<string, Meaning>> = {
  b: 'bold',
  i: 'italic',
  u: 'underline',
  ruby: 'ruby',
  rt: 'reading',
};
const vtt: Dialect = {
  tokens: vttTokensOf,
  collapses: false,
  meaning: (name) => vttTags[name] ?? 'nothing',
  isVoid: () => false,
  // A voice goes on to the end of its cue.
  mayStayOpen: (name) => name === 'v' || name === 'rt',
};

export const readHtml = (fragment: string): Marked => interpret(fragment, html);

/** `{\an8}` and the like are not text; they are read before. */
export const readSrtText = (text: string): Marked =>
  interpret(text.replace(/\{\\[^{}\n]*\}/g, ''), srt);

/** `<00:00:01.000>` says when a word is sung: not text. */
export const readVttText = (text: string): Marked =>
  interpret(text.replace(/<\d[\d:.]*>/g, ''), vtt);

/** Deeper tags are ignored: no text needs them, and each one makes all that follow slower to read. */
const maxOpenTags = 100;
/** A line that is all broken tags needs no longer list. */
const maxProblems = 10;

function interpret(source: string, dialect: Dialect): Marked {
  const reading = new Reading(dialect);
  for (const token of dialect.tokens(source)) reading.take(token);
  return reading.finish();
}

class Reading {
  readonly #dialect: Dialect;
  readonly #builder: SpanBuilder;
  readonly #problems: string[] = [];
  #moreProblems = 0;
  /** Open tags below the deepest level that counts, by name. */
  readonly #ignored = new Map<string, number>();
  #open: { name: string; meaning: Meaning }[] = [];
  /** The ruby that is being read: its base with its look, and what goes above. */
  #ruby: { base: string; above: string; look: Look } | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#builder = new SpanBuilder(dialect);
  }

  take(token: Token): void {
    if (token.kind === 'text') this.#text(token.text);
    else if (token.kind === 'unfinished') {
      this.#report(`${token.text.slice(0, 20)} is not finished`);
      this.#text(token.text);
    } else this.#tag(token.kind, token.name);
  }

  finish(): Marked {
    this.#endRuby();
    for (const { name } of this.#open) {
      if (!this.#dialect.mayStayOpen(name)) this.#report(`<${name}> is not closed`);
    }
    if (this.#moreProblems > 0) this.#problems.push(`${this.#moreProblems} more tags do not match`);
    return { spans: this.#builder.finish(), problems: this.#problems };
  }

  #report(problem: string): void {
    if (this.#problems.length < maxProblems) this.#problems.push(problem);
    else this.#moreProblems += 1;
  }

  get #look(): Look {
    const look: Look = {};
    for (const { meaning } of this.#open) {
      if (meaning === 'bold' || meaning === 'italic' || meaning === 'underline')
        look[meaning] = true;
    }
    return look;
  }

  #text(text: string): void {
    const isIn = (meaning: Meaning) => this.#open.some((one) => one.meaning === meaning);
    if (isIn('hidden')) return;
    if (!this.#ruby) this.#builder.add(text, this.#look);
    else if (isIn('reading')) this.#ruby.above += text;
    else {
      if (this.#ruby.above !== '') this.#endRuby({ begin: true });
      if (this.#ruby.base === '') this.#ruby.look = this.#look;
      this.#ruby.base += text;
    }
  }

  #tag(kind: 'open' | 'close', name: string): void {
    const meaning = this.#dialect.meaning(name);
    // `</br>` is a break in every browser.
    if (meaning === 'break') this.#break();
    else if (this.#dialect.isVoid(name)) return;
    else if (kind === 'open') this.#begin(name, meaning);
    else this.#end(name, meaning);
  }

  /** What stands before it in a ruby is not below what is set above the rest. */
  #break(): void {
    if (this.#ruby) this.#endRuby({ begin: true });
    this.#builder.breakLine();
  }

  #begin(name: string, meaning: Meaning): void {
    if (meaning === 'block') this.#builder.endBlock();
    if (meaning === 'ruby') this.#endRuby({ begin: true });
    this.#closeOpenEnded(name);
    if (this.#open.length < maxOpenTags) this.#open.push({ name, meaning });
    else this.#ignore(name);
  }

  #ignore(name: string): void {
    if (this.#ignored.size === 0) this.#report(`tags are nested more than ${maxOpenTags} deep`);
    this.#ignored.set(name, (this.#ignored.get(name) ?? 0) + 1);
  }

  #end(name: string, meaning: Meaning): void {
    const ignored = this.#ignored.get(name) ?? 0;
    if (ignored > 0) {
      this.#ignored.set(name, ignored - 1);
      return;
    }
    const at = this.#open.findLastIndex((one) => one.name === name);
    if (at < 0) {
      this.#report(`</${name}> closes nothing`);
      return;
    }
    const inside = this.#open.slice(at + 1).filter((one) => !this.#dialect.mayStayOpen(one.name));
    const [crossed] = inside;
    if (crossed) this.#report(`</${name}> comes before <${crossed.name}> is closed`);
    if (meaning === 'ruby') this.#endRuby();
    this.#open = this.#open.filter(
      (one, index) => index !== at && (index < at || !this.#dialect.mayStayOpen(one.name)),
    );
    if (meaning === 'block') this.#builder.endBlock();
  }

  /** A paragraph ends where the next begins. */
  #closeOpenEnded(name: string): void {
    const last = this.#open.at(-1)?.name;
    if (last !== undefined && this.#dialect.mayStayOpen(last) && this.#dialect.mayStayOpen(name)) {
      this.#open.pop();
    }
  }

  #endRuby({ begin = false } = {}): void {
    if (this.#ruby) this.#builder.addRuby(this.#ruby.base, this.#ruby.above, this.#ruby.look);
    this.#ruby = begin ? { base: '', above: '', look: {} } : undefined;
  }
}
