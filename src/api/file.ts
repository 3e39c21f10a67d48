import { flag, id, links, list, object, record, string, strings, time } from './schemaFields.ts';

export const file = record(() => ({
  _id: id,
  studio: id,
  project: id,
  asset: id,
  name: string,
  language: string,
  country: string,
  tags: strings,
  path: string,
  verified: flag,
  embargo: object({ event: flag, end: time }),
  warnings: list,
  aspera: object({ username: string }),
  created: time,
  $flags: list,
  $links: links,
  $aspera: object({ downloaded: flag }),
}));

export const download = record(() => ({
  _id: id,
  asset: object({ _id: id, name: string, type: string }),
  project: object({ _id: id, name: string }),
  file: object({ _id: id, asset: id, name: string, project: id, studio: id }),
  created: time,
}));
