import type * as z from 'zod/mini';

/** One line of a skeleton: `tz: ""`, and what belongs there. */
export interface SkeletonLine {
  depth: number;
  text: string;
  meaning?: string;
}

/** Which fields come first, and which do not come. */
export interface SkeletonOrder {
  first?: readonly string[];
  leaveOut?: readonly string[];
}

type IsTime = (schema: z.core.$ZodType) => boolean;

interface Definition {
  type: string;
  shape?: Readonly<Record<string, z.core.$ZodType>>;
  element?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
}

const definitionOf = (schema: z.core.$ZodType) => schema._zod.def as unknown as Definition;

/** What stands in place of a value that is not given yet, as YAML, and what it is. */
const placeholders: Readonly<Record<string, readonly [value: string, meaning: string]>> = {
  string: ['""', 'text'],
  boolean: ['false', 'true or false'],
  custom: ['0', 'integer'],
  number: ['0', 'number'],
  record: ['{}', 'fields by name'],
};

/** The known fields of a record, each with a value of its type; `$` ones are the service's own. */
export function skeleton(
  schema: z.core.$ZodType,
  { first = [], leaveOut = [] }: SkeletonOrder,
  isTime: IsTime,
): SkeletonLine[] {
  const { shape = {} } = definitionOf(schema);
  const known = Object.entries(shape);
  const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  return known
    .sort(([a], [b]) => rank(a) - rank(b))
    .filter(([name]) => !name.startsWith('$') && !leaveOut.includes(name))
    .flatMap(([name, field]) => linesOf(name, field, 0, isTime));
}

function linesOf(
  name: string,
  field: z.core.$ZodType,
  depth: number,
  isTime: IsTime,
): SkeletonLine[] {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
  if (isTime(field)) {
    return [{ depth, text: `${key}: 0`, meaning: 'a time, as an integer' }];
  }
  const { type, innerType, options, element, shape } = definitionOf(field);
  if (innerType) return linesOf(name, innerType, depth, isTime);
  // Of a reference, its id: the record that it stands for need not be sent.
  if (options) return [{ depth, text: `${key}: ""`, meaning: 'id' }];
  if (element) return [{ depth, text: `${key}: []`, meaning: listMeaning(element) }];
  if (shape) {
    const below = Object.entries(shape).flatMap(([one, inner]) =>
      linesOf(one, inner, depth + 1, isTime),
    );
    return [{ depth, text: `${key}:` }, ...below];
  }
  const [value, meaning] = placeholders[type] ?? ['null', 'anything'];
  return [{ depth, text: `${key}: ${value}`, meaning }];
}

function listMeaning(element: z.core.$ZodType): string {
  const { type, shape } = definitionOf(element);
  if (shape) return `list of {${Object.keys(shape).join(', ')}}`;
  return type === 'string' ? 'list of texts' : 'list';
}
