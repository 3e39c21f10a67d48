import { Readable } from 'node:stream';
import { type Endpoint, resourceNoun } from '../../core/api/endpoints.ts';
import { usageError } from '../../core/errors.ts';
import { items, textAt, valueAt } from '../../core/json/fields.ts';
import {
  fromPlain,
  isObject,
  type Json,
  type JsonObject,
  printJson,
} from '../../core/json/value.ts';
import { idOf } from '../../core/records/references.ts';
import type { Context } from '../../core/session/context.ts';
import { mapConcurrently } from '../../core/values/concurrency.ts';
import { plural } from '../../core/values/numbers.ts';
import { sanitise, sanitiseLines } from '../../core/values/sanitise.ts';
import { formatDate } from '../../core/values/time.ts';
import { findAsset } from '../../core/writes/translate.ts';
import { shorten } from './shorten.ts';

interface Target {
  endpoint?: Endpoint;
  /** The file that is written, and what it is made from, for a write that sends nothing. */
  file?: string;
  unit?: string;
  /** How many rows the agent wants to see. */
  rows: number;
  /** Warnings of the preview, for the person too. */
  warnings: readonly string[];
  /** The person can be asked, who knows assets by their names. */
  isAsked: boolean;
}

/** A longer question would be cut by clients, and what is not shown is not sent. */
const maxQuestionLength = 30_000;
/** Characters of a new record for the agent, which has named its fields. */
const maxShown = 1000;
/** The names of more assets would take too long to read. */
const maxNames = 100;
/** Unchanged characters before and after what differs. */
const lead = 30;

/** From the results of a dry run: what the agent gets, and the question for the person. */
export async function previewOf(context: Context, data: Json, target: Target) {
  const results = [data].flat().filter(isObject);
  const isNew = results.some((one) => one.has('request') && !one.has('changes'));
  const describe = target.file ? writtenFile : isNew ? newRecords : changes;
  const { what, shown, lines } = await describe(context, results, target);
  const { baseUrl, email } = context.session.identity();
  const place = target.file ? '' : `, at ${baseUrl.host} as ${email}`;
  // A line of a warning starts like no other line of the question.
  const warnings = target.warnings.map((text) => `Warning: ${sanitiseLines(text).join('\n  ')}`);
  const question = [`${what}${place}?`, ...warnings, ...lines].join('\n');
  if (target.isAsked && question.length > maxQuestionLength) {
    const message = `this is too much for one question to the person: ${question.length} characters`;
    throw usageError(message, 'Nothing was sent. Call the tool with fewer rows.');
  }
  return { shown, question };
}

type Describe = (
  context: Context,
  results: readonly JsonObject[],
  target: Target,
) => Promise<{ what: string; shown: JsonObject; lines: string[] }>;

const newRecords: Describe = async (context, results, target) => {
  const { endpoint, rows } = target;
  const { clock } = context.session;
  const bodies = results.map((one) => briefly(valueAt(one, 'request.body') as JsonObject));
  const noun = resourceNoun(endpoint?.resource ?? 'Event');
  const [body = null] = bodies;
  const dueOf = (one: Json | undefined) => {
    const date = clock.date(valueAt(one, 'date'));
    return date && formatDate(date, valueAt(one, 'tz'));
  };
  const instant = (one: JsonObject) => Number(clock.date(valueAt(one, 'due.date')));
  const sorted = bodies.filter(instant).sort((one, other) => instant(one) - instant(other));
  const ends = [sorted.at(0), sorted.at(-1)].map((one) => dueOf(one?.get('due')));
  const due = [...new Set(ends)].filter(Boolean).join(' to ');
  const assets = bodies.map((one) => idOf(one.get('asset')));
  const named = await assetNames(context, assets, target);
  const counts = {
    language: countsOf(bodies.map((one) => valueAt(one, 'language'))),
    asset: countsOf(assets),
    user: countsOf(bodies.flatMap((one) => items(one, 'notify.users'))),
    group: countsOf(bodies.flatMap((one) => items(one, 'notify.groups'))),
  };
  const names = Object.entries(counts).flatMap(([name, count]) => namesIn(name, count, named));
  const parts = [...names, ...(due ? [`due ${due}`] : [])].join(', ');
  const what = `Create ${plural(bodies.length, noun)}: ${parts}`;
  const textOf = (name: string, value: Json) => {
    const date = /^(?:due|deliveryDeadline)$/.test(name) ? dueOf(value) : undefined;
    return date ?? (name === 'asset' ? named(String(idOf(value))) : printJson(value));
  };
  const fields = bodies.map((one) =>
    [...one].map(([name, value]) => sanitise(`${name}: ${textOf(name, value)}`)).sort(byLength),
  );
  const [first = [], ...others] = fields;
  if (others.length === 0) {
    return { what, shown: new Map([['new', shorten(body, maxShown)]]), lines: first };
  }
  const shared = first.filter((line) => others.every((other) => other.includes(line)));
  const own = fields.map(
    (one, at) => `${at + 1}. ${one.filter((line) => !shared.includes(line)).join(', ')}`,
  );
  const lines = [...shared.map((line) => `In each: ${line}`), ...own];
  const { language, asset } = counts;
  const summary = { rows: bodies.length, language, asset, due: due || undefined };
  const examples = shorten(bodies.slice(0, rows), maxShown * rows);
  return { what, shown: (fromPlain(summary) as JsonObject).set('first', examples), lines };
};

