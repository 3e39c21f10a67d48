import type * as z from 'zod/mini';
import { type JsonObject, toPlain } from '../json/value.ts';
import { Refusal } from './refusal.ts';

type Issue = z.core.$ZodIssue;

/** Refuses a body whose known fields have the wrong types; unknown fields pass. */
export function checkTypes(body: JsonObject, schema: z.ZodMiniType): void {
  const result = schema.safeParse(toPlain(body));
  const issue = result.error?.issues[0];
  if (issue === undefined) return;
  const { path, reason } = explain(issue);
  const field = fieldPath(path);
  throw new Refusal(400, 'wrong-type', `${field}: ${reason}`, { field });
}

/** Of a choice (an id or an embedded record) the branch that got furthest is what was meant. */
function explain(issue: Issue): { path: PropertyKey[]; reason: string } {
  if (issue.code === 'invalid_union') {
    const branches = issue.errors.flatMap((errors) => errors.slice(0, 1)).map(explain);
    const depth = Math.max(...branches.map(({ path }) => path.length));
    const deepest = branches.filter(({ path }) => path.length === depth);
    const reasons = new Set(deepest.map(({ reason }) => reason.replace(/^expected /, '')));
    return {
      path: [...issue.path, ...(deepest[0]?.path ?? [])],
      reason: `expected ${[...reasons].join(' or ')}`,
    };
  }
  const reason = issue.code === 'invalid_type' ? `expected ${issue.expected}` : issue.message;
  return { path: [...issue.path], reason };
}

/** `history[1].user` */
function fieldPath(path: PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}
