import { hideSecrets } from '../../api/secrets.ts';
import { redacted } from '../../json/secrets.ts';
import { compact } from '../../json/text.ts';
import { type Json, printJson } from '../../json/value.ts';
import type { Difference } from '../../records/recordDiff.ts';
import { sanitise } from '../../terminal/sanitise.ts';
import type { Style } from '../../terminal/style.ts';
import { displayWidth, truncate } from '../../terminal/width.ts';

/** How much of what is the same stands before what is not, in a value that is cut. */
const context = 16;

/** A difference for people: each field with what it was and what it becomes. */
export function differenceLines(
  differences: readonly Difference[],
  style: Style,
  /** Values are redacted, then cut to the width; without one they are shown whole. */
  { width, redact }: { width?: number; redact(text: string): string },
): string[] {
  const shown = (json: Json | undefined, isSecret?: boolean) => {
    const text = textOf(json, isSecret);
    return text === undefined ? undefined : redact(text);
  };
  return differences.flatMap(({ path, before, after, isOrder, isSecret }) => {
    const [old, now] = cut(shown(before, isSecret), shown(after, isSecret), width && width - 6);
    return [
      `  ${style.bold(sanitise(path))}${isOrder ? ' (order)' : ''}`,
      ...(old === undefined ? [] : [style.red(`    - ${old}`)]),
      ...(now === undefined ? [] : [style.green(`    + ${now}`)]),
    ];
  });
}

/** A value on one line that a terminal cannot take for anything but text. */
const valueText = (json: Json) => sanitise(compact(printJson(hideSecrets(json))));

function textOf(json: Json | undefined, isSecret = false): string | undefined {
  if (json === undefined) return undefined;
  return isSecret ? redacted : valueText(json);
}

/** Cuts two values so that where they begin to differ can still be seen. */
function cut(
  before: string | undefined,
  after: string | undefined,
  width = Number.POSITIVE_INFINITY,
): [string | undefined, string | undefined] {
  const longest = Math.max(displayWidth(before ?? ''), displayWidth(after ?? ''));
  if (longest <= width) return [before, after];
  const begin = before === undefined || after === undefined ? 0 : firstDifference(before, after);
  const fitted = (text: string | undefined) =>
    text === undefined ? undefined : truncate(fromHere(text, begin, width), width);
  return [fitted(before), fitted(after)];
}

function firstDifference(a: string, b: string): number {
  const [first, second] = [[...a], [...b]];
  const at = first.findIndex((character, index) => character !== second[index]);
  return at < 0 ? first.length : at;
}

function fromHere(text: string, begin: number, width: number): string {
  if (begin < width / 2) return text;
  return `…${[...text].slice(begin - context).join('')}`;
}
