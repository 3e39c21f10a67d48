import { fields, id, links, object, record, string, time } from './schemaFields.ts';

export const preview = record(() => ({
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

export const offline = record(() => ({
  ...fields(id, '_id, workRequest, from, project, asset'),
  path: string,
  created: time,
  $links: links,
}));
