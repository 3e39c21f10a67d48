import { usageError } from '../../errors.ts';
import type { FrameRate } from '../frameRate.ts';
import type { Line } from '../lines.ts';
import type { FileProblem, SubtitleFile } from '../read.ts';
import { SpanBuilder, type TextStyle } from '../spans.ts';
import { formatTimecode, type Timecode } from '../timecode.ts';
import { type Properties, placementIn, Styles, textStyle, withInherited } from './styles.ts';
import { declaredFrameRate, readTime, readTimeParameters, type TimeParameters } from './times.ts';
import { elementsIn, isElement, parseTtml, type XmlElement, type XmlNode } from './xml.ts';

export interface TtmlFile extends SubtitleFile {
  language?: string;
  frameRate?: FrameRate;
}

/** Reads TTML 1 and 2, IMSC Text and DFXP. A paragraph is a line; one that changes is several. */
export function readTtml(bytes: Uint8Array, name: string, encoding?: string): TtmlFile {
  const { root, hasNamespace } = parseTtml(bytes, name, encoding);
  const reader = new TtmlReader(root, name);
  if (!hasNamespace) reader.report(root.row, 'no TTML namespace; most players reject this file');
  const lines = reader.lines();
  return {
    format: 'ttml',
    lines,
    problems: reader.problems,
    language: root.attributes.get('xml:lang')?.trim() || undefined,
    frameRate: declaredFrameRate(reader.parameters),
  };
}

interface Interval {
  begin: number;
  end: number;
}

const always: Interval = { begin: 0, end: Number.POSITIVE_INFINITY };
const overlapOf = (one: Interval, other: Interval): Interval => ({
  begin: Math.max(one.begin, other.begin),
  end: Math.min(one.end, other.end),
});

/** What an element takes from the ones around it. */
interface Inherited {
  shown: Interval;
  style: Properties;
  region: string | undefined;
  keepsSpace: boolean;
}

interface Inside extends Inherited {
  /** The properties of the element itself. */
  own: Properties;
}

/** A piece of a paragraph's text, and when it is shown. A ruby has its readings in `above`. */
interface Piece {
  shown: Interval;
  text: string;
  style: TextStyle;
  kind: 'text' | 'kept' | 'break' | 'ruby';
  above?: string;
}

/** Bounds the work for a paragraph: each of its times makes a line with all of its text. */
const maxTimes = 200;
const maxProblems = 100;

class TtmlReader {
  readonly #name: string;
  readonly #root: XmlElement;
  readonly #styles: Styles;
  readonly #times = new Map<XmlNode, Interval>();
  readonly #reported = new Set<string>();
  readonly problems: FileProblem[] = [];
  readonly parameters: TimeParameters;

  constructor(root: XmlElement, name: string) {
    this.#name = name;
    this.#root = root;
    this.parameters = readTimeParameters(root);
    const [head] = elementsIn(root, 'head');
    this.#styles = new Styles(head, (row, message) => this.report(row, message));
  }

  /** Reports a problem once, at the first row that has it. */
  report(row: number, message: string): void {
    if (this.#reported.has(message) || this.problems.length >= maxProblems) return;
    this.#reported.add(message);
    this.problems.push({ row, message });
  }

  lines(): Line[] {
    const [body] = elementsIn(this.#root, 'body');
    if (!body) return [];
    this.#resolveTimes(body, { ...always, isSequence: false });
    const keepsSpace = this.#root.attributes.get('xml:space') === 'preserve';
    const lines: Line[] = [];
    const ids: (string | undefined)[] = [];
    const start = { shown: always, style: {}, region: undefined, keepsSpace };
    this.#readBlock(body, start, (line, id) => {
      lines.push(line);
      ids.push(id);
    });
    if (lines.length === 0 && hasPictures(body)) {
      throw usageError(
        `${this.#name} has pictures instead of text (IMSC Image Profile), which mar does not read`,
        'Ask for a text version of these subtitles.',
      );
    }
    const numbers = numbersIn(ids);
    return numbers ? lines.map((line, index) => ({ ...line, number: numbers[index] })) : lines;
  }

