import type * as z from 'zod/mini';
import { extendPath, type PathStep, parsePath } from '../json/path.ts';
import { isObject, type Json } from '../json/value.ts';
import { differInDigits, inLatin, nearest, type UnknownField } from '../values/nearest.ts';
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
    const unknown = known === undefined ? unknownName(field, key, path, base) : undefined;
    if (unknown) found.set(unknown.path, unknown);
    else collect(fieldBelow(field, key), value, known, extendPath(path, key), found);
  }
}

/** The first name in a path such as `due.dat` that is neither documented nor in the base. */
export function unknownInPath(
  schema: z.ZodMiniType,
  steps: readonly PathStep[],
  base?: Json,
): UnknownField | undefined {
  let field: FieldSchemas = [schema];
  let path = '';
  let known = base;
  for (const step of steps) {
    const above = known;
    known = isObject(above) ? above.get(String(step)) : undefined;
    const isNew = known === undefined && typeof step === 'string';
    const unknown = isNew ? unknownName(field, step, path, above) : undefined;
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
function unknownName(
  field: FieldSchemas,
  name: string,
  path: string,
  base: Json | undefined,
): UnknownField | undefined {
  if (fieldBelow(field, name).length > 0) return undefined;
  const [schema] = field;
  const documented = schema && documentedBelow(schema, field);
  if (!documented?.size) return undefined;
  const meant = meantPath(joined(name), documented) ?? nearOwn(name, base);
  const place = path === '' ? '' : `${path}.`;
  return { path: extendPath(path, name), ...(meant !== undefined && { meant: place + meant }) };
}

/** Comparing with more names would take longer than the write. */
const maxCompared = 1_000;

/** The name in the base that is probably meant. */
function nearOwn(name: string, base: Json | undefined): string | undefined {
  if (!isObject(base) || base.size > maxCompared) return undefined;
  const own = [...base.keys()].filter((one) => one.length > 4);
  const near = nearest(name, own);
  return near !== undefined && differInDigits(name, near) ? undefined : near;
}

/** Without case, separators and other scripts: `duedate` for `due.date`, `Due date` and `due_date`. */
const joined = (name: string) =>
  inLatin(name)
    .toLowerCase()
    .replaceAll(/[\s._-]/g, '');

/** Paths by their joined names. */
type Documented = ReadonlyMap<string, string>;

function meantPath(word: string, documented: Documented): string | undefined {
  const same = documented.get(word);
  if (same !== undefined) return same;
  const own = [...documented].flatMap(([name, path]) => (path.includes('.') ? [] : name));
  // Some long path would resemble any name if two letters may differ.
  const near = nearest(word, own) ?? nearest(word, [...documented.keys()], 1);
  return near === undefined || differInDigits(word, near) ? undefined : documented.get(near);
}

const maxDepth = 3;

const knownDocumented = new WeakMap<z.core.$ZodType, Documented>();

function documentedBelow(schema: z.core.$ZodType, field: FieldSchemas): Documented {
  const known = knownDocumented.get(schema);
  if (known) return known;
  const paths = new Map<string, string>();
  let level: [path: string, field: FieldSchemas][] = [['', field]];
  for (let depth = 0; depth < maxDepth; depth += 1) {
    level = level.flatMap(([path, one]) =>
      partsOf(one).flatMap(({ shape = {} }) =>
        Object.entries(shape).map(([name, below]): [string, FieldSchemas] => [
          extendPath(path, name),
          [below],
        ]),
      ),
    );
    // The shortest path of several that look the same.
    for (const [path] of level) if (!paths.has(joined(path))) paths.set(joined(path), path);
  }
  knownDocumented.set(schema, paths);
  return paths;
}
