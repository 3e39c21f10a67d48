import * as z from 'zod/mini';
import {
  fields,
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

/** Without the links of groups, which are not documented there. */
export const historyUser = record(() => ({
  _id: id,
  name: string,
  emailNormal: string,
  groups: listOf({ _id: id, name: string }),
}));

export const userStatus = record(() => fields(flag, 'invited, approved, registered, confirmed'));

export const user = record(() => ({
  ...fields(id, '_id, id'),
  ...fields(string, 'emailNormal, username, name, invite, password'),
  status: z.optional(userStatus()),
  roles: strings,
  ...fields(list, 'permissions, flags, queue, orderQueue, shareQueue, studios'),
  ...fields(flag, 'twofactorVerified, hasEnforced2fa'),
  territory: object({
    _id: id,
    ...fields(string, 'name, code, standard'),
    countries: listOf(fields(string, 'name, code')),
    languages: listOf(fields(string, 'name, code, dcpCode')),
    assignedLanguages: strings,
  }),
  groups: listOf({
    _id: id,
    ...fields(string, 'name, type'),
    studios: list,
    users: strings,
    addresses: listOf(fields(string, 'name, address, city, state, postalCode, country')),
  }),
  preferences: object({
    blacklist: object({ projects: list }),
    mail: object({
      enabled: flag,
      ...fields(integer, 'projects, assets, files, work_requests, shares, ingest'),
      ...fields(integer, 'offline_comments, others, work_request_comments, workflow'),
    }),
    ingest: object({ skipScratchPreview: flag, maxUploads: integer }),
    contactLists: listOf({ name: string, recipients: object({ groups: list, users: strings }) }),
    reports: object({
      workRequests: object({
        dashboard: listOf({ i: string, ...fields(integer, 'x, y, w, h') }),
        hiddenCharts: strings,
      }),
    }),
    agent: object({ instructions: string }),
  }),
  $links: links,
}));

/** The response to logging in. Its fields are required, because it is useless without them. */
export const session = record(() => ({ token: z.string(), email: z.string() }));

const unknown = z.unknown();
export const signOut = () => unknown;
