import imscDocument from 'imsc/src/main/js/doc.js';
import imscIsd from 'imsc/src/main/js/isd.js';
import type { Line } from '../../../src/modules/subtitles/line.ts';
import { type Span, SpanBuilder, type TextStyle } from '../../../src/modules/subtitles/spans.ts';

/** A time in which the picture does not change, and the paragraphs that are shown in it. */
export interface Screen {
  start: number;
  stop: number;
  texts: string[];
}

const styling = 'http://www.w3.org/ns/ttml#styling ';

/** What the W3C's reference reader shows, and all that it complains about. */
export function imscScreens(xml: string): { screens: Screen[]; complaints: string[] } {
  const complaints: string[] = [];
  const complain = (message: string) => {
    complaints.push(message);
    return false;
  };
  const handler = { info: complain, warn: complain, error: complain, fatal: complain };
  const document = imscDocument.fromXML(xml, handler);
  if (document === null) return { screens: [], complaints };
  const times = document.getMediaTimeEvents();
  const screens = times.map((time, index): Screen => {
    const isd = imscIsd.generateISD(document, time, handler);
    const texts = (isd.contents ?? []).flatMap(paragraphsIn).filter((text) => text !== '');
    const next = times[index + 1] ?? Number.POSITIVE_INFINITY;
    return { start: Math.round(time * 1000), stop: Math.round(next * 1000), texts: texts.sort() };
  });
  return { screens: screens.filter(({ texts }) => texts.length > 0), complaints };
}

function paragraphsIn(content: Content): string[] {
  if (content.kind !== 'p') return (content.contents ?? []).flatMap(paragraphsIn);
  const builder = new SpanBuilder();
  addContent(builder, content);
  return [tagged(builder.finish())];
}

function addContent(
  builder: SpanBuilder,
  { kind, text, contents = [], styleAttrs }: Content,
  isInSheared = false,
): void {
  const attribute = (name: string) => styleAttrs[styling + name];
  const style: TextStyle = {};
  if (attribute('fontWeight') === 'bold') style.bold = true;
  const isSheared = isInSheared || Number(attribute('shear') ?? 0) !== 0;
  if (isSheared || /italic|oblique/i.test(`${attribute('fontStyle')}`)) style.italic = true;
  if (`${attribute('textDecoration')}`.split(/[ ,]/).includes('underline')) style.underline = true;
  const isShown = attribute('visibility') !== 'hidden' && attribute('ruby') !== 'delimiter';
  if (kind === 'br') builder.breakLine();
  else if (text !== undefined && isShown) builder.add(text, style, false);
  if (attribute('ruby') === 'delimiter') return;
  for (const child of contents) addContent(builder, child, isSheared);
}

const tagged = (spans: readonly Span[]) =>
  spans
    .map(({ text, ruby = '', bold, italic, underline }) => {
      const marks = `${bold ? 'b' : ''}${italic ? 'i' : ''}${underline ? 'u' : ''}`;
      return marks === '' ? text + ruby : `[${marks} ${text + ruby}]`;
    })
    .join('')
    .replace(/\n+/g, '\n');

/** What a player shows of our lines, in the same form. A line without an end is shown forever. */
export function screensOf(lines: readonly Line[]): Screen[] {
  const shown = lines.flatMap(({ start, stop, spans }) => {
    const text = textOf(spans);
    const [from, to] = [start.milliseconds ?? 0, stop.milliseconds ?? Number.POSITIVE_INFINITY];
    return text === '' || to <= from ? [] : [{ from, to, text }];
  });
  const times = [...new Set(shown.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  return times.slice(0, -1).flatMap((start, index): Screen[] => {
    const stop = times[index + 1] ?? start;
    const texts = shown
      .filter(({ from, to }) => from <= start && to >= stop)
      .map(({ text }) => text);
    return texts.length === 0 ? [] : [{ start, stop, texts: texts.sort() }];
  });
}

/** Ruby follows its base, as in `imscScreens`. */
function textOf(spans: readonly Span[]): string {
  const builder = new SpanBuilder();
  for (const { text, ruby = '', ...style } of spans) builder.add(text + ruby, style, false);
  return tagged(builder.finish());
}

/** Joins screens that follow each other with the same texts. */
export function joined(screens: readonly Screen[]): Screen[] {
  const result: Screen[] = [];
  for (const screen of screens) {
    const last = result.at(-1);
    if (screen.stop === screen.start) continue;
    if (last?.stop === screen.start && String(last.texts) === String(screen.texts)) {
      last.stop = screen.stop;
    } else result.push({ ...screen });
  }
  return result;
}
