import * as z from 'zod/mini';
import { embeddedPreview } from './preview.ts';
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
  time,
} from './schemaFields.ts';

const places = () => object({ languages: list, countries: list });

export const permissions = record(() => ({
  canAutosub: flag,
  sources: object({ requests: places(), autosubs: places() }),
  access: strings,
  tags: object({ online: flag, broadcast: flag, dcp: flag, cmyk: flag, rgb: flag }),
  ingest: strings,
}));

/** Without usage and thumbnail, which differ inside a work request. */
const common = () => ({
  _id: id,
  studio: id,
  project: id,
  name: string,
  importName: string,
  slug: string,
  type: string,
  mediaType: string,
  verified: flag,
  creative: flag,
  previews: z.optional(z.array(embeddedPreview())),
  created: time,
  $links: links,
  $flags: list,
  $permissions: z.optional(permissions()),
  $embargo: flag,
  $feedback: object({ share: string, vote: string, summary: list }),
});

export const asset = record(() => ({
  ...common(),
  usage: object({
    broadcast: flag,
    online: flag,
    dcp: flag,
    film35: flag,
    film70: flag,
    dcp4k: flag,
    imax: flag,
    atmos: flag,
  }),
  thumbnail: id,
}));
export type Asset = z.infer<ReturnType<typeof asset>>;

const phase = () =>
  z.looseObject({ groups: listOf({ id, dng: list, usages: list }), users: list, terminal: flag });

export const workflow = record(() => ({
  id,
  phase: string,
  definition: object({
    phases: z.optional(z.record(z.string(), phase())),
    requireGraphicsApproval: flag,
    requireOfflineApproval: flag,
  }),
}));

export const embeddedAsset = record(() => ({
  ...common(),
  usage: object({
    broadcast: flag,
    online: flag,
    dcp: flag,
    dcp3d: flag,
    film35: flag,
    film70: flag,
    imax: flag,
    imax3d: flag,
    atmos2d: flag,
    atmos3d: flag,
    dolbyVision2d: flag,
    dolbyVision3d: flag,
  }),
  thumbnail: object({
    _id: id,
    verified: flag,
    embargo: object({ event: flag }),
    warnings: list,
    mime: string,
    bucket: string,
    tags: list,
    chunkSize: integer,
    length: integer,
    md5: string,
    uploadDate: time,
    $links: links,
  }),
  transcription: object({ graphics: id }),
  aspectRatio: string,
  workflow: z.optional(workflow()),
}));
