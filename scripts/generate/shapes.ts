import type * as z from 'zod/mini';
import type { Shape } from '../../src/core/api/schemaMismatch.ts';
import { schemas } from '../../src/core/api/schemas.ts';
import { schemaParts } from '../../src/core/api/schemaWalk.ts';

/**
 * `src/core/api/shapes.json`: each schema in a form that can be checked without zod. The values are JSON texts,
 * because a run parses only one of them.
 */
export function shapesSource(): string {
  const rows = Object.entries(schemas).map(([name, schema]) => [
    name,
    JSON.stringify(shapeOf(schema())),
  ]);
  return `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`;
}

const scalars: Readonly<Record<string, Shape>> = {
  string: 's',
  boolean: 'b',
  // The only custom type is the integer.
  custom: 'i',
  number: 'd',
  null: 'n',
  unknown: '*',
};

function shapeOf(schema: z.core.$ZodType): Shape {
  const { type, innerType, element, valueType, options, shape } = schemaParts(schema);
  if (innerType) {
    return type === 'nullable' ? { anyOf: ['n', shapeOf(innerType)] } : shapeOf(innerType);
  }
  if (element) return { array: shapeOf(element) };
  if (valueType) return { values: shapeOf(valueType) };
  if (options) return { anyOf: options.map(shapeOf) };
  if (shape) return { fields: Object.fromEntries(Object.entries(shape).map(fieldOf)) };
  const scalar = scalars[type];
  if (scalar === undefined) throw new Error(`no shape for a schema of type ${type}`);
  return scalar;
}

const fieldOf = ([name, schema]: [string, z.core.$ZodType]): [string, Shape] => [
  schemaParts(schema).type === 'optional' ? name : `!${name}`,
  shapeOf(schema),
];
