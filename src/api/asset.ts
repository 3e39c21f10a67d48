import * as z from 'zod/mini';
import { embeddedPreview } from './preview.ts';
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
  time,
} from './schemaFields.ts';

const places = () => object(fields(list, 'languages, countries'));

export const permissions = record(() => ({
  canAutosub: flag,
  sources: object({ requests: places(), autosubs: places() }),
  access: strings,
  tags: object(fields(flag, 'online, broadcast, dcp, cmyk, rgb')),
  ingest: strings,
}));

/** Without usage and thumbnail, which differ inside a work request. */
const common = () => ({
  ...fields(id, '_id, studio, project'),
  ...fields(string, 'name, importName, slug, type, mediaType'),
  ...fields(flag, 'verified, creative'),
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
  ...common(),
  usage: object({
    ...fields(flag, 'broadcast, online, dcp, dcp3d, film35, film70, imax, imax3d'),
    ...fields(flag, 'atmos2d, atmos3d, dolbyVision2d, dolbyVision3d'),
  }),
  thumbnail: object({
    _id: id,
    verified: flag,
    embargo: object({ event: flag }),
    warnings: list,
    ...fields(string, 'mime, bucket'),
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
