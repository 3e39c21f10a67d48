import type * as z from 'zod/mini';
import { schemas } from '../../src/api/schemas.ts';
import type { Shape } from '../../src/api/shape.ts';

/** `src/api/shapes.ts`: every schema in the form that is checked without the library. */
export function shapesSource(): string {
  const rows = Object.entries(schemas).map(
    ([name, schema]) => `  ${name}:\n    '${JSON.stringify(shapeOf(schema()))}',`,
  );
  return [
    '// Made by `npm run generate` from the schemas.',
    '// biome-ignore-all format: nobody reads it',
    "import type { SchemaName } from './endpoints.ts';",
    '',
    '/** The shape of each schema, as JSON: one of them is needed at a time. */',
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
    // The one custom type there is: a number without a fraction.
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
