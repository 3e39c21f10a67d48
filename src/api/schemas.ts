import type * as z from 'zod/mini';
import { asset } from './asset.ts';
import type { Endpoint, SchemaName } from './endpoints.ts';
import { event, notification } from './event.ts';
import { download, file } from './file.ts';
import { offline, preview } from './preview.ts';
import { time } from './schemaFields.ts';
import { translation } from './translation.ts';
import { session, signOut, user } from './user.ts';
import { workRequest, workRequestDraft } from './workRequest.ts';

export const schemas = {
  asset,
  download,
  event,
  file,
  notification,
  offline,
  preview,
  session,
  signOut,
  translation,
  user,
  workRequest,
  workRequestDraft,
} as const satisfies Record<SchemaName, () => z.ZodMiniType>;

export type ResponseValue<E extends Endpoint> = z.infer<
  ReturnType<(typeof schemas)[E['response']]>
>;

export const isTime = (schema: z.core.$ZodType) => schema === time;
