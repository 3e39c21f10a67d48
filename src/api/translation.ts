import * as z from 'zod/mini';
import { flag, id, integer, links, list, record, string, time } from './schemaFields.ts';
import { userSummary } from './user.ts';

const common = {
  _id: id,
  asset: id,
  workRequest: id,
  language: string,
  status: string,
  created: time,
  $links: links,
};

export const translation = record(() => common);

export const line = record(() => ({
  number: integer,
  text: string,
  auto: flag,
  custom: flag,
  machine: flag,
  startTime: string,
  stopTime: string,
  alignment: string,
  textAlign: string,
  split: string,
  merged: string,
  range: z.optional(z.array(z.number())),
}));

export const embeddedTranslation = record(() => ({
  ...common,
  translator: z.optional(userSummary()),
  lines: z.optional(z.array(line())),
  printLines: list,
  approval: flag,
}));
