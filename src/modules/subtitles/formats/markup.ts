import { Tokenizer } from 'htmlparser2';
import { SpanBuilder, type StyleName, type TextStyle } from '../spans.ts';

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

export type ReadText = (text: string) => ReturnType<typeof parseMarkup>;

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

/** Deeper tags are ignored: each open tag slows down everything after it. */
const maxOpenTags = 100;

/** Also returns the problems of tags that do not match, and the tags to close if that is all that is wrong. */
export function parseMarkup(source: string, language: MarkupLanguage) {
  const { effects, known, openEnded, voids } = language;
  const builder = new SpanBuilder();
  const problems: string[] = [];
  let open: { name: string; effect: TagEffect | undefined }[] = [];
  let ruby: { base: string; above: string; style: TextStyle } | undefined;

  for (const token of language.tokens(source)) {
    if (token.kind === 'unfinished') problems.push(`unfinished tag ${token.text.slice(0, 20)}`);
    if ('name' in token) addTag(token.kind, token.name);
    else addText(token.text);
  }
  endRuby();
  const unclosed = open.map(({ name }) => name).filter((name) => !openEnded.has(name));
  const closable = problems.length === 0 ? unclosed.toReversed() : [];
  for (const name of unclosed) problems.push(`<${name}> is not closed`);
  return { spans: builder.finish(), problems, closable };

  function reportOnce(problem: string): void {
    if (!problems.includes(problem)) problems.push(problem);
  }

  function openStyle(): TextStyle {
    const style: TextStyle = {};
    for (const { effect } of open) {
      if (effect === 'bold' || effect === 'italic' || effect === 'underline') style[effect] = true;
    }
    return style;
  }

  function addText(text: string): void {
    const isInside = (effect: TagEffect) => open.some((tag) => tag.effect === effect);
    if (isInside('hidden')) return;
    if (!ruby) builder.add(text, openStyle(), language.collapses);
    else if (isInside('reading')) ruby.above += text;
    else {
      if (ruby.above !== '') ruby = nextRuby();
      if (ruby.base === '') ruby.style = openStyle();
      ruby.base += text;
    }
  }

  function addTag(kind: 'open' | 'close', name: string) {
    if (known?.has(name) === false) return reportOnce(`unknown tag <${name.slice(0, 20)}>`);
    const effect = effects.get(name);
    // `</br>` is a break in every browser.
    if (effect === 'break') {
      // Splits a ruby: the reading belongs to the base after the break only.
      if (ruby) ruby = nextRuby();
      builder.breakLine();
    } else if (voids.has(name)) return;
    else if (kind === 'open') openTag(name, effect);
    else closeTag(name, effect);
  }

  function openTag(name: string, effect: TagEffect | undefined): void {
    if (effect === 'block') builder.endBlock();
    if (effect === 'ruby') ruby = nextRuby();
    // The next paragraph closes the one before.
    if (openEnded.has(name) && openEnded.has(open.at(-1)?.name ?? '')) open.pop();
    if (open.length < maxOpenTags) open.push({ name, effect });
    else reportOnce(`tags are nested more than ${maxOpenTags} levels deep`);
  }

  function closeTag(name: string, effect: TagEffect | undefined) {
    const at = open.findLastIndex((tag) => tag.name === name);
    if (at < 0) {
      problems.push(`</${name}> has no opening tag`);
      return;
    }
    const crossed = open.slice(at + 1).find((tag) => !openEnded.has(tag.name));
    if (crossed) problems.push(`<${crossed.name}> is still open at </${name}>`);
    if (effect === 'ruby') endRuby();
    open = open.filter((tag, index) => index !== at && (index < at || !openEnded.has(tag.name)));
    if (effect === 'block') builder.endBlock();
  }

  function nextRuby() {
    endRuby();
    return { base: '', above: '', style: {} };
  }

  function endRuby(): void {
    if (ruby) builder.addRuby(ruby.base, ruby.above, ruby.style);
    ruby = undefined;
  }
}
