import { orUndefined, usageError } from '../errors.ts';
import { isObject, type Json } from './value.ts';

export type PathStep = string | number;

/** `[+]`: a new element at the end of an array. Only edits can use it. */
export const append: unique symbol = Symbol('[+]');
export type EditStep = PathStep | typeof append;

/** Keys that need no quotes. All others are quoted, so that every path is unambiguous. */
const plainKey = () => /^[\p{L}\p{N}_$@:-]+$/u;
const step =
  /\.?(?<name>[^.[\]"'\\]+)|\[(?<index>0|[1-9]\d*|\+)\]|\[(?<double>"(?:[^"\\]|\\.)*")\]|\['(?<single>[^'\\]*)'\]/uy;

/** Keys that could reach a prototype. */
const forbiddenKeys: readonly EditStep[] = ['__proto__', 'constructor', 'prototype'];

/** Parses `due.tz`, `uses.items[0]` or `recipients["2D Scope"]`. */
export function parsePath(path: string): PathStep[] {
  return parseEditPath(path).map((one) => {
    if (one === append) throw malformed(path);
    return one;
  });
}

/** Parses a path that may contain `[+]`, as in `tags[+]`. */
export function parseEditPath(path: string): EditStep[] {
  const steps: EditStep[] = [];
  let at = 0;
  while (at < path.length) {
    step.lastIndex = at;
    const match = step.exec(path);
    const isName = match?.groups?.name !== undefined;
    // A dot separates two names, and is allowed nowhere else.
    if (!match || (isName && (path[at] === '.') !== at > 0)) throw malformed(path);
    steps.push(stepOf(path, match.groups ?? {}));
    at += match[0].length;
  }
  if (steps.length === 0) throw malformed(path);
  const bad = steps.find((one) => forbiddenKeys.includes(one));
  if (bad !== undefined) {
    throw usageError(`the path ${JSON.stringify(path)} is not allowed: it contains ${String(bad)}`);
  }
  return steps;
}

export function extendPath(path: string, next: EditStep): string {
  if (next === append) return `${path}[+]`;
  if (typeof next === 'number') return `${path}[${next}]`;
  if (!plainKey().test(next)) return `${path}[${JSON.stringify(next)}]`;
  return path === '' ? next : `${path}.${next}`;
}

export function child(at: Json | undefined, step: EditStep): Json | undefined {
  if (typeof step === 'number') return Array.isArray(at) ? at[step] : undefined;
  return isObject(at) && typeof step === 'string' ? at.get(step) : undefined;
}

function stepOf(path: string, groups: Record<string, string | undefined>): EditStep {
  const { name, index, double, single } = groups;
  if (index === '+') return append;
  if (index !== undefined) return Number(index);
  if (double === undefined) return name ?? single ?? '';
  const key: string | undefined = orUndefined(() => JSON.parse(double));
  if (key === undefined) throw malformed(path);
  return key;
}

const malformed = (path: string): Error =>
  usageError(
    `invalid path ${JSON.stringify(path)}`,
    'For example: due.tz, uses.items[0] or recipients["2D Scope"]',
    { value: path },
  );
