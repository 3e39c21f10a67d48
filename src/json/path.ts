import { usageError } from '../errors.ts';

/** A key by its name, an array's element by its number. */
export type PathStep = string | number;

/** `[+]`: a new element behind the last one. Only a change can mean it. */
export const append: unique symbol = Symbol('[+]');
export type EditStep = PathStep | typeof append;

/** Keys that need no quotes; any other is quoted, so that no path can be read in two ways. */
const plainKey = /^[\p{L}\p{N}_$@:-]+$/u;
const step =
  /\.?(?<name>[^.[\]"'\\]+)|\[(?<index>0|[1-9]\d*|\+)\]|\[(?<double>"(?:[^"\\]|\\.)*")\]|\['(?<single>[^'\\]*)'\]/uy;

/** Deeper than any record. */
const maxSteps = 100;

/** Through these a path would leave the record. */
const refused: readonly EditStep[] = ['__proto__', 'constructor', 'prototype'];

/** `due.tz`, `uses.items[0]`, `recipients["2D Scope"]`, taken apart. */
export function parsePath(path: string): PathStep[] {
  return parseEditPath(path).map((one) => {
    if (one === append) throw malformed(path);
    return one;
  });
}

/** The same, where `[+]` may stand for a new element: `tags[+]`. */
export function parseEditPath(path: string): EditStep[] {
  const steps: EditStep[] = [];
  let at = 0;
  while (at < path.length) {
    step.lastIndex = at;
    const match = step.exec(path);
    // A dot stands between two names, and only there.
    const hasDot = path[at] === '.';
    const isName = match?.groups?.name !== undefined;
    if (match === null || (isName && hasDot !== at > 0)) throw malformed(path);
    steps.push(stepOf(path, match.groups ?? {}));
    at += match[0].length;
  }
  if (steps.length === 0) throw malformed(path);
  if (steps.length > maxSteps) {
    const shown = JSON.stringify(`${path.slice(0, 40)}…`);
    throw usageError(`the path ${shown} has ${steps.length} steps, more than ${maxSteps}`);
  }
  const bad = steps.find((one) => refused.includes(one));
  if (bad !== undefined) {
    throw usageError(`the path ${JSON.stringify(path)} is refused: ${String(bad)}`);
  }
  return steps;
}

/** The path with one more step. */
export function extendPath(path: string, next: EditStep): string {
  if (next === append) return `${path}[+]`;
  if (typeof next === 'number') return `${path}[${next}]`;
  if (!plainKey.test(next)) return `${path}[${JSON.stringify(next)}]`;
  return path === '' ? next : `${path}.${next}`;
}

function stepOf(path: string, groups: Record<string, string | undefined>): EditStep {
  if (groups.index === '+') return append;
  if (groups.index !== undefined) return Number(groups.index);
  if (groups.double === undefined) return groups.name ?? groups.single ?? '';
  try {
    return JSON.parse(groups.double) as string;
  } catch {
    throw malformed(path);
  }
}

function malformed(path: string): Error {
  return usageError(
    `${JSON.stringify(path)} is not a path`,
    'Write due.tz, uses.items[0] or recipients["2D Scope"].',
  );
}