  /**
   * Finds out when each element is shown, in milliseconds. Times count from the start of the parent,
   * or, in a sequence, from the end of the element before. Returns the end.
   */
  #resolveTimes(
    node: XmlNode,
    parent: Interval & { isSequence: boolean },
    before?: number,
  ): number {
    const from = parent.isSequence ? (before ?? parent.begin) : parent.begin;
    if (!isElement(node) || node.name === 'br') {
      // Text has no duration of its own: none in a sequence, else that of its parent.
      const end = parent.isSequence ? from : Number.POSITIVE_INFINITY;
      this.#times.set(node, { begin: from, end });
      return end;
    }
    const begin = from + (this.#timeOf(node, 'begin') ?? 0);
    const [end, duration] = [this.#timeOf(node, 'end'), this.#timeOf(node, 'dur')];
    const own = { begin, end: 0, isSequence: node.attributes.get('timeContainer') === 'seq' };
    let last: number | undefined;
    let latest = begin;
    for (const child of timedChildren(node)) {
      last = this.#resolveTimes(child, own, last);
      latest = own.isSequence ? last : Math.max(latest, last);
    }
    const isEmpty = last === undefined;
    const implicit = isEmpty && !parent.isSequence ? Number.POSITIVE_INFINITY : latest;
    const hasOwn = end !== undefined || duration !== undefined;
    const resolved = Math.min(
      end === undefined ? Number.POSITIVE_INFINITY : from + end,
      duration === undefined ? Number.POSITIVE_INFINITY : begin + duration,
    );
    this.#times.set(node, { begin, end: hasOwn ? resolved : implicit });
    return hasOwn ? resolved : implicit;
  }

  #timeOf(element: XmlElement, name: 'begin' | 'end' | 'dur'): number | undefined {
    const written = element.attributes.get(name);
    if (written === undefined) return undefined;
    const time = readTime(written, this.parameters);
    if (time.problem !== undefined) {
      // A paragraph reports its own times with its line.
      if (element.name !== 'p') this.report(element.row, `${name}="${written}" ${time.problem}`);
      return undefined;
    }
    if (time.countsFrames && !this.parameters.declaresFrameRate) {
      this.report(element.row, 'times count frames, but there is no ttp:frameRate; 30 is assumed');
    }
    return time.milliseconds;
  }

  #inside(element: XmlElement, outer: Inherited): Inside {
    const own = this.#styles.of(element);
    if (isAnimated(element)) {
      this.report(element.row, 'animations (<set>) are not read: the text counts as always shown');
      own.display = 'auto';
      own.visibility = 'visible';
    }
    const space = element.attributes.get('xml:space');
    return {
      own,
      shown: overlapOf(outer.shown, this.#times.get(element) ?? always),
      style: withInherited(own, outer.style),
      region: element.attributes.get('region') ?? outer.region,
      keepsSpace: space === undefined ? outer.keepsSpace : space === 'preserve',
    };
  }

  #readBlock(
    element: XmlElement,
    outer: Inherited,
    add: (line: Line, id: string | undefined) => void,
  ): void {
    const inner = this.#inside(element, outer);
    if (inner.own.display === 'none') return;
    if (element.name === 'p') {
      const id = element.attributes.get('xml:id');
      for (const line of this.#readParagraph(element, inner, outer.style)) add(line, id);
      return;
    }
    for (const child of element.children) {
      if (isElement(child) && isBlock(child)) this.#readBlock(child, inner, add);
    }
  }

  #readParagraph(paragraph: XmlElement, inner: Inside, outerStyle: Properties): Line[] {
    const regionId = inner.region ?? regionBelow(paragraph);
    const region = regionId === undefined ? undefined : this.#styles.regions.get(regionId);
    if (!region && this.#styles.regions.size > 0) {
      const message =
        regionId === undefined
          ? 'paragraph without a region'
          : `region "${regionId}" is not defined`;
      this.report(paragraph.row, `${message}; players do not show it`);
    }
    const { initial } = this.#styles;
    const regionStyle = region && { ...initial, ...this.#styles.of(region) };
    if (regionStyle?.display === 'none') return [];
    // The body inherits from the region, so the region's style comes below all others.
    const style = withInherited(inner.own, withInherited(outerStyle, regionStyle ?? initial));
    const shown = overlapOf(inner.shown, region ? this.#regionTimes(region) : always);
    const pieces: Piece[] = [];
    this.#readPieces(paragraph, { ...inner, style, shown }, pieces);
    const line = {
      place: paragraph.row,
      tagProblems: [],
      placement: placementIn(this.#root, regionStyle, style),
    };
    return this.#intervals(paragraph, shown, pieces).map(({ begin, end }) => ({
      ...line,
      start: this.#timecode(paragraph, ['begin'], begin),
      stop: this.#timecode(paragraph, ['end', 'dur'], end),
      spans: spansOf(
        pieces.filter((piece) => piece.shown.begin <= begin && piece.shown.end >= end),
      ),
    }));
  }

  #regionTimes(region: XmlElement): Interval {
    if (!this.#times.has(region)) this.#resolveTimes(region, { ...always, isSequence: false });
    return this.#times.get(region) ?? always;
  }

  /** The times between which a paragraph does not change; all of its time if nothing in it is timed. */
  #intervals(paragraph: XmlElement, shown: Interval, pieces: readonly Piece[]): Interval[] {
    const filled = pieces.filter(({ text }) => text.trim() !== '');
    const times = filled.flatMap((piece) => [piece.shown.begin, piece.shown.end]);
    const inside = times.filter((time) => time >= shown.begin && time <= shown.end);
    const sorted = [...new Set(inside)].sort((a, b) => a - b);
    if (sorted.length > maxTimes) {
      throw usageError(
        `${this.#name} line ${paragraph.row}: the paragraph has more than ${maxTimes} different times`,
        'Give each subtitle its own <p>.',
      );
    }
    const intervals: Interval[] = [];
    for (const [index, begin] of sorted.slice(0, -1).entries()) {
      const end = sorted[index + 1] ?? begin;
      const isFilled = filled.some((piece) => piece.shown.begin <= begin && piece.shown.end >= end);
      if (isFilled) intervals.push({ begin, end });
    }
    return intervals.length > 0 ? intervals : [shown];
  }

  #timecode(paragraph: XmlElement, names: readonly string[], time: number): Timecode {
    for (const name of names) {
      const text = paragraph.attributes.get(name)?.trim();
      if (text === undefined) continue;
      const { problem } = readTime(text, this.parameters);
      if (problem !== undefined) return { text, problem };
    }
    if (time === Number.POSITIVE_INFINITY) return { text: '', problem: 'is missing' };
    const milliseconds = Math.round(time);
    return { text: formatTimecode(milliseconds, '.'), milliseconds };
  }

  #readPieces(element: XmlElement, inner: Inherited, pieces: Piece[]): void {
    const style = textStyle(inner.style);
    const isHidden = inner.style.visibility === 'hidden';
    for (const child of element.children) {
      const shown = overlapOf(inner.shown, this.#times.get(child) ?? always);
      if (!isElement(child)) {
        const kind = inner.keepsSpace ? 'kept' : 'text';
        if (!isHidden) pieces.push({ kind, text: child.text, style, shown });
      } else if (child.name === 'br') pieces.push({ kind: 'break', text: '', style, shown });
      else if (child.name === 'span') {
        const own = this.#inside(child, inner);
        if (own.own.display === 'none' || own.own.ruby === 'delimiter') continue;
        if (own.own.ruby === 'container') this.#readRuby(child, own, pieces);
        else this.#readPieces(child, own, pieces);
      }
    }
  }

  /** A ruby container has a base and a text, or containers with as many bases as texts. */
  #readRuby(container: XmlElement, inner: Inherited, pieces: Piece[]): void {
    const bases: Piece[] = [];
    const readings: string[] = [];
    const collect = (element: XmlElement, outer: Inherited) => {
      for (const child of elementsIn(element, 'span')) {
        const own = this.#inside(child, outer);
        const role = own.own.ruby ?? '';
        if (role === 'baseContainer' || role === 'textContainer') collect(child, own);
        if (role !== 'base' && role !== 'text') continue;
        const inside: Piece[] = [];
        this.#readPieces(child, own, inside);
        const text = inside.map((piece) => piece.text).join('');
        if (role === 'text') readings.push(text);
        else bases.push({ kind: 'ruby', text, style: textStyle(own.style), shown: own.shown });
      }
    };
    collect(container, inner);
    for (const [index, base] of bases.entries()) pieces.push({ ...base, above: readings[index] });
  }
}