/** An event embeds its work request, which is as the service has it. */
function briefly(body: JsonObject): JsonObject {
  const id = idOf(body.get('workRequest'));
  return id === undefined ? body : new Map(body).set('workRequest', id);
}

const writtenFile: Describe = async (_context, results, { file, unit = '', rows }) => {
  const summary = fromPlain({ [unit]: results.length }) as JsonObject;
  const changed = results.filter((one) => one.has('after'));
  return {
    what: `Write ${file} (${unit}: ${results.length})`,
    shown: summary.set('first', results.slice(0, rows)),
    lines: changed.map((one) => {
      const cue = printJson(one.get('cue') ?? null);
      return `${textAt(one, 'source')}, cue ${cue}: ${differenceIn(one)}`;
    }),
  };
};

const changes: Describe = async (context, results, target) => {
  const { endpoint, rows } = target;
  const isSingle = results.some((one) => one.has('changes'));
  const fields = results.flatMap((one) => (one.get('changes') as JsonObject[] | undefined) ?? one);
  const idIn = (one: JsonObject) => one.get('_id') ?? valueAt(one, 'request.body._id');
  const pathIn = (one: JsonObject) => one.get('field') ?? one.get('path');
  const records = Object.keys(countsOf(results.map(idIn)));
  const paths = countsOf(fields.map(pathIn));
  const noun = resourceNoun(endpoint?.resource ?? 'Asset');
  const named = await assetNames(context, noun === 'asset' ? records : [], target);
  const what = `Change ${plural(records.length, noun)} (${listed(records.map(named))}): ${listed(Object.keys(paths))}`;
  const lines = fields.map((one) => {
    const name = [isSingle ? [] : one.get('_id'), pathIn(one)].flat().join(' ');
    return `${sanitise(name)}: ${differenceIn(one)}`;
  });
  if (isSingle) return { what, shown: new Map([['changes', fields]]), lines: lines.sort(byLength) };
  const summary = fromPlain({ records: records.length, fields: paths }) as JsonObject;
  const first = fields.filter((one) => records.indexOf(String(idIn(one))) < rows);
  return { what, shown: summary.set('first', first), lines };
};

const byLength = (one: string, other: string) => one.length - other.length;

/** `before → after`: two long values without most of what they have in common at their starts and ends. */
function differenceIn(change: JsonObject): string {
  const values = ['before', 'after'].map((key) => printJson(change.get(key) ?? null));
  const [one = '', other = ''] = values;
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [before, after] = [Math.max(start - lead, 0), Math.max(end - lead, 0)];
  const parts = values.map((text) => {
    const middle = text.slice(before, text.length - after);
    return `${before > 0 ? '…' : ''}${middle}${after > 0 ? '…' : ''}`;
  });
  return sanitise(parts.join(' → '));
}

/** Returns what names an asset for a person: `a-1002 "Trailer B"`. */
async function assetNames(context: Context, ids: readonly unknown[], { isAsked }: Target) {
  const wanted = isAsked ? Object.keys(countsOf(ids)).slice(0, maxNames) : [];
  const names = new Map<string, string>();
  const read = async (id: string) => {
    const asset = await findAsset(context, id);
    names.set(id, asset ? JSON.stringify(textAt(asset, 'name')) : 'does not exist');
  };
  // Whoever writes an asset may not always read it.
  for await (const _ of mapConcurrently(Readable.from(wanted), 4, read));
  return (id: string) => {
    const name = names.get(id);
    return name ? `${id} ${name}` : id;
  };
}

function countsOf(values: readonly unknown[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const value of values.filter((one) => typeof one === 'string')) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

/** `5 languages (deu, fra, ita, …)` */
const namesIn = (noun: string, counts: Record<string, number>, named: (id: string) => string) => {
  const names = Object.keys(counts).map(noun === 'asset' ? named : (name) => name);
  if (names.length === 0) return [];
  const list = listed(names);
  return names.length === 1 ? `${noun} ${list}` : `${plural(names.length, noun)} (${list})`;
};

const listed = (names: readonly string[]) =>
  sanitise(`${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`);
