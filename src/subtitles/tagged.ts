import { type Look, type LookName, looks, type Span } from './spans.ts';

const tagNames: Readonly<Record<LookName, string>> = { bold: 'b', italic: 'i', underline: 'u' };

/** Spans as text with `<b>`, `<i>` and `<u>`, as few of them as will do. */
export function tagged(spans: readonly Span[], written: (span: Span) => string): string {
  let open: LookName[] = [];
  let text = '';
  for (const span of [...spans, { text: '' } satisfies Span]) {
    const look: Look = span;
    if (open.length === 0 && !look.bold && !look.italic && !look.underline) {
      text += written(span);
      continue;
    }
    const kept = open.findIndex((name) => !look[name]);
    const closing = kept < 0 ? [] : open.slice(kept);
    for (const name of closing.toReversed()) text += `</${tagNames[name]}>`;
    open = open.slice(0, open.length - closing.length);
    for (const name of looks.filter((name) => look[name] && !open.includes(name))) {
      text += `<${tagNames[name]}>`;
      open.push(name);
    }
    text += written(span);
  }
  return text;
}
