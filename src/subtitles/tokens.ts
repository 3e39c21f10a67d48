import { Tokenizer } from 'htmlparser2';

/** A piece of marked-up text, as HTML divides it. */
export type Token =
  | { kind: 'text'; text: string }
  | { kind: 'open' | 'close'; name: string /** As it was written. */; source: string };

/** Divides text with tags by the rules of HTML. Comments and declarations are left out. */
export function tokensOf(source: string, { entities }: { entities: boolean }): Token[] {
  const tokens: Token[] = [];
  let name = '';
  let start = 0;
  const addText = (text: string) => tokens.push({ kind: 'text', text });
  const open = (end: number) =>
    tokens.push({ kind: 'open', name, source: source.slice(start, end + 1) });
  const nothing = () => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: entities },
    {
      ontext: (from, to) => addText(source.slice(from, to)),
      ontextentity: (codePoint) => addText(String.fromCodePoint(codePoint)),
      onopentagname(from, to) {
        name = source.slice(from, to).toLowerCase();
        start = from - 1;
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag(from, to) {
        const written = source.slice(from, to).toLowerCase();
        tokens.push({ kind: 'close', name: written, source: source.slice(from - 2, to + 1) });
      },
      oncdata: (from, to, endOffset) => addText(source.slice(from, to - endOffset)),
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onend: nothing,
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  return tokens;
}
