import * as z from 'zod/mini';
import { flag, id, integer, lazily, links, list, string, time } from './schemaFields.ts';
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

export const translation = lazily(() => z.looseObject(common));

export const line = lazily(() =>
  z.looseObject({
    number: integer,
    /** An HTML fragment. */
    text: string,
    auto: flag,
    custom: flag,
    machine: flag,
    /** `HH:MM:SS,mmm`. */
    startTime: string,
    stopTime: string,
    alignment: string,
    textAlign: string,
    split: string,
    merged: string,
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
