import type * as z from 'zod/mini';
import { child, extendPath, type PathStep } from '../json/path.ts';
import { type Json, JsonNumber, toPlain } from '../json/value.ts';
import { isSecretPath } from './secretFields.ts';

export interface SchemaMismatch {
  /** `due.date`, `previews[0].label`; empty for the value itself. */
  path: string;
  /** `expected an integer, found a string`. */
  problem: string;
  /** `a string`, `an integer`. */
  expected: string;
  found: Json | undefined;
}

export function schemaMismatches(schema: z.ZodMiniType, json: Json): SchemaMismatch[] {
  const { issues = [] } = schema.safeParse(toPlain(json)).error ?? {};
  return issues.map((issue) => schemaMismatch(issue, json));
}

function schemaMismatch(issue: z.core.$ZodIssue, json: Json): SchemaMismatch {
  // In a union, the alternative that matched furthest is the one that was meant.
  const failures = issue.code === 'invalid_union' ? issue.errors.flat() : [];
  const [nested] = failures.sort((a, b) => b.path.length - a.path.length);
  if (nested && nested.path.length > 0) {
    return schemaMismatch({ ...nested, path: [...issue.path, ...nested.path] }, json);
  }
  const found = (issue.path as PathStep[]).reduce<Json | undefined>(child, json);
  const path = (issue.path as PathStep[]).reduce(extendPath, '');
  const isShown = found instanceof JsonNumber && !isSecretPath(path);
  const expected = expectedBy(issue);
  return {
    path,
    problem: `expected ${expected}, found ${isShown ? `the number ${found.source}` : describeKind(found)}`,
    expected,
    found,
  };
}

function expectedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return withArticle(issue.expected === 'record' ? 'object' : issue.expected);
    case 'invalid_value':
      return issue.values.map(String).join(' or ');
    case 'invalid_union':
      return [...new Set(issue.errors.flat().map(expectedBy))].join(' or ');
    default:
      // The only custom type is the integer.
      return 'an integer';
  }
}

export function describeKind(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof JsonNumber) return 'a number';
  return withArticle(typeof value);
}

const withArticle = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

const scalars = {
  /** Anything. */
  '*': () => true,
  s: (value: unknown) => typeof value === 'string',
  b: (value: unknown) => typeof value === 'boolean',
  i: Number.isInteger,
  d: Number.isFinite,
  n: (value: unknown) => value === null,
};

/**
 * A schema in a form that is checked without zod, which takes longer to load than a request. It says
 * only whether a value is valid; the schema itself says why not.
 */
export type Shape =
  | keyof typeof scalars
  | { array: Shape }
  /** Fields by name; `!` before the name marks a required field. Other fields are allowed. */
  | { fields: Readonly<Record<string, Shape>> }
  | { values: Shape }
  | { anyOf: readonly Shape[] };

export function hasShape(shape: Shape, value: unknown): boolean {
  if (typeof shape === 'string') return scalars[shape](value);
  if ('anyOf' in shape) return shape.anyOf.some((one) => hasShape(one, value));
  if ('array' in shape) {
    return Array.isArray(value) && value.every((element) => hasShape(shape.array, element));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if ('values' in shape) return Object.values(value).every((one) => hasShape(shape.values, one));
  const { fields } = shape;
  return Object.keys(fields).every((name) => {
    const isRequired = name.startsWith('!');
    const key = isRequired ? name.slice(1) : name;
    return Object.hasOwn(value, key)
      ? hasShape(fields[name] as Shape, (value as Record<string, unknown>)[key])
      : !isRequired;
  });
}
