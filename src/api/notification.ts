import * as z from 'zod/mini';
import { embeddedEvent } from './event.ts';
import { flag, id, lazily, links, string, time } from './schemaFields.ts';

export const notification = lazily(() =>
  z.looseObject({
    _id: id,
    from: id,
    to: id,
    event: z.optional(embeddedEvent()),
    type: string,
    title: string,
    emailSubject: string,
    read: flag,
    viewed: flag,
    sent: flag,
    added: time,
    created: time,
    $links: links,
  }),
);
export type Notification = z.infer<ReturnType<typeof notification>>;
