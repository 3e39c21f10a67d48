import type * as z from 'zod/mini';

export interface SchemaMismatch {
  /** `due.date`, `previews[0].label`; empty for the value itself. */
  path: string;
  /** `expected an integer, found a string`. */
  problem: string;
}

export function schemaMismatches(schema: z.ZodMiniType, value: unknown): SchemaMismatch[] {
  const { issues = [] } = schema.safeParse(value).error ?? {};
  return issues.map((issue) => schemaMismatch(issue, value));
}

function schemaMismatch(issue: z.core.$ZodIssue, value: unknown): SchemaMismatch {
  // In a union, the alternative that matched furthest is the one that was meant.
  const failures = issue.code === 'invalid_union' ? issue.errors.flat() : [];
  const [nested] = failures.sort((a, b) => b.path.length - a.path.length);
  if (nested && nested.path.length > 0) {
    return schemaMismatch({ ...nested, path: [...issue.path, ...nested.path] }, value);
  }
  const found = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
  return {
    path: formatPath(issue.path),
    problem: `expected ${expected(issue)}, found ${describe(found)}`,
  };
}

function expected(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return withArticle(issue.expected === 'record' ? 'object' : issue.expected);
    case 'invalid_value':
      return issue.values.map(String).join(' or ');
    case 'invalid_union':
      return [...new Set(issue.errors.flat().map(expected))].join(' or ');
    default:
      // The only custom type is the integer.
      return 'an integer';
  }
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'number' ? `the number ${value}` : withArticle(typeof value);
}

const withArticle = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

function formatPath(path: PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const name = String(key);
    if (!/^[\w$-]+$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}
