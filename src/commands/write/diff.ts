import { hideSecrets } from '../../api/secrets.ts';
import { redacted } from '../../json/secrets.ts';
import { compact } from '../../json/text.ts';
import { type Json, printJson } from '../../json/value.ts';
import type { Difference } from '../../records/recordDiff.ts';
import { sanitise } from '../../terminal/sanitise.ts';
import type { Style } from '../../terminal/style.ts';
import { displayWidth, truncate } from '../../terminal/width.ts';

/** Unchanged characters to keep before the first difference in a cut value. */
const leadCharacters = 16;

/** Each changed field with its old and new value. */
export function differenceLines(
  differences: readonly Difference[],
  style: Style,
  /** Values are redacted, then cut to the width if there is one. */
  { width, redact }: { width?: number; redact(text: string): string },
): string[] {
  const printed = (json: Json | undefined, isSecret?: boolean) => {
    const text = textOf(json, isSecret);
    return text === undefined ? undefined : redact(text);
  };
  return differences.flatMap(({ path, before, after, isOrder, isSecret }) => {
    const [old, now] = cut(printed(before, isSecret), printed(after, isSecret), width && width - 6);
    return [
      `  ${style.bold(sanitise(path))}${isOrder ? ' (order)' : ''}`,
      ...(old === undefined ? [] : [style.red(`    - ${old}`)]),
      ...(now === undefined ? [] : [style.green(`    + ${now}`)]),
    ];
  });
}

function textOf(json: Json | undefined, isSecret = false): string | undefined {
  if (json === undefined) return undefined;
  return isSecret ? redacted : sanitise(compact(printJson(hideSecrets(json))));
}

/** Cuts two values so that the first difference stays visible. */
function cut(
  before: string | undefined,
  after: string | undefined,
  width?: number,
): [string | undefined, string | undefined] {
  if (width === undefined) return [before, after];
  // No text so long fits, and measuring it takes long.
  const most = width * 50;
  const fits = (text = '') => text.length <= most && displayWidth(text) <= width;
  if (fits(before) && fits(after)) return [before, after];
  const begin = before === undefined || after === undefined ? 0 : firstDifference(before, after);
  const fitted = (text: string | undefined) =>
    text === undefined ? undefined : truncate(from(text, begin, width).slice(0, most), width);
  return [fitted(before), fitted(after)];
}

function firstDifference(a: string, b: string): number {
  const [first, second] = [[...a], [...b]];
  const at = first.findIndex((character, index) => character !== second[index]);
  return at < 0 ? first.length : at;
}

function from(text: string, start: number, width: number): string {
  if (start < width / 2) return text;
  return `…${[...text].slice(start - leadCharacters).join('')}`;
}
