import type * as z from 'zod/mini';
import { id, links, object, record, string, time } from './schemaFields.ts';

export const preview = record(() => ({
  _id: id,
  asset: id,
  project: id,
  studio: id,
  revision: string,
  label: string,
  created: time,
  path: string,
  $links: links,
}));
export type Preview = z.infer<ReturnType<typeof preview>>;

export const embeddedPreview = record(() => ({
  _id: id,
  asset: id,
  created: time,
  label: string,
  language: string,
  project: id,
  revision: string,
  studio: id,
  type: string,
  cdn: object({ domain: string, path: string, key: string }),
}));

export const offline = record(() => ({
  _id: id,
  workRequest: id,
  from: id,
  project: id,
  asset: id,
  path: string,
  created: time,
  $links: links,
}));
export type Offline = z.infer<ReturnType<typeof offline>>;
