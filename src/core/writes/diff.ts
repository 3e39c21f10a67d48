import { hideSecrets } from '../api/secretFields.ts';
import { redacted } from '../json/hideFields.ts';
import { compact } from '../json/text.ts';
import { type Json, printJson } from '../json/value.ts';
import type { Style } from '../output/style.ts';
import type { Difference } from '../records/recordDiff.ts';
import { cutAtDifference } from '../values/cutAtDifference.ts';
import { sanitise } from '../values/sanitise.ts';
import { truncate } from '../values/width.ts';

export function differenceLines(
  differences: readonly Difference[],
  style: Style,
  /** Values are redacted, then cut to the width if there is one. */
  { width, redact }: { width?: number; redact(text: string): string },
): string[] {
  const printed = (json: Json | undefined, path: string) => {
    if (json === undefined) return undefined;
    const shown = hideSecrets(json, path);
    return redact(shown === redacted ? redacted : sanitise(compact(printJson(shown))));
  };
  return differences.flatMap(({ path, before, after, isOrder }) => {
    const values = [printed(before, path), printed(after, path)] as const;
    const [old, now] = width === undefined ? values : cutAtDifference(...values, width - 6);
    return [
      `  ${style.bold(sanitise(path))}${isOrder ? ' (order)' : ''}`,
      ...(old === undefined ? [] : [style.red(`    - ${old}`)]),
      ...(now === undefined ? [] : [style.green(`    + ${now}`)]),
    ];
  });
}

/** The longest value that fits beside the names of fields on a terminal of 80 columns. */
const maxValueColumns = 50;

/** One line for each field: its name, and as much of its value as fits, or all of it. */
export function fieldLines(
  fields: readonly (readonly [name: string, value: Json])[],
  redact: (text: string) => string,
  maxColumns = maxValueColumns,
): string[] {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.map(([name, value]) => {
    const text = redact(sanitise(compact(printJson(hideSecrets(value, name)))));
    const shown = Number.isFinite(maxColumns) ? truncate(text.slice(0, 1000), maxColumns) : text;
    return `  ${sanitise(name).padEnd(width)}  ${shown}`;
  });
}
