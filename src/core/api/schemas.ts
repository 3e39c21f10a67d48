import * as z from 'zod/mini';
import { lazily } from '../values/concurrency.ts';
import type { Endpoint, SchemaName } from './endpoints.ts';

/*
 * The building blocks of every resource. Fields are optional and records are loose: the service
 * requires nothing, and an unknown field must survive a round trip. Each resource is a function,
 * because making all schemas takes longer than a request.
 */

const record = <Shape extends z.core.$ZodLooseShape>(shape: () => Shape) =>
  lazily(() => z.looseObject(shape()));

/** An integer of any size: zod's own type stops at the safe integers. */
const wholeNumber = z.custom<number>(Number.isInteger);

const string = z.optional(z.string());
/** Its type is not documented, so it may have any. */
export const untyped = z.optional(z.unknown());
const flag = z.optional(z.boolean());
const integer = z.optional(wholeNumber);
/** A point in time as an integer; its unit is not documented. */
export const time = z.optional(wholeNumber);
const id = z.optional(z.string());
const strings = z.optional(z.array(z.string()));
/** An array whose elements are not documented. */
const list = z.optional(z.array(z.unknown()));
/** Protocol-relative URLs by name: `self` and the related records. */
export const links = z.optional(z.record(z.string(), z.string()));

/** Several fields of one type, by their names: `name, slug`. */
const fields = <Type, List extends string>(type: Type, names: List) =>
  Object.fromEntries(names.split(', ').map((name) => [name, type])) as Record<Names<List>, Type>;

type Names<List extends string> = List extends `${infer First}, ${infer Others}`
  ? First | Names<Others>
  : List;

const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.optional(z.looseObject(shape));

const listOf = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.optional(z.array(z.looseObject(shape)));

/* The exported records are shared parts: the JSON Schema has a definition of each, by its name. */

const preview = record(() => ({
  ...fields(id, '_id, asset, project, studio'),
  ...fields(string, 'revision, label'),
  created: time,
  path: string,
  $links: links,
}));

export const embeddedPreview = record(() => ({
  ...fields(id, '_id, asset'),
  created: time,
  ...fields(string, 'label, language'),
  project: id,
  revision: string,
  studio: id,
  type: string,
  cdn: object(fields(string, 'domain, path, key')),
}));

const offline = record(() => ({
  ...fields(id, '_id, workRequest, from, project, asset'),
  path: string,
  created: time,
  $links: links,
}));

const places = () => object(fields(list, 'languages, countries'));

export const assetPermissions = record(() => ({
  canAutosub: flag,
  sources: object({ requests: places(), autosubs: places() }),
  access: strings,
  tags: object(fields(flag, 'online, broadcast, dcp, cmyk, rgb')),
  ingest: strings,
}));

/** Without usage and thumbnail, which differ inside a work request. */
const assetFields = () => ({
  ...fields(id, '_id, studio, project'),
  ...fields(string, 'name, importName, slug, type, mediaType'),
  ...fields(flag, 'verified, creative'),
  previews: z.optional(z.array(embeddedPreview())),
  created: time,
  $links: links,
  $flags: list,
  $permissions: z.optional(assetPermissions()),
  $embargo: flag,
  $feedback: object({ share: string, vote: string, summary: list }),
});

const asset = record(() => ({
  ...assetFields(),
  // Documented only for the asset of a work request, but every asset has it.
  aspectRatio: string,
  usage: object(fields(flag, 'broadcast, online, dcp, film35, film70, dcp4k, imax, atmos')),
  thumbnail: id,
}));

const phase = () =>
  z.looseObject({ groups: listOf({ id, dng: list, usages: list }), users: list, terminal: flag });

export const workflow = record(() => ({
  id,
  phase: string,
  definition: object({
    phases: z.optional(z.record(z.string(), phase())),
    ...fields(flag, 'requireGraphicsApproval, requireOfflineApproval'),
  }),
}));

