import * as z from 'zod/mini';
import { embeddedAsset } from './asset.ts';
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
import { embeddedTranslation } from './translation.ts';
import { historyUser, userSummary } from './user.ts';

export const deadline = record(() => ({ date: time, tz: string }));

export const pages = record(() => fields(string, 'view, manage, invite, translate'));

export const recipients = record(() => ({
  ...fields(list, 'Broadcast, Dcp, Streamingfile, Online, Theatrical, Cmyk, Rgb'),
  ...fields(list, '2D Scope, 2D Flat, 2D Combo, 3D Flat, 3D Scope, 3D Combo'),
}));

const common = () => ({
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

export const project = record(() => ({
  _id: id,
  ...fields(string, 'name, slug'),
  ...fields(id, 'studio, logo'),
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
  ...fields(id, 'project, asset, from'),
  recipients: list,
  ...fields(id, 'translation, graphicsTranslation'),
}));
