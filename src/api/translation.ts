import * as z from 'zod/mini';
import { flag, id, integer, lazily, links, list, text, time } from './schemaFields.ts';
import { userSummary } from './user.ts';

const common = {
  _id: id,
  asset: id,
  workRequest: id,
  language: text,
  status: text,
  created: time,
  $links: links,
};

export const translation = lazily(() => z.looseObject(common));

export const line = lazily(() =>
  z.looseObject({
    number: integer,
    /** An HTML fragment. */
    text,
    auto: flag,
    custom: flag,
    machine: flag,
    /** `HH:MM:SS,mmm`. */
    startTime: text,
    stopTime: text,
    alignment: text,
    textAlign: text,
    split: text,
    merged: text,
    range: z.optional(z.array(z.number())),
  }),
);

/** A translation as a work request carries it, with its lines. */
export const embeddedTranslation = lazily(() =>
  z.looseObject({
    ...common,
    translator: z.optional(userSummary()),
    lines: z.optional(z.array(line())),
    printLines: list,
    approval: flag,
  }),
);
