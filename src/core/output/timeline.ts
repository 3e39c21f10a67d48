import { type Card, type CardText, renderCard, separated } from './card.ts';
import type { Style } from './style.ts';

interface Timeline {
  title: Card;
  stops: readonly TimelineStop[];
  closing: readonly string[];
}

interface TimelineStop {
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
  const text = (lines: readonly CardText[], textWidth: number) =>
    renderCard({ title: '', sections: [{ lines }] }, textWidth, style);
  const rail = stops.flatMap(({ isPresent, isMark, head, lines }, index) => {
    const point = isMark ? '◆ ' : style.dim('○ ');
    const mark = isPresent ? style.bold(style.cyan('● ')) : point;
    const below = index === stops.length - 1 ? '  ' : style.dim('│ ');
    const shown = text(lines, timelineWidth(width)).filter((line) => line !== '');
    if (style.isAccessible) return [`${isPresent ? 'Now: ' : ''}${head}`, ...shown, ''];
    return [mark + head, ...shown.map((line) => below + line)].map((line) => margin + line);
  });
  const remarks = closing.map((remark) => ({ text: remark, paint: style.dim }));
  const footer = text(remarks, width - margin.length).map((line) => margin + line);
  return separated([renderCard(title, width, style), rail, footer]);
}
