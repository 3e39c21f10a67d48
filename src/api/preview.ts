import * as z from 'zod/mini';
import { id, lazily, links, object, text, time } from './schemaFields.ts';

export const preview = lazily(() =>
  z.looseObject({
    _id: id,
    asset: id,
    project: id,
    studio: id,
    revision: text,
    label: text,
    created: time,
    /** A signed URL: its query opens the file to whoever has it. */
    path: text,
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
    label: text,
    language: text,
    project: id,
    revision: text,
    studio: id,
    type: text,
    cdn: object({ domain: text, path: text, key: text }),
  }),
);
