import { sanitiseLines } from '../values/sanitise.ts';
import { wrap } from '../values/width.ts';
import { type CardText, maxTextWidth, painterOf, plainCardText, renderCard } from './card.ts';
import type { Style } from './style.ts';

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
  stops: readonly TimelineStop[],
  width: number,
  style: Style,
): string[] {
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

export function renderFooter(lines: readonly string[], width: number, style: Style): string[] {
  if (lines.length === 0) return [];
  const dim = lines.map((text) => ({ text, paint: (shown: string) => style.dim(shown) }));
  const shown = renderCard({ title: '', sections: [{ lines: dim }] }, width - margin.length, style);
  return ['', ...shown.map((line) => margin + line)];
}
