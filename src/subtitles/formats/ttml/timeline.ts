import { readTime, type TimeParameters } from './times.ts';
import { type Interval, isElement, type XmlElement, type XmlNode } from './xml.ts';

export const always: Interval = { begin: 0, end: Number.POSITIVE_INFINITY };

export const overlapOf = (one: Interval, other = always): Interval => ({
  begin: Math.max(one.begin, other.begin),
  end: Math.min(one.end, other.end),
});

interface TimedDocument {
  parameters: TimeParameters;
  report(row: number, message: string): void;
}

/**
 * Finds out when a node, and all in it, is shown. Times count from the start of the parent, or, in a
 * sequence, from the end of the element before. Those of the body and of a region, which have no
 * parent, count from the start of the programme.
 */
export function resolveTimes(
  node: XmlNode,
  document: TimedDocument,
  parent = { begin: 0, isSequence: false },
  before = parent.begin,
): Interval {
  const from = parent.isSequence ? before : parent.begin;
  const unlimited = parent.isSequence ? from : Number.POSITIVE_INFINITY;
  // Text has no duration of its own: none in a sequence, else that of its parent.
  node.shown = { begin: from, end: unlimited };
  if (!isElement(node) || node.name === 'br') return node.shown;
  const begin = from + (timeOf(node, 'begin', document) ?? 0);
  const container = { begin, isSequence: node.attributes.get('timeContainer') === 'seq' };
  let last: number | undefined;
  let latest: number | undefined;
  for (const child of timedChildren(node)) {
    last = resolveTimes(child, document, container, last).end;
    latest = container.isSequence ? last : Math.max(latest ?? begin, last);
  }
  const [until, duration] = [timeOf(node, 'end', document), timeOf(node, 'dur', document)];
  const limit = Math.min(from + (until ?? always.end), begin + (duration ?? always.end));
  const end = (until ?? duration) === undefined ? (latest ?? unlimited) : limit;
  node.shown = { begin, end };
  return node.shown;
}

function timeOf(
  { name, row, attributes }: XmlElement,
  attribute: 'begin' | 'end' | 'dur',
  { parameters, report }: TimedDocument,
): number | undefined {
  const written = attributes.get(attribute);
  if (written === undefined) return undefined;
  const time = readTime(written, parameters);
  // A paragraph reports its own times with its line.
  if (time.problem !== undefined && name !== 'p') {
    report(row, `${attribute}="${written}" ${time.problem}`);
  }
  if (time.countsFrames && !parameters.declaresFrameRate) {
    report(row, 'times count frames, but there is no ttp:frameRate; 30 is assumed');
  }
  return time.milliseconds;
}

export const isBlock = ({ name }: XmlElement) => name === 'div' || name === 'p';

/** Text counts only in paragraphs. */
const timedChildren = ({ name, children }: XmlElement): XmlNode[] =>
  name === 'body' || name === 'div'
    ? children.filter((child) => isElement(child) && isBlock(child))
    : children.filter((child) => !isElement(child) || /^(?:span|br)$/.test(child.name));
