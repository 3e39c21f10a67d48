import { existsSync, statSync } from 'node:fs';
import { endpoints } from '../../api/endpoints.ts';
import {
  forPerson,
  MarError,
  onCommandLine,
  orUndefined,
  usageError,
  withFacts,
} from '../../errors.ts';
import type { Input } from '../../input.ts';
import { textAt, valueAt } from '../../json/fields.ts';
import { copyOf, isObject, isSame, type Json, type JsonObject, toPlain } from '../../json/value.ts';
import { idReader, isPath } from '../../reads/ids.ts';
import { readRecord } from '../../records/document.ts';
import { pastDate } from '../../records/lateness.ts';
import { merge } from '../../records/merge.ts';
import { idOf, referenceTo } from '../../records/references.ts';
import { isEmpty, withoutServiceFields } from '../../records/serviceFields.ts';
import type { RowTemplate } from '../../rows/row.ts';
import { keyOfRecord } from '../../rows/rowKey.ts';
import type { Context } from '../../session/context.ts';
import { knownHosts } from '../../session/remember.ts';
import type { Session } from '../../session/session.ts';
import { plural } from '../../values/numbers.ts';
import type { World } from '../../world.ts';
import { readVersion } from '../../writes/apply.ts';
import { edit } from '../../writes/body.ts';
import { fieldLines } from '../../writes/diff.ts';
import { sendsAgain } from '../../writes/placedBefore.ts';

type RequestCopy = Awaited<ReturnType<typeof copyRequest>>;

/** A new work request with the wishes of another one, and none of its progress. */
export async function copyRequest(context: Context, input: Input, like: string) {
  const { name, original, otherHost } = await withFacts({ flag: '--like', value: like }, () =>
    readOriginal(context, like),
  );
  const { session, reporter, world } = context;
  const referring = new Map([...original].map(([key, value]) => [key, initialValue(key, value)]));
  const { record, dropped } = withoutServiceFields(
    referring,
    session.service().parts('order', 'made'),
    hostsOf(session),
  );
  // Nobody can deliver in the past. A past due date needs a decision instead.
  if (pastDate(record.get('deliveryDeadline'), session.clock)) {
    record.delete('deliveryDeadline');
    dropped.push('deliveryDeadline');
  }
  let change = `--like ${name}`;
  if (isFile(like, world)) {
    // Somebody may edit the file before a batch is resumed.
    change += ` (${keyOfRecord(original)})`;
    await edit(context, { endpoint: 'workRequestCreate', input }, record, [], {});
  }
  const foreign = idFields.filter((field) => !isEmpty(record.get(field)));
  if (otherHost !== undefined && foreign.length > 0) {
    const message = `${name} is from ${otherHost}; check that these ids mean the same here: ${list(foreign)}`;
    const fields = foreign.map((path) => fieldFacts([path, record.get(path) ?? null]));
    reporter.warn('other-service', message, fields);
  }
  // A copy of a work request of another service is the first one here.
  const id = otherHost === undefined ? textAt(original, '_id') : '';
  return { name, change, record, dropped, id, early: false };
}

/** Reads the record of `--like`: an id, an address, or a file; `-` is standard input. */
async function readOriginal(context: Context, like: string) {
  const { session, world } = context;
  if (isFile(like, world)) {
    const original = await readRecord(like, world.streams.stdin);
    const name = like === '-' ? 'standard input' : like;
    return { name, original, otherHost: otherHostOf(original, session) };
  }
  if (world.agent === undefined && statSync(like, { throwIfNoEntry: false })?.isFile()) {
    throw usageError(`${like} is a file, but looks like an id`, `Use ./${like} to read it.`);
  }
  const id = idReader(context, { isWrite: true })(like, 'WorkRequest');
  const { record: original } = await readVersion(context, endpoints.workRequestGet, id);
  return { name: id, original };
}

