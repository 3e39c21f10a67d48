import { frameRateNamed, frameRateNames } from '../../timecode.ts';
import { type Interval, isElement, type XmlElement, type XmlNode } from './xml.ts';

/** How a document counts time. */
type TimeParameters = ReturnType<typeof readTimeParameters>;

export function readTimeParameters({ attributes }: XmlElement) {
  const positive = (name: string) => {
    const value = Number(attributes.get(`ttp:${name}`));
    return Number.isFinite(value) && value > 0 ? value : undefined;
  };
  const declared = positive('frameRate');
  const nominalRate = declared ?? 30;
  const subFrameRate = positive('subFrameRate') ?? 1;
  const parts = /^\s*(\d{1,9})[\s:]+(\d{1,9})\s*$/.exec(
    attributes.get('ttp:frameRateMultiplier') ?? '',
  );
  const multiplier = Number(parts?.[1] ?? 1) / Number(parts?.[2] ?? 1);
  const isUsable = multiplier > 0 && Number.isFinite(multiplier);
  const frameRate = nominalRate * (isUsable ? multiplier : 1);
  const known = frameRateNames.find((name) => Math.abs(Number(name) - frameRate) < 0.005);
  return {
    /** Frames a second as in `HH:MM:SS:FF`, before the multiplier. */
    nominalRate,
    /** Real frames a second: 24 × 1000/1001. */
    frameRate,
    subFrameRate,
    tickRate: positive('tickRate') ?? (declared === undefined ? 1 : declared * subFrameRate),
    isSmpte: attributes.get('ttp:timeBase')?.trim() === 'smpte',
    dropMode: attributes.get('ttp:dropMode')?.trim() ?? 'nonDrop',
    declaresFrameRate: declared !== undefined,
    /** The frame rate that the document declares, if `mar` knows it. */
    declaredRate: declared && known ? frameRateNamed(known) : undefined,
  };
}

type TimeExpression =
  | { milliseconds: number; problem?: undefined; countsFrames: boolean }
  | { milliseconds?: undefined; problem: string; countsFrames?: undefined };

const clock = /^(\d{2,6}):(\d{2}):(\d{2})(?:\.(\d{1,99})|:(\d{2,4})(?:\.(\d{1,4}))?)?$/;
const offset = /^(\d{1,15}(?:\.\d{1,99})?)(h|m|s|ms|f|t)$/;

/** Reads a clock time, with a fraction or frames, or an offset such as `1.5s`. Not rounded. */
export function readTime(written: string, parameters: TimeParameters): TimeExpression {
  const text = written.trim();
  const { frameRate, tickRate } = parameters;
  const [, count, unit] = offset.exec(text) ?? [];
  if (unit !== undefined) {
    const units: Readonly<Record<string, number>> = {
      h: 3_600_000,
      m: 60_000,
      s: 1000,
      ms: 1,
      f: 1000 / frameRate,
      t: 1000 / tickRate,
    };
    return { milliseconds: Number(count) * (units[unit] ?? 0), countsFrames: unit === 'f' };
  }
  const [, hours, minutes, seconds, fraction, frames, subFrames] = clock.exec(text) ?? [];
  if (hours === undefined) return { problem: formatProblem(text) };
  if (Number(minutes) > 59) return { problem: 'has more than 59 minutes' };
  // TTML allows a leap second.
  if (Number(seconds) > 60) return { problem: 'has more than 60 seconds' };
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const frame = Number(frames ?? 0) + Number(subFrames ?? 0) / parameters.subFrameRate;
  if (Number(frames ?? 0) >= parameters.nominalRate) {
    return { problem: `has frame ${frames}, but a second has ${parameters.nominalRate} frames` };
  }
  if (parameters.isSmpte && frames !== undefined) {
    const counted = whole * parameters.nominalRate + frame;
    const dropped = droppedFrames(Number(hours), Number(minutes), parameters);
    return { milliseconds: ((counted - dropped) / frameRate) * 1000, countsFrames: true };
  }
  const rest = fraction === undefined ? frame / frameRate : Number(`0.${fraction}`);
  return { milliseconds: (whole + rest) * 1000, countsFrames: frames !== undefined };
}

function formatProblem(text: string): string {
  if (/^\d+:\d\d:\d\d,\d+$/.test(text)) return 'has a comma; TTML needs a dot';
  if (/^\d:\d\d:\d\d/.test(text)) return 'needs two digits for the hours';
  if (/^\d+:\d\d:\d\d;\d+$/.test(text)) return 'has a semicolon; TTML needs a colon before frames';
  return 'is not a TTML time such as 00:00:03.200 or 3.2s';
}

/** SMPTE drop-frame timecode skips frame numbers, not frames. */
function droppedFrames(hours: number, minutes: number, { dropMode, nominalRate }: TimeParameters) {
  if (dropMode === 'dropNTSC') {
    return (hours * 54 + minutes - Math.floor(minutes / 10)) * 2 * Math.max(1, nominalRate / 30);
  }
  if (dropMode === 'dropPAL') {
    return (hours * 27 + Math.floor(minutes / 2) - Math.floor(minutes / 20)) * 4;
  }
  return 0;
}

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
