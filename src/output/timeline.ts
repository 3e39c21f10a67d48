import { sanitiseLines } from '../values/sanitise.ts';
import { wrap } from '../values/width.ts';
import {
  type Card,
  type CardText,
  maxTextWidth,
  painterOf,
  plainCardText,
  renderCard,
  separated,
} from './card.ts';
import type { Style } from './style.ts';

interface Timeline {
  title: Card;
  stops: readonly TimelineStop[];
  closing: readonly string[];
}

export interface TimelineStop {
  isPresent: boolean;
  /** A moment that is no step, such as a deadline. */
  isMark?: boolean;
  /** One line, already safe, and no wider than `timelineWidth`. */
  head: string;
  lines: readonly CardText[];
}

const margin = '  ';
const railWidth = 2;

export const timelineWidth = (width: number): number =>
  Math.max(10, width - margin.length - railWidth);

export function renderTimeline(
  { title, stops, closing }: Timeline,
  width: number,
  style: Style,
): string[] {
  const rail = railLines(stops, width, style);
  const remarks = closing.map((text) => ({ text, paint: (shown: string) => style.dim(shown) }));
  const card = { title: '', sections: [{ lines: remarks }] };
  const footer = renderCard(card, width - margin.length, style).map((line) => margin + line);
  return separated([renderCard(title, width, style), rail, footer]);
}

function railLines(stops: readonly TimelineStop[], width: number, style: Style): string[] {
  const textWidth = Math.min(timelineWidth(width), maxTextWidth);
  return stops.flatMap(({ isPresent, isMark, head, lines }, index) => {
    const point = isMark ? '◆ ' : style.dim('○ ');
    const mark = isPresent ? style.bold(style.cyan('● ')) : point;
    const below = index === stops.length - 1 ? '  ' : style.dim('│ ');
    const shown = lines.flatMap((line) =>
      sanitiseLines(plainCardText(line))
        .flatMap((one) => wrap(one, textWidth))
        .filter((one) => one.trim() !== '')
        .map(painterOf(line, style)),
    );
    if (style.isAccessible) return [`${isPresent ? 'Now: ' : ''}${head}`, ...shown, ''];
    return [mark + head, ...shown.map((line) => below + line)].map((line) => margin + line);
  });
}
