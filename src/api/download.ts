import * as z from 'zod/mini';
import { id, lazily, object, string, time } from './schemaFields.ts';

export const download = lazily(() =>
  z.looseObject({
    _id: id,
    asset: object({ _id: id, name: string, type: string }),
    project: object({ _id: id, name: string }),
    file: object({ _id: id, asset: id, name: string, project: id, studio: id }),
    created: time,
  }),
);
export type Download = z.infer<ReturnType<typeof download>>;
