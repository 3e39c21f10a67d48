import { type CardText, painterOf, plainCardText, renderCard } from './card.ts';
import { sanitiseLines } from './sanitise.ts';
import type { Style } from './style.ts';
import { wrap } from './width.ts';

/** One stop of a way: where something was, is or may come to. */
export interface TimelineStop {
  /** Whether it is the one where things stand now. */
  isPresent: boolean;
  /** On one line, safe, and not wider than `railRoom` of the terminal. */
  head: string;
  /** What there is to say about it; wrapped, and made safe here. */
  lines: readonly CardText[];
}

const margin = 2;
const marks = { present: '● ', other: '○ ' } as const;
const rail = '│ ';
const noRail = '  ';
/** Longer lines are hard to read. */
const widestText = 100;

/** The columns beside the rail. */
export const timelineWidth = (width: number): number =>
  Math.max(10, width - margin - marks.present.length);

/** Stops one below the other, joined by a line from each to the next. */
export function renderTimeline(
  stops: readonly TimelineStop[],
  width: number,
  style: Style,
): string[] {
  const room = Math.min(timelineWidth(width), widestText);
  return stops.flatMap(({ isPresent, head, lines }, index) => {
    const isLast = index === stops.length - 1;
    const mark = isPresent ? style.bold(style.cyan(marks.present)) : style.dim(marks.other);
    const below = isLast ? noRail : style.dim(rail);
    const shown = lines.flatMap((line) =>
      sanitiseLines(plainCardText(line))
        .flatMap((one) => wrap(one, room))
        .filter((one) => one.trim() !== '')
        .map(painterOf(line, style)),
    );
    return [mark + head, ...shown.map((line) => below + line)].map(
      (line) => ' '.repeat(margin) + line,
    );
  });
}

/** What is to be said below the last stop, if anything. */
export function renderFooter(lines: readonly string[], width: number, style: Style): string[] {
  if (lines.length === 0) return [];
  const dim = lines.map((text) => ({ text, paint: (shown: string) => style.dim(shown) }));
  const shown = renderCard({ title: '', sections: [{ lines: dim }] }, width - margin, style);
  return ['', ...shown.map((line) => ' '.repeat(margin) + line)];
}
