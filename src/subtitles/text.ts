import { inOrder, type Line } from './lines.ts';
import { shownLines, textOf, withoutEmptyLines } from './spans.ts';

/** The words alone, for reading: an empty line between two lines of the translation. */
export function printText(lines: readonly Line[]): string {
  const texts = inOrder(lines)
    .lines.filter(({ spans }) => shownLines(spans).length > 0)
    .map(({ spans }) => `${textOf(withoutEmptyLines(spans))}\n`);
  return texts.join('\n');
}
