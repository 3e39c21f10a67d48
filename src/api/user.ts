import * as z from 'zod/mini';
import {
  flag,
  id,
  integer,
  links,
  list,
  listOf,
  object,
  record,
  string,
  strings,
} from './schemaFields.ts';

export const userSummary = record(() => ({
  _id: id,
  name: string,
  emailNormal: string,
  groups: listOf({ _id: id, name: string, $links: links }),
}));

export const userStatus = record(() => ({
  invited: flag,
  approved: flag,
  registered: flag,
  confirmed: flag,
}));

const preferences = () =>
  object({
    blacklist: object({ projects: list }),
    mail: object({
      enabled: flag,
      projects: integer,
      assets: integer,
      files: integer,
      work_requests: integer,
      shares: integer,
      ingest: integer,
      offline_comments: integer,
      others: integer,
      work_request_comments: integer,
      workflow: integer,
    }),
    ingest: object({ skipScratchPreview: flag, maxUploads: integer }),
    contactLists: listOf({ name: string, recipients: object({ groups: list, users: strings }) }),
    reports: object({
      workRequests: object({
        dashboard: listOf({ i: string, x: integer, y: integer, w: integer, h: integer }),
        hiddenCharts: strings,
      }),
    }),
    agent: object({ instructions: string }),
  });

export const user = record(() => ({
  _id: id,
  id,
  emailNormal: string,
  username: string,
  name: string,
  invite: string,
  password: string,
  status: z.optional(userStatus()),
  roles: strings,
  permissions: list,
  flags: list,
  queue: list,
  orderQueue: list,
  shareQueue: list,
  studios: list,
  twofactorVerified: flag,
  hasEnforced2fa: flag,
  territory: object({
    _id: id,
    name: string,
    code: string,
    standard: string,
    countries: listOf({ name: string, code: string }),
    languages: listOf({ name: string, code: string, dcpCode: string }),
    assignedLanguages: strings,
  }),
  groups: listOf({
    _id: id,
    name: string,
    type: string,
    studios: list,
    users: strings,
    addresses: listOf({
      name: string,
      address: string,
      city: string,
      state: string,
      postalCode: string,
      country: string,
    }),
  }),
  preferences: preferences(),
  $links: links,
}));
export type User = z.infer<ReturnType<typeof user>>;

/** The response to logging in. Its fields are required, because it is useless without them. */
export const session = record(() => ({ token: z.string(), email: z.string() }));

const unknown = z.unknown();
export const signOut = () => unknown;
