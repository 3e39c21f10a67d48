import type { Line } from '../../line.ts';
import { SpanBuilder, type TextStyle } from '../../spans.ts';
import { formatTimecode, type Timecode } from '../../timecode.ts';
import type { FileContent, FileProblem } from '../format.ts';
import { type Properties, readStyles, textStyle, withInherited } from './styles.ts';
import { always, isBlock, overlapOf, readTime, readTimeParameters, resolveTimes } from './times.ts';
import { elementsIn, type Interval, isElement, parseXml, type XmlElement } from './xml.ts';

/** Properties that an element takes from the elements around it. */
interface Inherited {
  shown: Interval;
  style: Properties;
  region?: string;
  keepsSpace: boolean;
}

/** With the properties of the element itself. */
type Inside = Inherited & { own: Properties };

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

/** Reads TTML 1 and 2, IMSC Text and DFXP. A paragraph is a line; one that changes is several. */
export function readTtml(text: string, name: string): FileContent {
  const { root, hasNamespace } = parseXml(text, name);
  const problems: FileProblem[] = [];
  /** Reports a problem once, at the first row that has it. */
  const report = (row: number, message: string): void => {
    const isKnown = problems.some((known) => known.message === message);
    if (!isKnown) problems.push({ row, message });
  };
  const parameters = readTimeParameters(root);
  const document = { parameters, report };
  const styles = readStyles(elementsIn(root, 'head')[0], report);
  if (!hasNamespace) report(root.row, 'no TTML namespace; most players reject this file');
  const language = root.attributes.get('xml:lang')?.trim() || undefined;
  const lines = readLines();
  return { lines, problems, language, frameRate: parameters.declaredRate };

  function readLines(): Line[] {
    const [body] = elementsIn(root, 'body');
    if (!body) return [];
    resolveTimes(body, document);
    const keepsSpace = root.attributes.get('xml:space') === 'preserve';
    return readBlock(body, { shown: always, style: {}, keepsSpace });
  }

  function inside(element: XmlElement, outer: Inherited): Inside {
    const own = styles.of(element);
    const space = element.attributes.get('xml:space');
    return {
      own,
      shown: overlapOf(outer.shown, element.shown),
      style: withInherited(own, outer.style),
      region: element.attributes.get('region') ?? outer.region,
      keepsSpace: space === undefined ? outer.keepsSpace : space === 'preserve',
    };
  }

  function readBlock(element: XmlElement, outer: Inherited): Line[] {
    const inner = inside(element, outer);
    if (inner.own.display === 'none') return [];
    if (element.name === 'p') return readParagraph(element, inner, outer.style);
    const blocks = element.children.filter(isElement).filter(isBlock);
    return blocks.flatMap((child) => readBlock(child, inner));
  }

  function readParagraph(paragraph: XmlElement, inner: Inside, outerStyle: Properties): Line[] {
    const regionId = inner.region ?? regionBelow(paragraph);
    const region = regionId === undefined ? undefined : styles.regions.get(regionId);
    if (!region && styles.regions.size > 0) {
      const message =
        regionId === undefined
          ? 'paragraph without a region'
          : `region "${regionId}" is not defined`;
      report(paragraph.row, `${message}; players do not show it`);
    }
    const { initial } = styles;
    const regionStyle = region && { ...initial, ...styles.of(region) };
    if (regionStyle?.display === 'none') return [];
    // The body inherits from the region, so the region's style comes below all others.
    const style = withInherited(inner.own, withInherited(outerStyle, regionStyle ?? initial));
    const shown = overlapOf(
      inner.shown,
      region && (region.shown ?? resolveTimes(region, document)),
    );
    const pieces = readPieces(paragraph, { ...inner, style, shown });
    return intervals(shown, pieces).map((interval) => ({
      place: paragraph.row,
      tagProblems: [],
      start: timecode(paragraph, ['begin'], interval.begin),
      stop: timecode(paragraph, ['end', 'dur'], interval.end),
      spans: spansOf(pieces.filter((piece) => isShownIn(piece, interval))),
    }));
  }

  /** The times between which a paragraph does not change; all of its time if nothing in it is timed. */
  function intervals(shown: Interval, pieces: readonly Piece[]): Interval[] {
    const filled = pieces.filter(({ text }) => text.trim() !== '');
    const times = filled.flatMap((piece) => [piece.shown.begin, piece.shown.end]);
    const inside = times.filter((time) => time >= shown.begin && time <= shown.end);
    const sorted = [...new Set(inside)].sort((a, b) => a - b);
    const intervals = sorted
      .slice(1)
      .map((end, index): Interval => ({ begin: sorted[index] ?? end, end }))
      .filter((interval) => filled.some((piece) => isShownIn(piece, interval)));
    return intervals.length > 0 ? intervals : [shown];
  }

  function timecode(paragraph: XmlElement, names: readonly string[], time: number): Timecode {
    for (const text of names.flatMap((name) => paragraph.attributes.get(name)?.trim() ?? [])) {
      const { problem } = readTime(text, parameters);
      if (problem !== undefined) return { text, problem };
    }
    if (time === Number.POSITIVE_INFINITY) return { text: '', problem: 'is missing' };
    const milliseconds = Math.round(time);
    return { text: formatTimecode(milliseconds, '.'), milliseconds };
  }

  function readPieces(element: XmlElement, inner: Inherited): Piece[] {
    const style = textStyle(inner.style);
    const isHidden = inner.style.visibility === 'hidden';
    return element.children.flatMap((child): Piece[] => {
      const shown = overlapOf(inner.shown, child.shown);
      if (!isElement(child)) {
        const kind = inner.keepsSpace ? 'kept' : 'text';
        return isHidden ? [] : [{ kind, text: child.text, style, shown }];
      }
      if (child.name === 'br') return [{ kind: 'break', text: '', style, shown }];
      const part = child.name === 'span' ? inside(child, inner) : undefined;
      if (!part || part.own.display === 'none' || part.own.ruby === 'delimiter') return [];
      return part.own.ruby === 'container' ? readRuby(child, part) : readPieces(child, part);
    });
  }

  /** A ruby container has a base and a text, or containers with as many bases as texts. */
  function readRuby(container: XmlElement, inner: Inherited): Piece[] {
    const bases: Piece[] = [];
    const readings: string[] = [];
    const collect = (element: XmlElement, outer: Inherited) => {
      for (const child of elementsIn(element, 'span')) {
        const own = inside(child, outer);
        const role = own.own.ruby ?? '';
        if (role === 'baseContainer' || role === 'textContainer') collect(child, own);
        if (role !== 'base' && role !== 'text') continue;
        const text = readPieces(child, own)
          .map((piece) => piece.text)
          .join('');
        if (role === 'text') readings.push(text);
        else bases.push({ kind: 'ruby', text, style: textStyle(own.style), shown: own.shown });
      }
    };
    collect(container, inner);
    return bases.map((base, index) => ({ ...base, above: readings[index] }));
  }
}

function regionBelow(element: XmlElement): string | undefined {
  for (const child of elementsIn(element, 'span')) {
    const found = child.attributes.get('region') ?? regionBelow(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function spansOf(pieces: readonly Piece[]) {
  const builder = new SpanBuilder();
  for (const { kind, text, above, style } of pieces) {
    if (kind === 'break') builder.breakLine();
    else if (kind === 'ruby') builder.addRuby(text, above ?? '', style);
    else builder.add(text, style, kind === 'text');
  }
  return builder.finish();
}
