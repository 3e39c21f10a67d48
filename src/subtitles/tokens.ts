import { Tokenizer } from 'htmlparser2';

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
