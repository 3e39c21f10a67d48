import type * as z from 'zod/mini';
import { extendPath, type PathStep, parsePath } from '../json/path.ts';
import { isObject, type Json } from '../json/value.ts';
import { nearest, type UnknownField } from '../values/nearest.ts';
import { type FieldSchemas, fieldBelow, partsOf } from './schemaWalk.ts';

/** Undocumented names in a record, without those that its base has too: the service knows them. */
export function unknownFields(schema: z.ZodMiniType, record: Json, base?: Json): UnknownField[] {
  const found = new Map<string, UnknownField>();
  collect([schema], record, base, '', found);
  return [...found.values()];
}

function collect(
  field: FieldSchemas,
  json: Json,
  base: Json | undefined,
  path: string,
  found: Map<string, UnknownField>,
): void {
  if (Array.isArray(json)) {
    const element = fieldBelow(field, 0);
    const bases = Array.isArray(base) ? base : [];
    if (element.length === 0) return;
    // One path for all elements, so that a long list reports each name once.
    for (const [at, one] of json.entries()) collect(element, one, bases[at], `${path}[]`, found);
  }
  if (!isObject(json)) return;
  for (const [key, value] of json) {
    const known = isObject(base) ? base.get(key) : undefined;
    const unknown = unknownName(field, key, path);
    if (unknown && known === undefined) found.set(unknown.path, unknown);
    else collect(fieldBelow(field, key), value, known, extendPath(path, key), found);
  }
}

/** The first undocumented name in a path such as `due.dat`. */
export function unknownInPath(
  schema: z.ZodMiniType,
  steps: readonly PathStep[],
): UnknownField | undefined {
  let field: FieldSchemas = [schema];
  let path = '';
  for (const step of steps) {
    const unknown = typeof step === 'string' ? unknownName(field, step, path) : undefined;
    if (unknown) return unknown;
    field = fieldBelow(field, step);
    path = extendPath(path, step);
  }
  return undefined;
}

/** A column that no schema documents, with the closest name or title. */
export function unknownColumn(
  roots: readonly z.ZodMiniType[],
  path: string,
  titles: readonly string[],
): UnknownField | undefined {
  const found = roots.map((root) => unknownInPath(root, parsePath(path)));
  if (!found.every(Boolean)) return undefined;
  const headings = titles.map((title) => title.toUpperCase());
  const meant = found.find((one) => one?.meant)?.meant ?? nearest(path.toUpperCase(), headings);
  return { path, ...(meant !== undefined && { meant }) };
}

/** Names below a field of unknown content can be anything. */
function unknownName(field: FieldSchemas, name: string, path: string): UnknownField | undefined {
  if (fieldBelow(field, name).length > 0) return undefined;
  const names = partsOf(field).flatMap(({ shape }) => Object.keys(shape ?? {}));
  if (names.length === 0) return undefined;
  const word = name.toLowerCase();
  const meant = names.find((one) => one.toLowerCase() === word) ?? nearest(name, names);
  return {
    path: extendPath(path, name),
    ...(meant !== undefined && { meant: extendPath(path, meant) }),
  };
}
