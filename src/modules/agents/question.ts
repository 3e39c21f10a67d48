import { type Endpoint, resourceNoun } from '../../core/api/endpoints.ts';
import { usageError } from '../../core/errors.ts';
import { items, valueAt } from '../../core/json/fields.ts';
import {
  fromPlain,
  isObject,
  type Json,
  type JsonObject,
  printJson,
} from '../../core/json/value.ts';
import { idOf } from '../../core/records/references.ts';
import type { Session } from '../../core/session/session.ts';
import { plural } from '../../core/values/numbers.ts';
import { sanitise } from '../../core/values/sanitise.ts';
import { shorten } from './shorten.ts';

interface Target {
  endpoint?: Endpoint;
  /** The file that is written, for a write that sends nothing. */
  file?: string;
  /** How many rows the agent wants to see. */
  rows: number;
  session: Session;
}

const maxQuestionLength = 2000;
const maxValueLength = 400;
/** Characters of a new record for the agent, which has named its fields. */
const maxShown = 1000;

/** From the results of a dry run: what the agent gets, and the question for the person. */
export function previewOf(data: Json, target: Target) {
  const results = [data].flat().filter(isObject);
  const isNew = results.some((one) => one.has('request') && !one.has('changes'));
  const { what, shown, lines } = isNew ? newRecords(results, target) : changes(results, target);
  const { baseUrl, email } = target.session.identity();
  const text = [`${what}, at ${baseUrl.host} as ${email}?`, ...lines].join('\n');
  return { shown, question: cut(text, maxQuestionLength, '\n') };
}

/** In short for the agent (`shown`), and in `lines` for the person. */
function newRecords(results: readonly JsonObject[], target: Target) {
  const { endpoint, rows, session } = target;
  const bodies = results.map((one) => valueAt(one, 'request.body') as JsonObject);
  const noun = resourceNoun(endpoint?.resource ?? 'Event');
  const [body = null] = bodies;
  const withId = bodies.findIndex((one) => endpoint?.method === 'POST' && one.has('_id'));
  if (withId >= 0) {
    const hint =
      'Nothing was sent. Leave _id out, or choose the tool or kind that changes records.';
    const message = `row ${withId + 1} has an _id, but a new ${noun} gets its id from the service`;
    throw usageError(message, hint, { field: '_id' });
  }
  const days = bodies.flatMap((one) => session.clock.date(valueAt(one, 'due.date')) ?? []);
  const sorted = days.map((day) => day.toISOString().slice(0, 10)).sort();
  const due = [...new Set([sorted.at(0), sorted.at(-1)])].filter(Boolean).join(' to ');
  const counts = {
    language: countsOf(bodies.map((one) => valueAt(one, 'language'))),
    asset: countsOf(bodies.map((one) => idOf(one.get('asset')))),
    user: countsOf(bodies.flatMap((one) => items(one, 'notify.users'))),
    group: countsOf(bodies.flatMap((one) => items(one, 'notify.groups'))),
  };
  const names = Object.entries(counts).flatMap(([name, count]) => namesIn(name, count));
  const parts = [...names, ...(due ? [`due ${due}`] : [])].join(', ');
  const what = `Create ${plural(bodies.length, noun)}: ${parts}`;
  const fieldsOf = (one: JsonObject) =>
    [...one].map(([name, value]) => line(name, value)).sort(byLength);
  if (bodies.length === 1) {
    const shown = new Map([['new', shorten(body, maxShown)]]);
    return { what, shown, lines: bodies.flatMap(fieldsOf) };
  }
  const lines = bodies.map((one, at) => `${at + 1}. ${fieldsOf(one).join(', ')}`);
  const { language, asset } = counts;
  const summary = { rows: bodies.length, language, asset, due: due || undefined };
  const first = shorten(bodies.slice(0, rows), maxShown * rows);
  return { what, shown: (fromPlain(summary) as JsonObject).set('first', first), lines };
}

function changes(results: readonly JsonObject[], { endpoint, file, rows }: Target) {
  const isSingle = results.some((one) => one.has('changes'));
  const fields = results.flatMap((one) => (one.get('changes') as JsonObject[] | undefined) ?? one);
  const idIn = (one: JsonObject) => one.get('_id') ?? valueAt(one, 'request.body._id');
  const ids = countsOf(results.map(idIn));
  const paths = countsOf(fields.map((one) => one.get('field') ?? one.get('path')));
  const records = Object.keys(ids);
  const noun = resourceNoun(endpoint?.resource ?? 'Asset');
  const what = file
    ? `Write ${plural(fields.length, 'changed cue')} to ${file}`
    : `Change ${plural(records.length, noun)} (${listed(records)}): ${listed(Object.keys(paths))}`;
  const lines = fields.map((one) => {
    const [before, after] = [one.get('before') ?? null, one.get('after') ?? null];
    const name = [...(isSingle ? [] : [one.get('_id')]), one.get('field') ?? one.get('path')];
    return `${line(name.join(' '), before)} → ${textOf(after)}`;
  });
  if (isSingle) return { what, shown: new Map([['changes', fields]]), lines: lines.sort(byLength) };
  const first = fields.filter((one, at) =>
    file ? at < rows : records.indexOf(String(idIn(one))) < rows,
  );
  const summary = file ? { cues: fields.length } : { records: records.length, fields: paths };
  return { what, shown: (fromPlain(summary) as JsonObject).set('first', first), lines };
}

const byLength = (one: string, other: string) => one.length - other.length;
const line = (name: string, value: Json) => `${sanitise(name)}: ${textOf(value)}`;

const textOf = (value: Json) => cut(sanitise(printJson(value)), maxValueLength);

function cut(text: string, length: number, before = ''): string {
  const rest = text.length - length;
  return rest > 0 ? `${text.slice(0, length)}${before}… ${rest} more characters` : text;
}

function countsOf(values: readonly unknown[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const value of values.filter((one) => typeof one === 'string')) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

/** `5 languages (deu, fra, ita, …)` */
const namesIn = (noun: string, counts: Record<string, number>) => {
  const names = Object.keys(counts);
  if (names.length === 0) return [];
  return names.length === 1
    ? `${noun} ${names}`
    : `${plural(names.length, noun)} (${listed(names)})`;
};

const listed = (names: readonly string[]) =>
  sanitise(`${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`);
