import * as z from 'zod/mini';
import { id, lazily, object, text, time } from './schemaFields.ts';

export const download = lazily(() =>
  z.looseObject({
    _id: id,
    asset: object({ _id: id, name: text, type: text }),
    project: object({ _id: id, name: text }),
    file: object({ _id: id, asset: id, name: text, project: id, studio: id }),
    created: time,
  }),
);
export type Download = z.infer<ReturnType<typeof download>>;
