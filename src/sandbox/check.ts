import type * as z from 'zod/mini';
import { misfits } from '../api/misfit.ts';
import { type JsonObject, toPlain } from '../json/value.ts';
import { Refusal } from './refusal.ts';

/** Refuses a body whose known fields have the wrong types; unknown fields pass. */
export function checkTypes(body: JsonObject, schema: z.ZodMiniType): void {
  const [misfit] = misfits(schema, toPlain(body));
  if (misfit === undefined) return;
  const { path: field, problem } = misfit;
  throw new Refusal(400, 'wrong-type', `${field}: ${problem}`, { field });
}