/** The host of a fetched record that is not one of this service. */
function otherHostOf(original: JsonObject, session: Session): string | undefined {
  const address = textAt(original, '$links.self').replace(/^\/\//, 'https://');
  const host = URL.canParse(address) ? new URL(address).host : undefined;
  return host === undefined || hostsOf(session)?.has(host) !== false ? undefined : host;
}

/** Undefined without an account, which `--check` does not need. */
const hostsOf = (session: Session) => orUndefined(() => knownHosts(session));

/** An id has no slash, does not end like a file, and is not an existing file such as `a.b`. An agent names no file. */
const isFile = (like: string, { agent }: World) =>
  agent === undefined &&
  (like === '-' || (isPath(like) && (/[/\\]|\.(?:json|ya?ml)$/i.test(like) || existsSync(like))));

/** Fields with ids that another service gives to other records. */
const idFields = ['asset', 'project', 'studio', 'recipients'];

/** Embedded records of which a new work request needs only the id. */
const references = ['project', 'asset'];

function initialValue(name: string, value: Json): Json {
  const id = references.includes(name) ? idOf(value) : undefined;
  if (id !== undefined) return referenceTo(id);
  if (name !== 'materials' || !Array.isArray(value)) return value;
  return value.map((material) => (isObject(material) ? missingMaterial(material) : material));
}

function missingMaterial(material: JsonObject): JsonObject {
  const copy = new Map(material);
  for (const name of ['complete', 'approved']) if (copy.has(name)) copy.set(name, false);
  return copy.has('files') ? copy.set('files', []) : copy;
}

const jsonAt = (record: JsonObject, path: string) => valueAt(record, path) as Json | undefined;

/** Fields that often depend on the language. */
const localFields = [
  'territory',
  'due.tz',
  'deliveryDeadline.tz',
  'tags',
  'recipients',
  'instructions',
];

/** The fields that a copy in another language still has from the old language, with their values. */
function oldLanguageFields(before: JsonObject, after: JsonObject): [string, Json][] {
  if (isSame(before.get('language'), after.get('language'))) return [];
  return localFields.flatMap((path): [string, Json][] => {
    const kept = keptPart(jsonAt(before, path), jsonAt(after, path));
    return kept === undefined || isEmpty(kept) ? [] : [[path, kept]];
  });
}

/** The value if it is unchanged. Of a list, such as the tags, and of the lists of recipients, what is still there. */
function keptPart(before: Json | undefined, after: Json | undefined): Json | undefined {
  if (isObject(before) && isObject(after)) {
    const parts = [...before].map(
      ([key, value]) => [key, keptPart(value, after.get(key))] as const,
    );
    return new Map(parts.flatMap(([key, kept]) => (isEmpty(kept) ? [] : [[key, kept as Json]])));
  }
  if (!Array.isArray(before) || !Array.isArray(after)) {
    return isSame(before, after) ? before : undefined;
  }
  return before.filter((one) => after.some((other) => isSame(one, other)));
}

/** The template of a batch: its fields are under those of each row, with the checks of a single copy. */
export function copyTemplate(context: Context, input: Input, copy: RequestCopy): RowTemplate {
  const { name, change, record: copied, dropped } = copy;
  const fields = list([...copied.keys()]);
  context.reporter.reportOnce(
    `Copied from ${name}, unless a row has its own: ${fields}. Rows get no deliveryDeadline before their due date, and nothing about another asset.`,
  );
  reportDropped(context, copy, dropped);
  const old = new Map<string, Json>();
  let rows = 0;
  return {
    change,
    apply(record) {
      const under = copyOf(copied) as JsonObject;
      const { record: whole } = merge(new Map(), new Map(record), under, { mineWins: true });
      record.clear();
      for (const [field, value] of whole) record.set(field, value);
    },
    finish: (record) => finishCopy(context, copy, record),
    check(made) {
      const found = oldLanguageFields(copied, made);
      if (found.length > 0) rows += 1;
      for (const [path] of found) old.set(path, jsonAt(copied, path) ?? null);
      return isRepeated(copy, input, made) ? [{ message: exactCopyMessage(copy) }] : [];
    },
    get warning() {
      const which = `${plural(rows, 'row')} still ${rows === 1 ? 'has' : 'have'}`;
      const subject = `the language changes, but ${which} these fields`;
      return rows === 0 ? undefined : oldLanguageWarning(context, copy, [...old], subject);
    },
  };
}

/** What the service knows of the asset itself. */
const assetFields = ['studio', 'project', 'assetType', 'assetCategory', 'aspectRatio'];

/** Removes what was copied and is no wish for this order: facts of another asset, a deadline that comes too early. */
export function finishCopy({ session }: Context, copy: RequestCopy, record: JsonObject): void {
  const isCopied = (field: string) => isSame(record.get(field), copy.record.get(field));
  const [asset, copied] = [record, copy.record].map((one) => idOf(one.get('asset')));
  if (copied !== undefined && asset !== copied) {
    for (const field of assetFields) if (isCopied(field)) record.delete(field);
  }
  const [due, delivery] = ['due.date', 'deliveryDeadline.date'].map((path) =>
    session.clock.date(jsonAt(record, path)),
  );
  if (due && delivery && delivery < due && isCopied('deliveryDeadline')) {
    record.delete('deliveryDeadline');
    copy.early = true;
  }
  removeUnusedDetails(record);
}

/** A copied request or a file may have details of uses that were left out. */
export function removeUnusedDetails(record: JsonObject): void {
  const uses = record.get('uses');
  const details = isObject(uses) ? uses.get('details') : undefined;
  const items = isObject(uses) ? uses.get('items') : undefined;
  if (!isObject(uses) || !isObject(details) || !Array.isArray(items)) return;
  const used = [...details].filter(([item]) => items.includes(item));
  record.set('uses', new Map(uses).set('details', new Map(used)));
}

/** Prints what was copied, and refuses or warns of what was probably meant to change. */
export async function checkCopy(
  context: Context,
  input: Input,
  copy: RequestCopy,
  made: JsonObject,
): Promise<void> {
  const { name, record: copied, dropped } = copy;
  const changed = [...made.keys()].filter((field) => !isSame(made.get(field), copied.get(field)));
  const kept = [...copied.keys()].filter((field) => !changed.includes(field) && made.has(field));
  context.reporter.reportOnce(`Copied from ${name}: ${list(kept)}`);
  const set = changed.flatMap((field) => {
    const [before, after] = [copied, made].map((record) => record.get(field));
    if (!isObject(before) || !isObject(after)) return field;
    const names = [...after.keys()].filter((name) => !isSame(before.get(name), after.get(name)));
    return names.map((name) => `${field}.${name}`);
  });
  if (set.length > 0) context.reporter.reportOnce(`Set by you: ${list(set)}`);
  const removed = [...copied.keys()].filter((field) => !made.has(field));
  reportDropped(context, copy, [...dropped, ...removed]);
  const old = oldLanguageFields(copied, made);
  if (old.length > 0) {
    const subject = 'the language changes, but these fields are still those';
    const { message, fields } = oldLanguageWarning(context, copy, old, subject);
    const advice = 'For other values, use --territory, --set FIELD=VALUE or --unset FIELD.';
    context.reporter.warn('other-language', [message, onCommandLine(advice)], fields);
  }
  if (isRepeated(copy, input, made)) {
    const hint = forPerson(
      'Nothing was sent. Change a field, for example with --language, or use --again.',
    );
    const earlier = [{ id: copy.id, outcome: 'seen' }];
    const facts = { hint, flag: '--like', value: name, id: copy.id, earlier };
    throw new MarError('placed-before', exactCopyMessage(copy), facts);
  }
}

/** A program that copies an order needs to know what is not in it. */
function reportDropped({ reporter }: Context, copy: RequestCopy, dropped: readonly string[]) {
  if (!reporter.isForPrograms) {
    const past = 'deliveryDeadline';
    const reason = copy.early ? 'is before the due date' : 'has passed';
    if (copy.early || copy.dropped.includes(past))
      reporter.reportOnce(`Not copied: ${past}, because it ${reason}`);
  } else if (dropped.length > 0) {
    const fields = dropped.map((path) => ({ path }));
    reporter.warn('not-copied', `not copied from ${copy.name}: ${list(dropped)}`, fields);
  }
}

const fieldFacts = ([path, value]: readonly [string, Json]) => ({ path, value: toPlain(value) });

/** Has the whole values, because a sentence in the old language is what somebody has to translate. */
function oldLanguageWarning(
  { world }: Context,
  { name, record }: RequestCopy,
  old: readonly [string, Json][],
  subject: string,
) {
  const language = JSON.stringify(record.get('language') ?? null).replaceAll('"', '');
  const lines = fieldLines(old, (text) => world.redactor.clean(text), Number.POSITIVE_INFINITY);
  const message = [`${subject} of ${name} (${language}):`, ...lines].join('\n');
  return { message, fields: old.map(fieldFacts) };
}

const isRepeated = ({ id, record }: RequestCopy, input: Input, made: JsonObject) =>
  id !== '' && !sendsAgain(input) && isSame(made, record);

const exactCopyMessage = ({ name }: RequestCopy) =>
  `this would be an exact copy of work request ${name}`;

const list = (names: readonly string[]) => (names.length === 0 ? 'nothing' : names.join(', '));
