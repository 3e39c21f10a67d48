import type * as z from 'zod/mini';
import { asset } from './asset.ts';
import { download } from './download.ts';
import { event } from './event.ts';
import { time } from './fields.ts';
import { file } from './file.ts';
import { notification } from './notification.ts';
import { offline } from './offline.ts';
import { preview } from './preview.ts';
import { session, signOut } from './session.ts';
import { translation } from './translation.ts';
import { user } from './user.ts';
import { workRequest, workRequestDraft } from './workRequest.ts';

/** The shapes of what goes over the wire, by the names that the endpoints use. */
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
} as const satisfies Record<string, () => z.ZodMiniType>;

export type Schemas = typeof schemas;
export type SchemaName = keyof Schemas;

/** Whether a field is a point in time. */
export const isTime = (schema: z.core.$ZodType) => schema === time;
