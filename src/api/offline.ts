import * as z from 'zod/mini';
import { id, lazily, links, string, time } from './schemaFields.ts';

export const offline = lazily(() =>
  z.looseObject({
    _id: id,
    workRequest: id,
    from: id,
    project: id,
    asset: id,
    /** A signed URL: its query opens the file to whoever has it. */
    path: string,
    created: time,
    $links: links,
  }),
);
export type Offline = z.infer<ReturnType<typeof offline>>;
