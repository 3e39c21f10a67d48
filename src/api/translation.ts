import * as z from 'zod/mini';
import { fields, flag, id, integer, links, list, record, string, time } from './schemaFields.ts';
import { userSummary } from './user.ts';

const common = {
  ...fields(id, '_id, asset, workRequest'),
  ...fields(string, 'language, status'),
  created: time,
  $links: links,
};

export const translation = record(() => common);

export const line = record(() => ({
  number: integer,
  text: string,
  ...fields(flag, 'auto, custom, machine'),
  ...fields(string, 'startTime, stopTime, alignment, textAlign, split, merged'),
  range: z.optional(z.array(z.number())),
}));

export const embeddedTranslation = record(() => ({
  ...common,
  translator: z.optional(userSummary()),
  lines: z.optional(z.array(line())),
  printLines: list,
  approval: flag,
}));
