import * as z from 'zod/mini';
import {
  flag,
  id,
  ids,
  lazily,
  links,
  list,
  listOf,
  object,
  string,
  time,
} from './schemaFields.ts';
import { userStatus } from './user.ts';
import { eventWorkRequest, pages } from './workRequest.ts';

const sender = { _id: id, name: string, emailNormal: string, $links: links };

const common = () => ({
  _id: id,
  type: string,
  files: ids,
  processed: flag,
  pushed: flag,
  digested: flag,
  created: time,
  /** The following fields are those of type `wam`. */
  workRequest: z.optional(eventWorkRequest()),
  projects: listOf({ _id: id, name: string, slug: string }),
  urls: z.optional(pages()),
  notify: object({ users: ids, groups: ids }),
  assets: list,
});

export const event = lazily(() => z.looseObject({ ...common(), from: object(sender) }));
export type Event = z.infer<ReturnType<typeof event>>;

/** An event inside a notification has more fields of its sender. */
export const embeddedEvent = lazily(() =>
  z.looseObject({
    ...common(),
    from: object({ ...sender, status: z.optional(userStatus()), username: string, invite: string }),
  }),
);
