import * as z from 'zod/mini';
import { embeddedAsset } from './asset.ts';
import {
  flag,
  id,
  lazily,
  links,
  list,
  listOf,
  object,
  text,
  texts,
  time,
} from './schemaFields.ts';
import { embeddedTranslation } from './translation.ts';
import { userSummary } from './user.ts';

export const deadline = lazily(() =>
  z.looseObject({ date: time, /** A time-zone name. */ tz: text }),
);

/** Pages of a client application, with the placeholders `:workRequest` and `:code`. */
export const pages = lazily(() =>
  z.looseObject({ view: text, manage: text, invite: text, translate: text }),
);

export const recipients = lazily(() =>
  z.looseObject({
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
  }),
);

/** What a work request has wherever it stands. */
const common = () => ({
  _id: id,
  studio: id,
  assetType: text,
  assetCategory: text,
  auto: flag,
  autosubs: flag,
  dualLanguages: flag,
  autoMode: flag,
  aspectRatio: text,
  due: z.optional(deadline()),
  deliveryDeadline: z.optional(deadline()),
  language: text,
  territory: text,
  dng: object({ dialogue: texts, graphics: texts, narration: texts }),
  uses: object({
    items: texts,
    /** Keyed by the item's name. */
    details: z.optional(z.record(z.string(), z.array(z.looseObject({ value: text, ship: flag })))),
  }),
  dcp: object({ items: list, details: list }),
  instructions: text,
  status: text,
  history: listOf({
    date: time,
    user: z.optional(userSummary()),
    status: text,
    reason: text,
  }),
  shippingAddresses: list,
  estimate: object({ base: text, applied: text }),
  urls: z.optional(pages()),
  tags: list,
  rejections: list,
  encodes: list,
  offlines: list,
  graphicsAutomationJobs: list,
  files: listOf({ name: text, files: list }),
  materials: listOf({ name: text, complete: flag, approved: flag, files: list }),
  reason: text,
  created: time,
  $links: links,
  $statuses: texts,
  audioFile: z.optional(z.nullable(z.string())),
});

export const project = lazily(() =>
  z.looseObject({
    _id: id,
    name: text,
    slug: text,
    studio: id,
    logo: id,
    $links: links,
  }),
);

export const workRequest = lazily(() =>
  z.looseObject({
    ...common(),
    project: z.optional(project()),
    asset: z.optional(embeddedAsset()),
    from: z.optional(userSummary()),
    recipients: z.optional(recipients()),
    translation: z.optional(embeddedTranslation()),
    graphicsTranslation: z.optional(embeddedTranslation()),
  }),
);
export type WorkRequest = z.infer<ReturnType<typeof workRequest>>;

const reference = <Embedded extends z.ZodMiniType>(embedded: Embedded) =>
  z.optional(z.union([z.string(), embedded]));

/**
 * A work request as it is sent. The service shows its references as embedded records and, inside
 * an event, as plain ids: both pass.
 */
export const workRequestDraft = lazily(() =>
  z.looseObject({
    ...common(),
    project: reference(project()),
    asset: reference(embeddedAsset()),
    from: reference(userSummary()),
    recipients: z.optional(recipients()),
    translation: reference(embeddedTranslation()),
    graphicsTranslation: reference(embeddedTranslation()),
  }),
);

/** A work request as an event carries it: references are ids, recipients an array. */
export const eventWorkRequest = lazily(() =>
  z.looseObject({
    ...common(),
    project: id,
    asset: id,
    from: id,
    recipients: list,
    translation: id,
    graphicsTranslation: id,
  }),
);