export const embeddedAsset = record(() => ({
  ...assetFields(),
  usage: object({
    ...fields(flag, 'broadcast, online, dcp, dcp3d, film35, film70, imax, imax3d'),
    ...fields(flag, 'atmos2d, atmos3d, dolbyVision2d, dolbyVision3d'),
  }),
  thumbnail: object({
    _id: id,
    verified: flag,
    embargo: object({ event: flag }),
    warnings: list,
    ...fields(untyped, 'mime, bucket'),
    tags: list,
    ...fields(integer, 'chunkSize, length'),
    md5: string,
    uploadDate: time,
    $links: links,
  }),
  transcription: object({ graphics: id }),
  aspectRatio: string,
  workflow: z.optional(workflow()),
}));

const person = { _id: id, name: string, emailNormal: string };

export const userSummary = record(() => ({
  ...person,
  groups: listOf({ _id: id, name: untyped, $links: links }),
}));

/** Without the links of groups, which are not documented there. */
export const historyUser = record(() => ({
  ...person,
  groups: listOf({ _id: id, name: untyped }),
}));

export const userStatus = record(() => fields(flag, 'invited, approved, registered, confirmed'));

const user = record(() => ({
  ...fields(id, '_id, id'),
  ...fields(string, 'emailNormal, username, name, invite, password'),
  status: z.optional(userStatus()),
  roles: strings,
  ...fields(list, 'permissions, flags, queue, orderQueue, shareQueue, studios'),
  ...fields(flag, 'twofactorVerified, hasEnforced2fa'),
  territory: object({
    _id: id,
    ...fields(untyped, 'name, code, standard'),
    countries: listOf(fields(untyped, 'name, code')),
    languages: listOf(fields(untyped, 'name, code, dcpCode')),
    assignedLanguages: strings,
  }),
  groups: listOf({
    _id: id,
    name: untyped,
    type: string,
    studios: list,
    users: strings,
    addresses: listOf(fields(untyped, 'name, address, city, state, postalCode, country')),
  }),
  preferences: object({
    blacklist: object({ projects: list }),
    mail: object({
      enabled: flag,
      ...fields(integer, 'projects, assets, files, work_requests, shares, ingest'),
      ...fields(integer, 'offline_comments, others, work_request_comments, workflow'),
    }),
    ingest: object({ skipScratchPreview: flag, maxUploads: integer }),
    contactLists: listOf({ name: untyped, recipients: object({ groups: list, users: strings }) }),
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
const session = record(() => ({ token: z.string(), email: z.string() }));

const unknown = z.unknown();
const signOut = () => unknown;

const translationFields = {
  ...fields(id, '_id, asset, workRequest'),
  ...fields(string, 'language, status'),
  created: time,
  $links: links,
};

const translation = record(() => translationFields);

export const translationLine = record(() => ({
  number: integer,
  text: string,
  ...fields(flag, 'auto, custom, machine'),
  ...fields(string, 'startTime, stopTime, alignment, textAlign, split, merged'),
  range: z.optional(z.array(z.number())),
}));

export const embeddedTranslation = record(() => ({
  ...translationFields,
  translator: z.optional(userSummary()),
  lines: z.optional(z.array(translationLine())),
  printLines: list,
  approval: flag,
}));

export const deadline = record(() => ({ date: time, tz: string }));

export const pages = record(() => fields(string, 'view, manage, invite, translate'));

export const recipients = record(() => ({
  ...fields(list, 'Broadcast, Dcp, Streamingfile, Online, Theatrical, Cmyk, Rgb'),
  ...fields(list, '2D Scope, 2D Flat, 2D Combo, 3D Flat, 3D Scope, 3D Combo'),
}));

const workRequestFields = () => ({
  ...fields(id, '_id, studio'),
  ...fields(string, 'assetType, assetCategory'),
  ...fields(flag, 'auto, autosubs, dualLanguages, autoMode'),
  aspectRatio: string,
  due: z.optional(deadline()),
  deliveryDeadline: z.optional(deadline()),
  ...fields(string, 'language, territory'),
  dng: object(fields(strings, 'dialogue, graphics, narration')),
  uses: object({
    items: strings,
    details: z.optional(
      z.record(z.string(), z.array(z.looseObject({ value: string, ship: flag }))),
    ),
  }),
  dcp: object({ items: list, details: list }),
  ...fields(string, 'instructions, status'),
  history: listOf({ date: time, user: z.optional(historyUser()), status: string, reason: string }),
  shippingAddresses: list,
  estimate: object({ base: string, applied: string }),
  urls: z.optional(pages()),
  ...fields(list, 'tags, rejections, encodes, offlines, graphicsAutomationJobs'),
  files: listOf({ name: string, files: list }),
  materials: listOf({ name: string, complete: flag, approved: flag, files: list }),
  reason: string,
  created: time,
  $links: links,
  $statuses: strings,
  audioFile: z.optional(z.nullable(z.string())),
});

export const projectSummary = record(() => ({
  _id: id,
  ...fields(untyped, 'name, slug'),
  ...fields(id, 'studio, logo'),
  $links: links,
}));

const workRequest = record(() => ({
  ...workRequestFields(),
  project: z.optional(projectSummary()),
  asset: z.optional(embeddedAsset()),
  from: z.optional(userSummary()),
  recipients: z.optional(recipients()),
  translation: z.optional(embeddedTranslation()),
  graphicsTranslation: z.optional(embeddedTranslation()),
}));

const reference = <Embedded extends z.ZodMiniType>(embedded: Embedded) =>
  z.optional(z.union([z.string(), embedded]));

/** A work request to send: references may be embedded records or ids. */
const workRequestDraft = record(() => ({
  ...workRequestFields(),
  project: reference(projectSummary()),
  asset: reference(embeddedAsset()),
  from: reference(userSummary()),
  recipients: z.optional(recipients()),
  translation: reference(embeddedTranslation()),
  graphicsTranslation: reference(embeddedTranslation()),
}));

/** A work request inside an event: references are ids, recipients an array. */
export const eventWorkRequest = record(() => ({
  ...workRequestFields(),
  ...fields(id, 'project, asset, from'),
  recipients: list,
  ...fields(id, 'translation, graphicsTranslation'),
}));

const event = record(() => ({
  _id: id,
  /** The event of a notification says more about its sender, and can be written as it is. */
  from: object({
    ...person,
    $links: links,
    status: z.optional(userStatus()),
    ...fields(string, 'username, invite'),
  }),
  type: string,
  files: strings,
  ...fields(flag, 'processed, pushed, digested'),
  created: time,
  /** The following fields are those of type `wam`. */
  workRequest: z.optional(eventWorkRequest()),
  projects: listOf({ _id: id, name: untyped, slug: untyped }),
  urls: z.optional(pages()),
  notify: object({ users: strings, groups: strings }),
  assets: list,
}));

const notification = record(() => ({
  ...fields(id, '_id, from, to'),
  event: z.optional(event()),
  ...fields(string, 'type, title, emailSubject'),
  ...fields(flag, 'read, viewed, sent'),
  ...fields(time, 'added, created'),
  $links: links,
}));

const file = record(() => ({
  ...fields(id, '_id, studio, project, asset'),
  ...fields(string, 'name, language, country'),
  tags: strings,
  path: string,
  // Documented only for the thumbnail of an asset, but every file has them.
  mime: untyped,
  length: integer,
  md5: string,
  verified: flag,
  embargo: object({ event: flag, end: time }),
  warnings: list,
  aspera: object({ username: string }),
  created: time,
  $flags: list,
  $links: links,
  $aspera: object({ downloaded: flag }),
}));

const download = record(() => ({
  _id: id,
  asset: object({ _id: id, name: string, type: string }),
  project: object({ _id: id, name: untyped }),
  file: object({ _id: id, asset: id, name: string, project: id, studio: id }),
  created: time,
}));

export const schemas = {
  asset,
  download,
  event,
  file,
  notification,
  offline,
  preview,
  session,
  signOut,
  translation,
  user,
  workRequest,
  workRequestDraft,
} as const satisfies Record<SchemaName, () => z.ZodMiniType>;

export type ResponseValue<E extends Endpoint> = z.infer<
  ReturnType<(typeof schemas)[E['response']]>
>;

export const isTime = (schema: z.core.$ZodType) => schema === time;
