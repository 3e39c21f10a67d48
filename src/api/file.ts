import * as z from 'zod/mini';
import { flag, id, lazily, links, list, object, string, strings, time } from './schemaFields.ts';

export const file = lazily(() =>
  z.looseObject({
    _id: id,
    studio: id,
    project: id,
    asset: id,
    name: string,
    language: string,
    country: string,
    tags: strings,
    path: string,
    verified: flag,
    embargo: object({ event: flag, end: time }),
    warnings: list,
    aspera: object({ username: string }),
    created: time,
    $flags: list,
    $links: links,
    $aspera: object({ downloaded: flag }),
  }),
);
export type File = z.infer<ReturnType<typeof file>>;