/** A `<set>` of other properties, such as colours, changes no text. */
const isAnimated = (element: XmlElement) =>
  elementsIn(element, 'set').some(
    ({ attributes }) => attributes.has('tts:display') || attributes.has('tts:visibility'),
  );

const isBlock = ({ name }: XmlElement) => name === 'div' || name === 'p';
const isInline = ({ name }: XmlElement) => name === 'span' || name === 'br';

/** Text counts only in paragraphs. */
const timedChildren = ({ name, children }: XmlElement): XmlNode[] =>
  name === 'body' || name === 'div'
    ? children.filter((child) => isElement(child) && isBlock(child))
    : children.filter((child) => !isElement(child) || isInline(child));

function regionBelow(element: XmlElement): string | undefined {
  for (const child of elementsIn(element, 'span')) {
    const found = child.attributes.get('region') ?? regionBelow(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

const hasPictures = (element: XmlElement): boolean =>
  element.attributes.has('backgroundImage') ||
  element.name === 'image' ||
  element.children.some((child) => isElement(child) && hasPictures(child));

function spansOf(pieces: readonly Piece[]) {
  const builder = new SpanBuilder({ collapses: true });
  for (const { kind, text, above, style } of pieces) {
    if (kind === 'break') builder.breakLine();
    else if (kind === 'ruby') builder.addRuby(text, above ?? '', style);
    else builder.add(text, style, kind === 'text');
  }
  return builder.finish();
}

/** TTML has no numbers. Ids such as `c12` count if all are alike and rise, as in our exports. */
function numbersIn(ids: readonly (string | undefined)[]): number[] | undefined {
  const parts = ids.map((id) => /^(\D*)(\d{1,16})$/.exec(id ?? ''));
  const prefix = parts[0]?.[1];
  if (prefix === undefined) return undefined;
  const numbers = parts.map((part) => Number(part?.[2] ?? Number.NaN));
  const isRising = numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0));
  return parts.every((part) => part?.[1] === prefix) && isRising ? numbers : undefined;
}
