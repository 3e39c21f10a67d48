import type * as z from 'zod/mini';
import { type SkeletonLine, type SkeletonOrder, skeleton } from '../api/skeleton.ts';
import type { JsonObject } from '../json/value.ts';
import { printYaml } from './printYaml.ts';

/**
 * A record to be filled in: what is given, then all other known fields as comments. A `#` without a
 * blank behind it is all that keeps a field from being sent.
 */
export function templateOf(
  schema: z.ZodMiniType,
  given: JsonObject,
  order: SkeletonOrder,
  isTime: (schema: z.core.$ZodType) => boolean,
): string {
  const open = skeleton(
    schema,
    { ...order, leaveOut: [...(order.leaveOut ?? []), ...given.keys()] },
    isTime,
  );
  const width = Math.max(0, ...open.map((line) => textOf(line).length));
  const lines = open.map((line) => {
    const text = textOf(line);
    return line.meaning ? `${text.padEnd(width)}  # ${line.meaning}` : text;
  });
  return [given.size > 0 ? printYaml(given) : '', ...lines.map((line) => `${line}\n`)].join('');
}

const textOf = ({ depth, text }: SkeletonLine) => `#${'  '.repeat(depth)}${text}`;
