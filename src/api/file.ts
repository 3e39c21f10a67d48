import * as z from 'zod/mini';
import { flag, id, lazily, links, list, object, text, texts, time } from './schemaFields.ts';

export const file = lazily(() =>
  z.looseObject({
    _id: id,
    studio: id,
    project: id,
    asset: id,
    name: text,
    language: text,
    country: text,
    tags: texts,
    path: text,
    verified: flag,
    embargo: object({ event: flag, end: time }),
    warnings: list,
    aspera: object({ username: text }),
    created: time,
    $flags: list,
    $links: links,
    $aspera: object({ downloaded: flag }),
  }),
);
export type File = z.infer<ReturnType<typeof file>>;
