import * as z from 'zod/mini';
import { embeddedAsset } from './asset.ts';
import {
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
import { embeddedTranslation } from './translation.ts';
import { userSummary } from './user.ts';

export const deadline = record(() => ({ date: time, tz: string }));

export const pages = record(() => ({
  view: string,
  manage: string,
  invite: string,
  translate: string,
}));

export const recipients = record(() => ({
  Broadcast: list,
  Dcp: list,
  Streamingfile: list,
  Online: list,
  Theatrical: list,
  Cmyk: list,
  Rgb: list,
  '2D Scope': list,
  '2D Flat': list,
  '2D Combo': list,
  '3D Flat': list,
  '3D Scope': list,
  '3D Combo': list,
}));

const common = () => ({
  _id: id,
  studio: id,
  assetType: string,
  assetCategory: string,
  auto: flag,
  autosubs: flag,
  dualLanguages: flag,
  autoMode: flag,
  aspectRatio: string,
  due: z.optional(deadline()),
  deliveryDeadline: z.optional(deadline()),
  language: string,
  territory: string,
  dng: object({ dialogue: strings, graphics: strings, narration: strings }),
  uses: object({
    items: strings,
    details: z.optional(
      z.record(z.string(), z.array(z.looseObject({ value: string, ship: flag }))),
    ),
  }),
  dcp: object({ items: list, details: list }),
  instructions: string,
  status: string,
  history: listOf({ date: time, user: z.optional(userSummary()), status: string, reason: string }),
  shippingAddresses: list,
  estimate: object({ base: string, applied: string }),
  urls: z.optional(pages()),
  tags: list,
  rejections: list,
  encodes: list,
  offlines: list,
  graphicsAutomationJobs: list,
  files: listOf({ name: string, files: list }),
  materials: listOf({ name: string, complete: flag, approved: flag, files: list }),
  reason: string,
  created: time,
  $links: links,
  $statuses: strings,
  audioFile: z.optional(z.nullable(z.string())),
});

export const project = record(() => ({
  _id: id,
  name: string,
  slug: string,
  studio: id,
  logo: id,
  $links: links,
}));

export const workRequest = record(() => ({
  ...common(),
  project: z.optional(project()),
  asset: z.optional(embeddedAsset()),
  from: z.optional(userSummary()),
  recipients: z.optional(recipients()),
  translation: z.optional(embeddedTranslation()),
  graphicsTranslation: z.optional(embeddedTranslation()),
}));
export type WorkRequest = z.infer<ReturnType<typeof workRequest>>;

const reference = <Embedded extends z.ZodMiniType>(embedded: Embedded) =>
  z.optional(z.union([z.string(), embedded]));

/** A work request to send: references may be embedded records or ids. */
export const workRequestDraft = record(() => ({
  ...common(),
  project: reference(project()),
  asset: reference(embeddedAsset()),
  from: reference(userSummary()),
  recipients: z.optional(recipients()),
  translation: reference(embeddedTranslation()),
  graphicsTranslation: reference(embeddedTranslation()),
}));

/** A work request inside an event: references are ids, recipients an array. */
export const eventWorkRequest = record(() => ({
  ...common(),
  project: id,
  asset: id,
  from: id,
  recipients: list,
  translation: id,
  graphicsTranslation: id,
}));
