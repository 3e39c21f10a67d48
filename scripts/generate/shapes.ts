import type * as z from 'zod/mini';
import { schemas } from '../../src/api/schemas.ts';
import type { Shape } from '../../src/api/shape.ts';

/** `src/api/shapes.ts`: each schema in a form that can be checked without zod. */
export function shapesSource(): string {
  const rows = Object.entries(schemas).map(
    ([name, schema]) => `  ${name}:\n    '${JSON.stringify(shapeOf(schema()))}',`,
  );
  return [
    '// Generated from the schemas by `npm run generate`. Do not edit.',
    '// biome-ignore-all format: generated',
    "import type { SchemaName } from './endpoints.ts';",
    '',
    '/** The shape of each schema as JSON text, because a run parses only one of them. */',
    'export const shapes: Readonly<Record<SchemaName, string>> = {',
    ...rows,
    '};',
    '',
  ].join('\n');
}

function shapeOf(schema: z.core.$ZodType): Shape {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
      return shapeOf(def.innerType);
    case 'nullable':
      return { anyOf: ['n', shapeOf(def.innerType)] };
    case 'string':
      return 's';
    case 'boolean':
      return 'b';
    // The only custom type is the integer.
    case 'custom':
      return 'i';
    case 'number':
      return 'd';
    case 'null':
      return 'n';
    case 'unknown':
      return '*';
    case 'array':
      return { array: shapeOf(def.element) };
    case 'record':
      return { values: shapeOf(def.valueType) };
    case 'union':
      return { anyOf: def.options.map(shapeOf) };
    case 'object':
      return { fields: Object.fromEntries(Object.entries(def.shape).map(fieldOf)) };
    default:
      throw new Error(`no shape for a schema of type ${def.type}`);
  }
}

function fieldOf([name, schema]: [string, z.core.$ZodType]): [string, Shape] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return [def.type === 'optional' ? name : `!${name}`, shapeOf(schema)];
}
