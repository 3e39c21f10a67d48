import * as z from 'zod/mini';
import {
  fields,
  flag,
  id,
  links,
  list,
  listOf,
  object,
  record,
  string,
  strings,
  time,
} from './schemaFields.ts';
import { userStatus } from './user.ts';
import { eventWorkRequest, pages } from './workRequest.ts';

const sender = { _id: id, name: string, emailNormal: string, $links: links };

const common = () => ({
  _id: id,
  type: string,
  files: strings,
  ...fields(flag, 'processed, pushed, digested'),
  created: time,
  /** The following fields are those of type `wam`. */
  workRequest: z.optional(eventWorkRequest()),
  projects: listOf({ _id: id, name: string, slug: string }),
  urls: z.optional(pages()),
  notify: object({ users: strings, groups: strings }),
  assets: list,
});

export const event = record(() => ({ ...common(), from: object(sender) }));

export const embeddedEvent = record(() => ({
  ...common(),
  from: object({ ...sender, status: z.optional(userStatus()), username: string, invite: string }),
}));

export const notification = record(() => ({
  ...fields(id, '_id, from, to'),
  event: z.optional(embeddedEvent()),
  ...fields(string, 'type, title, emailSubject'),
  ...fields(flag, 'read, viewed, sent'),
  ...fields(time, 'added, created'),
  $links: links,
}));
