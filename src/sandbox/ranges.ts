import type { Answer } from './answer.ts';
import { Refusal } from './refusal.ts';

/** Both ends belong to it, counted from 0. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

/** The part of a list that a range asked for, as texts, and the length of the whole list. */
export interface Page {
  readonly texts: readonly string[];
  readonly total: number;
}

/** What a list answers at most in one page. */
const maxPage = 1000;

const defaultRange: Range = { first: 0, last: 9 };

/** Reads an `X-Range` header. A page that is too large is cut, not refused. */
export function readRange(header: string | undefined): Range {
  if (header === undefined) return defaultRange;
  const [, from, to] = /^resources=(\d{1,15})-(\d{1,15})$/.exec(header) ?? [];
  if (from === undefined || to === undefined) {
    throw badRange('X-Range must have the shape resources=<first>-<last>, such as resources=0-9');
  }
  const first = Number(from);
  const last = Number(to);
  if (last < first) throw badRange(`X-Range ends before it begins: ${first}-${last}`);
  return { first, last: Math.min(last, first + maxPage - 1) };
}

export function pageAnswer({ texts, total }: Page, { first }: Range): Answer {
  const span = texts.length === 0 ? '*' : `${first}-${first + texts.length - 1}`;
  return {
    status: 200,
    headers: { 'Content-Range': `resources ${span}/${total}`, 'X-Total-Count': String(total) },
    // Stored texts are JSON already: joining them keeps every token and parses nothing.
    body: `[${texts.join(',')}]`,
  };
}

const badRange = (message: string) => new Refusal(400, 'bad-range', message, { field: 'X-Range' });
