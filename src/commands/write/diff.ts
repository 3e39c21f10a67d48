import { hideSecrets } from '../../api/secrets.ts';
import { redacted } from '../../json/secrets.ts';
import { compact } from '../../json/text.ts';
import { type Json, printJson } from '../../json/value.ts';
import type { Difference } from '../../records/recordDiff.ts';
import type { Style } from '../../terminal/style.ts';
import { sanitise } from '../../values/sanitise.ts';
import { displayWidth, truncate } from '../../values/width.ts';

/** Unchanged characters to keep before the first difference in a cut value. */
const leadCharacters = 16;

export function differenceLines(
  differences: readonly Difference[],
  style: Style,
  /** Values are redacted, then cut to the width if there is one. */
  { width, redact }: { width?: number; redact(text: string): string },
): string[] {
  const printed = (json: Json | undefined, isSecret: boolean | undefined) => {
    if (json === undefined) return undefined;
    return redact(isSecret ? redacted : sanitise(compact(printJson(hideSecrets(json)))));
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

/** The longest value that fits beside the names of fields on a terminal of 80 columns. */
const maxValueColumns = 50;

/** One line for each field: its name, and as much of its value as fits. */
export function fieldLines(
  fields: readonly (readonly [name: string, value: Json])[],
  redact: (text: string) => string,
): string[] {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.map(([name, value]) => {
    const text = redact(sanitise(compact(printJson(hideSecrets(value)))));
    return `  ${sanitise(name).padEnd(width)}  ${truncate(text.slice(0, 1000), maxValueColumns)}`;
  });
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
  const fitted = (text: string | undefined) => {
    if (text === undefined) return undefined;
    const isLate = begin >= width / 2;
    const shown = isLate ? `…${[...text].slice(begin - leadCharacters).join('')}` : text;
    return truncate(shown.slice(0, most), width);
  };
  return [fitted(before), fitted(after)];
}

function firstDifference(a: string, b: string): number {
  const [first, second] = [[...a], [...b]];
  const at = first.findIndex((character, index) => character !== second[index]);
  return at < 0 ? first.length : at;
}
