import { usageError } from '../../../errors.ts';
import type { Line } from '../../line.ts';
import { SpanBuilder, type TextStyle } from '../../spans.ts';
import { formatTimecode, type Timecode } from '../../timecode.ts';
import type { FileContent, FileProblem } from '../format.ts';
import { type Properties, placementIn, Styles, textStyle, withInherited } from './styles.ts';
import {
  always,
  declaredFrameRate,
  isBlock,
  overlapOf,
  readTime,
  readTimeParameters,
  resolveTimes,
} from './times.ts';
import { elementsIn, type Interval, isElement, parseXml, type XmlElement } from './xml.ts';

/** Reads TTML 1 and 2, IMSC Text and DFXP. A paragraph is a line; one that changes is several. */
export function readTtml(text: string, name: string): FileContent {
  const { root, hasNamespace } = parseXml(text, name);
  const reader = new TtmlReader(root, name);
  if (!hasNamespace) reader.report(root.row, 'no TTML namespace; most players reject this file');
  const lines = reader.lines();
  return {
    lines,
    problems: reader.problems,
    language: root.attributes.get('xml:lang')?.trim() || undefined,
    frameRate: declaredFrameRate(reader.parameters),
  };
}

/** Properties that an element takes from the elements around it. */
interface Inherited {
  shown: Interval;
  style: Properties;
  region?: string;
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

const isShownIn = ({ shown }: Piece, { begin, end }: Interval) =>
  shown.begin <= begin && shown.end >= end;

const maxProblems = 100;
/** Bounds the work for a paragraph that changes: each change makes a line with all of its text. */
const maxChanges = 200;

class TtmlReader {
  readonly #name: string;
  readonly #root: XmlElement;
  readonly #styles: Styles;
  readonly problems: FileProblem[] = [];
  readonly parameters;

  constructor(root: XmlElement, name: string) {
    this.#name = name;
    this.#root = root;
    this.parameters = readTimeParameters(root);
    this.#styles = new Styles(elementsIn(root, 'head')[0], this.report);
  }

  /** Reports a problem once, at the first row that has it. */
  readonly report = (row: number, message: string): void => {
    const isKnown = this.problems.some((known) => known.message === message);
    if (!isKnown && this.problems.length < maxProblems) this.problems.push({ row, message });
  };

  lines(): Line[] {
    const [body] = elementsIn(this.#root, 'body');
    if (!body) return [];
    resolveTimes(body, this);
    const keepsSpace = this.#root.attributes.get('xml:space') === 'preserve';
    const found = this.#readBlock(body, { shown: always, style: {}, keepsSpace });
    if (found.length === 0 && hasPictures(body)) {
      throw usageError(
        `${this.#name} has pictures instead of text (IMSC Image Profile), which mar does not read`,
        'Ask for a text version of these subtitles.',
      );
    }
    const numbers = numbersIn(found.map(({ id }) => id));
    return found.map(({ line }, index) => (numbers ? { ...line, number: numbers[index] } : line));
  }

  #inside(element: XmlElement, outer: Inherited): Inside {
    const own = this.#styles.of(element);
    const space = element.attributes.get('xml:space');
    return {
      own,
      shown: overlapOf(outer.shown, element.shown),
      style: withInherited(own, outer.style),
      region: element.attributes.get('region') ?? outer.region,
      keepsSpace: space === undefined ? outer.keepsSpace : space === 'preserve',
    };
  }

  /** The lines, each with the id of its paragraph. */
  #readBlock(element: XmlElement, outer: Inherited): { line: Line; id?: string }[] {
    const inner = this.#inside(element, outer);
    if (inner.own.display === 'none') return [];
    if (element.name === 'p') {
      const id = element.attributes.get('xml:id');
      return this.#readParagraph(element, inner, outer.style).map((line) => ({ line, id }));
    }
    const blocks = element.children.filter(isElement).filter(isBlock);
    return blocks.flatMap((child) => this.#readBlock(child, inner));
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
    const shown = overlapOf(inner.shown, region && (region.shown ?? resolveTimes(region, this)));
    const pieces: Piece[] = [];
    this.#readPieces(paragraph, { ...inner, style, shown }, pieces);
    const line = {
      place: paragraph.row,
      tagProblems: [],
      placement: placementIn(this.#root, regionStyle, style),
    };
    return this.#intervals(paragraph, shown, pieces).map((interval) => ({
      ...line,
      start: this.#timecode(paragraph, ['begin'], interval.begin),
      stop: this.#timecode(paragraph, ['end', 'dur'], interval.end),
      spans: spansOf(pieces.filter((piece) => isShownIn(piece, interval))),
    }));
  }

  /** The times between which a paragraph does not change; all of its time if nothing in it is timed. */
  #intervals(paragraph: XmlElement, shown: Interval, pieces: readonly Piece[]): Interval[] {
    const filled = pieces.filter(({ text }) => text.trim() !== '');
    const times = filled.flatMap((piece) => [piece.shown.begin, piece.shown.end]);
    const inside = times.filter((time) => time >= shown.begin && time <= shown.end);
    const sorted = [...new Set(inside)].sort((a, b) => a - b);
    if (sorted.length > maxChanges) {
      throw usageError(
        `${this.#name} line ${paragraph.row}: this <p> has more than ${maxChanges} different times`,
        'Give each subtitle its own <p>.',
      );
    }
    const intervals = sorted
      .slice(1)
      .map((end, index): Interval => ({ begin: sorted[index] ?? end, end }))
      .filter((interval) => filled.some((piece) => isShownIn(piece, interval)));
    return intervals.length > 0 ? intervals : [shown];
  }

  #timecode(paragraph: XmlElement, names: readonly string[], time: number): Timecode {
    for (const text of names.flatMap((name) => paragraph.attributes.get(name)?.trim() ?? [])) {
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
      const shown = overlapOf(inner.shown, child.shown);
      if (!isElement(child)) {
        const kind = inner.keepsSpace ? 'kept' : 'text';
        if (!isHidden) pieces.push({ kind, text: child.text, style, shown });
      } else if (child.name === 'br') pieces.push({ kind: 'break', text: '', style, shown });
      else if (child.name === 'span') {
        const part = this.#inside(child, inner);
        if (part.own.display === 'none') continue;
        if (part.own.ruby === 'container') this.#readRuby(child, part, pieces);
        else if (part.own.ruby !== 'delimiter') this.#readPieces(child, part, pieces);
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
  const builder = new SpanBuilder();
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
