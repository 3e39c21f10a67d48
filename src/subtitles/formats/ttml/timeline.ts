import { readTime, type TimeParameters } from './times.ts';
import { isElement, type XmlElement, type XmlNode } from './xml.ts';

/** In milliseconds, not rounded. The end may be infinite. */
export interface Interval {
  begin: number;
  end: number;
}

export const always: Interval = { begin: 0, end: Number.POSITIVE_INFINITY };

export const overlapOf = (one: Interval, other: Interval): Interval => ({
  begin: Math.max(one.begin, other.begin),
  end: Math.min(one.end, other.end),
});

/** Bounds the work for an element that changes: each change makes a line with all of its text. */
export const maxChanges = 200;

type Container = Pick<Interval, 'begin'> & { isSequence: boolean };

/** When the elements of a document are shown. */
export class Timeline {
  readonly #times = new Map<XmlNode, Interval>();
  readonly #parameters: TimeParameters;
  readonly #report: (row: number, message: string) => void;

  constructor(parameters: TimeParameters, report: (row: number, message: string) => void) {
    this.#parameters = parameters;
    this.#report = report;
  }

  /** The time of an element, which may reach beyond that of its parent. */
  of(node: XmlNode): Interval {
    return this.#times.get(node) ?? always;
  }

  /** Resolves the times of the body or of a region, which count from the start of the programme. */
  add(element: XmlElement): Interval {
    if (!this.#times.has(element)) this.#resolve(element, { begin: 0, isSequence: false });
    return this.of(element);
  }

  /**
   * Times count from the start of the parent, or, in a sequence, from the end of the element before.
   * Returns the end.
   */
  #resolve(node: XmlNode, parent: Container, before?: number): number {
    const from = parent.isSequence ? (before ?? parent.begin) : parent.begin;
    const unlimited = parent.isSequence ? from : Number.POSITIVE_INFINITY;
    if (!isElement(node) || node.name === 'br') {
      // Text has no duration of its own: none in a sequence, else that of its parent.
      this.#times.set(node, { begin: from, end: unlimited });
      return unlimited;
    }
    const begin = from + (this.#timeOf(node, 'begin') ?? 0);
    const container = { begin, isSequence: node.attributes.get('timeContainer') === 'seq' };
    let last: number | undefined;
    let latest: number | undefined;
    for (const child of timedChildren(node)) {
      last = this.#resolve(child, container, last);
      latest = container.isSequence ? last : Math.max(latest ?? begin, last);
    }
    const [until, duration] = [this.#timeOf(node, 'end'), this.#timeOf(node, 'dur')];
    const limits = [
      ...(until === undefined ? [] : [from + until]),
      ...(duration === undefined ? [] : [begin + duration]),
    ];
    const end = limits.length > 0 ? Math.min(...limits) : (latest ?? unlimited);
    this.#times.set(node, { begin, end });
    return end;
  }

  #timeOf(element: XmlElement, name: 'begin' | 'end' | 'dur'): number | undefined {
    const written = element.attributes.get(name);
    if (written === undefined) return undefined;
    const time = readTime(written, this.#parameters);
    if (time.problem !== undefined) {
      // A paragraph reports its own times with its line.
      if (element.name !== 'p') this.#report(element.row, `${name}="${written}" ${time.problem}`);
      return undefined;
    }
    if (time.countsFrames && !this.#parameters.declaresFrameRate) {
      this.#report(element.row, 'times count frames, but there is no ttp:frameRate; 30 is assumed');
    }
    return time.milliseconds;
  }
}

export const isBlock = ({ name }: XmlElement) => name === 'div' || name === 'p';

/** Text counts only in paragraphs. */
const timedChildren = ({ name, children }: XmlElement): XmlNode[] =>
  name === 'body' || name === 'div'
    ? children.filter((child) => isElement(child) && isBlock(child))
    : children.filter((child) => !isElement(child) || /^(?:span|br)$/.test(child.name));
