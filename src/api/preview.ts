import * as z from 'zod/mini';
import { id, lazily, links, object, string, time } from './schemaFields.ts';

export const preview = lazily(() =>
  z.looseObject({
    _id: id,
    asset: id,
    project: id,
    studio: id,
    revision: string,
    label: string,
    created: time,
    /** A signed URL: its query opens the file to whoever has it. */
    path: string,
    $links: links,
  }),
);
export type Preview = z.infer<ReturnType<typeof preview>>;

/** A preview as an asset carries it. */
export const embeddedPreview = lazily(() =>
  z.looseObject({
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
  }),
);
