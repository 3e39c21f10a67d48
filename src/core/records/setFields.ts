import type * as z from 'zod/mini';
import { describeKind, type SchemaMismatch, schemaMismatches } from '../api/schemaMismatch.ts';
import { fieldAt } from '../api/schemaWalk.ts';
import { isSecretPath } from '../api/secretFields.ts';
import {
  type FlagFacts,
  fieldError,
  type Hints,
  type MarError,
  onCommandLine,
  orUndefined,
  personHint,
  usageError,
  withFacts,
} from '../errors.ts';
import { redacted } from '../json/hideFields.ts';
import { parseJson } from '../json/parse.ts';
import {
  append,
  child,
  type EditStep,
  extendPath,
  type PathStep,
  parseEditPath,
} from '../json/path.ts';
import {
  copyOf,
  isObject,
  isSame,
  type Json,
  JsonNumber,
  type JsonObject,
  printJson,
} from '../json/value.ts';
import { commandLine, shellWord, words } from '../values/commandLine.ts';
import { pluralNoun } from '../values/numbers.ts';
import { type Clock, formatDate, type KnownUnit, unitOf, units } from '../values/time.ts';
import { dateForms, hasOffset, isDateText, readDateText, readZone } from './dateText.ts';
import { type IsTime, timesIn } from './times.ts';

export interface Edit {
  kind: 'set' | 'set-string' | 'unset';
  /** `path=value`; for `unset`, the path alone. */
  text: string;
  /** The content of the file in `path=@FILE`, read once for all records. */
  content?: Json;
  /** The flag or argument that the user gave, if it is not --set. */
  source?: 'this row' | FlagFacts;
}

/** The flag and the value of an edit, for an error about it. */
const factsOf = ({ kind, text, source = { flag: `--${kind}`, value: text } }: Edit): FlagFacts =>
  source === 'this row' ? {} : source;

/** `--set language=fra`, for messages. */
function nameOf(edit: Edit): string {
  const { flag, value } = factsOf(edit);
  return [flag, value].filter(Boolean).join(' ') || 'this row';
}

function editError(edit: Edit, problem: string, hint?: Hints): MarError {
  const { flag, value } = factsOf(edit);
  return usageError(`${nameOf(edit)}: ${problem}`, hint, { flag, value });
}

export function applyEdits(record: Json, edits: readonly Edit[]): void {
  for (const edit of edits) {
    if (edit.kind === 'unset') withFacts(factsOf(edit), () => unset(record, edit.text));
    else applySet(record, edit);
  }
}

/** The record of texts such as `due.date=1`, whose values are JSON. */
export function recordOf(texts: readonly string[]): JsonObject {
  const record: JsonObject = new Map();
  for (const text of texts) applySet(record, { kind: 'set', text });
  return record;
}

function applySet(record: Json, edit: Edit) {
  const { path, value } = readSet(edit);
  let json = edit.content;
  if (json === undefined) json = edit.kind === 'set' ? jsonOrString(value, edit) : value;
  // Without the value, which may be a secret.
  return withFacts({ flag: factsOf(edit).flag }, () => put(record, path, copyOf(json)));
}

/** The file name in `instructions=@notes.txt`. */
export function fileOf(edit: Edit): string | undefined {
  if (edit.kind !== 'set') return undefined;
  const { value } = readSet(edit);
  return value.startsWith('@') && value.length > 1 ? value.slice(1) : undefined;
}

export const pathOf = (edit: Edit) => (edit.kind === 'unset' ? edit.text : readSet(edit).path);

function readSet(edit: Edit): { path: string; value: string } {
  const { kind, text } = edit;
  // The first `=` that is not inside a quoted key.
  const quotedKey = /\["(?:[^"\\]|\\.)*"\]|\['[^']*'\]/g;
  const equals = text.replace(quotedKey, (key) => ' '.repeat(key.length)).indexOf('=');
  if (equals < 1) {
    throw usageError(`--${kind} ${text}: expected path=value`, factsOf(edit));
  }
  return { path: text.slice(0, equals), value: text.slice(equals + 1) };
}

function unset(record: Json, path: string): void {
  const steps = parseEditPath(path);
  if (steps.includes(append)) {
    throw usageError(`--unset ${path}: [+] appends an element, so there is nothing to remove`);
  }
  const taken: PathStep[] = [];
  let at: Json | undefined = record;
  for (const step of steps as PathStep[]) {
    checkKind(at, step, path, taken);
    taken.push(step);
    if (taken.length < steps.length) at = child(at, step);
    else if (isObject(at)) at.delete(String(step));
    else if (Array.isArray(at)) at.splice(step as number, 1);
    if (at === undefined || at === null) return;
  }
}

/** Sets the value at a path, creating missing containers on the way. In `steps`, `[+]` is an index. */
function put(record: Json, path: string, value: Json) {
  const steps = parseEditPath(path);
  const taken: PathStep[] = [];
  let at: Json = record;
  let before: Json | undefined;
  for (const [index, step] of steps.entries()) {
    checkKind(at, step, path, taken);
    if (Array.isArray(at) && typeof step === 'number' && step > at.length) {
      const has = `${at.length} ${pluralNoun(at.length, 'element')}`;
      throw usageError(`${path}: ${placeOf(taken)} has ${has}; use [+] to append one`);
    }
    const place = step === append ? (at as Json[]).length : step;
    taken.push(place);
    before = child(at, place);
    let next = index === steps.length - 1 ? value : before;
    if (next === undefined) next = typeof steps[index + 1] === 'string' ? new Map() : [];
    assign(at, place, next);
    at = next;
  }
  return { steps: taken, before, after: value };
}

const placeOf = (steps: readonly PathStep[]) => pathString(steps) || 'the record';

function checkKind(at: Json, step: EditStep, path: string, before: readonly PathStep[]): void {
  if (typeof step === 'string' ? isObject(at) : Array.isArray(at)) return;
  const part = typeof step === 'string' ? `field "${step}"` : `element ${extendPath('', step)}`;
  throw usageError(`${path}: ${placeOf(before)} is ${describeKind(at)} and has no ${part}`);
}

function assign(at: Json | undefined, step: PathStep, value: Json): void {
  if (isObject(at)) at.set(String(step), value);
  else if (Array.isArray(at)) at[step as number] = value;
}

function jsonOrString(text: string, edit: Edit): Json {
  try {
    return parseJson(text);
  } catch (error) {
    // JSON with a duplicate key is an error, not a string.
    const isJson = orUndefined(() => parseJson(text, { lastKeyCounts: true })) !== undefined;
    if (isJson) throw editError(edit, (error as Error).message);
    return text;
  }
}

export interface EditRules extends Clock {
  schema: z.ZodMiniType;
  isTime: IsTime;
  /** Used if the record has no time that shows the unit. */
  sentUnit: { unit: KnownUnit; isAssumed: boolean };
  /** `isCertain` if the date could be read in no other way. */
  note(message: Hints, isCertain: boolean): void;
}

/** A string where a time belongs, from an edit or from a file. */
interface TimeString {
  edit?: Edit;
  steps: readonly PathStep[];
  text: string;
  unit: KnownUnit | undefined;
}

export interface Written {
  /** The record that the user started from. */
  base?: Json;
  /** The user may have started from a record of the service that was not read yet. Strings that are no dates stay. */
  isBaseUnknown?: boolean;
}

/**
 * Applies edits in order. Dates become the numbers that the service uses: those of the edits and, in
 * a record that the user wrote, all others. An edit that gives a known field a value of the wrong type
 * is an error that names the flag.
 */
export function editRecord(
  record: Json,
  edits: readonly Edit[],
  rules: EditRules,
  written?: Written,
): void {
  if (edits.length === 0 && !written) return;
  const { schema, isTime } = rules;
  const mismatches = () => (edits.length === 0 ? [] : schemaMismatches(schema, record));
  const accepted = new Set(mismatches().map(mismatchKey));
  const earlierTimes = [...timesIn(record, [schema], isTime)];
  const recordUnit = earlierTimes.map(({ value }) => unitOf(value)).find(Boolean);
  const setBy = new Map<string, Edit>();
  const times = new Map<string, TimeString>();
  for (const { steps, value: text } of written ? earlierTimes : []) {
    // The service's own value stays, even where it is not documented.
    const isOwn = steps.reduce<Json | undefined>(child, written?.base) === text;
    if (typeof text !== 'string' || isOwn) continue;
    if (written?.isBaseUnknown && !isDateText(text)) continue;
    times.set(pathString(steps), { steps, text, unit: recordUnit });
  }
  for (const edit of edits) {
    if (edit.kind === 'unset') {
      for (const [path, earlier] of setBy) {
        if (!isBelow(path, edit.text)) continue;
        // Flags such as --tag are applied first, wherever they stand.
        if (typeof earlier.source === 'object') throw removedError(edit, earlier, [...setBy]);
        setBy.delete(path);
      }
      applyEdits(record, [edit]);
      continue;
    }
    const { steps, before, after } = applySet(record, edit);
    const path = pathString(steps);
    const earlier = setBy.get(path);
    if (earlier && !earlier.source && !edit.source && !isSame(before ?? null, after)) {
      const hint = `Nothing was sent. Give ${path} once.`;
      throw editError(edit, `${path} has another value in ${nameOf(earlier)}`, hint);
    }
    setBy.set(path, edit);
    times.delete(path);
    if (edit.kind !== 'set') continue;
    const parent = steps.slice(0, -1);
    if (steps.at(-1) === 'tz' && fieldAt(schema, [...parent, 'date']).some(isTime)) {
      // An unknown zone is found by the checks of the record, which --skip-checks skips.
      orUndefined(() => resolveZone(parent.reduce<Json | undefined>(child, record), path));
    }
    const unit = unitOf(before) ?? recordUnit;
    for (const found of timesIn(after, fieldAt(schema, steps), isTime, steps)) {
      const { steps, value: text } = found;
      if (typeof text === 'string') times.set(pathString(steps), { steps, text, edit, unit });
    }
  }
  // Last, because a later edit may set the time zone of a date.
  for (const time of times.values()) convertTime(record, time, rules);
  for (const mismatch of mismatches()) {
    const edit = setBy.get(mismatch.path);
    if (edit && !accepted.has(mismatchKey(mismatch))) throw mismatchError(mismatch, edit);
  }
}

/** `--set 'tags=["deu"]'`, for every shell but cmd.exe: `commandLine` quotes nothing with a `"`. */
function setJson(path: string, value: Json): string {
  const text = `${path}=${printJson(value)}`;
  const isSafe = !text.includes("'") && shellWord(text.replaceAll('"', '')) !== undefined;
  return isSafe ? `--set '${text}'` : `--set '${path}=…'`;
}

/** `--unset tags --tag deu` is meant to replace the tags. */
function removedError(edit: Edit, earlier: Edit, edits: [path: string, Edit][]): MarError {
  const given: JsonObject = new Map();
  applyEdits(
    given,
    edits.flatMap(([path, one]) => (isBelow(path, edit.text) ? one : [])),
  );
  const value = parseEditPath(edit.text).reduce<Json | undefined>(child, given) ?? null;
  const replacing = setJson(edit.text, value);
  const hint = `Nothing was sent. To replace the old value, use ${replacing} instead of both.`;
  return editError(edit, `this removes what ${nameOf(earlier)} sets`, onCommandLine(hint));
}

/** True for `tags` and `tags[0]`, which are at or below `tags`. */
const isBelow = (path: string, above: string) =>
  path.startsWith(above) && /^(?:$|[.[])/.test(path.slice(above.length));

const pathString = (steps: readonly PathStep[]) => steps.reduce<string>(extendPath, '');
const mismatchKey = ({ path, problem }: SchemaMismatch) => `${path}: ${problem}`;

/** Replaces a date by its number, unless a later edit replaced the date. */
function convertTime(record: Json, time: TimeString, rules: EditRules): void {
  const { schema, date: readTime, sentUnit, now, note } = rules;
  const { edit, steps, text } = time;
  const path = pathString(steps);
  const parentSteps = steps.slice(0, -1);
  const parent = parentSteps.reduce<Json | undefined>(child, record);
  const last = steps.at(-1) as PathStep;
  if (child(parent, last) !== text) return;
  if (!isDateText(text)) {
    // A time as the service has it, in the digits of a flag or a string.
    const number = /^\d+$/.test(text) ? new JsonNumber(text) : undefined;
    if (number && readTime(number)) {
      assign(parent, last, number);
      return;
    }
    const wanted = 'must be a date, such as 2026-12-01T18:00';
    const hint = `Accepted: ${dateForms}, or a time in the unit of the service, such as 1796144400000.`;
    if (edit) throw editError(edit, `${path} ${wanted}`, hint);
    throw fieldError(path, `${wanted}, not ${JSON.stringify(text.slice(0, 40))}`, { hint });
  }
  const zonePath = [...parentSteps, 'tz'];
  const zoneOf = () => resolveZone(parent, pathString(zonePath));
  // A date with an offset needs no zone: the checks of the record decide about an unknown one.
  const zone = hasOffset(text) ? orUndefined(zoneOf) : zoneOf();
  const use = fieldAt(schema, zonePath).length > 0 ? 'deadline' : undefined;
  const read = () => readDateText(text, { name: path, now, zone, use });
  const { instant, hasTime } = edit ? withFacts(factsOf(edit), read) : read();
  const unit = units[time.unit ?? sentUnit.unit];
  const source = String(Math.round(instant / unit.milliseconds));
  assign(parent, last, new JsonNumber(source));
  const date = formatDate(new Date(instant), zone);
  const endPart = use && !hasTime ? ', the end of the day' : '';
  // Names the assumptions, because the user may know better.
  const isLocal = zone === undefined && !hasOffset(text);
  const zonePart = isLocal ? '. It was read as local time, because the record has no tz' : '';
  const isCertain = /^\d{4}-/.test(text) && hasTime && !isLocal;
  const isUnitAssumed = sentUnit.isAssumed && !time.unit;
  const unitPart = isUnitAssumed ? `, sent in ${unit.name}` : '';
  const message = `Field ${path} is ${date}${endPart}${unitPart}${zonePart}`;
  const otherUnit = 'The unit is assumed; the API does not document it. For another one';
  const unitHint = personHint(otherUnit, words`mar config set time.unit=s`);
  if (isUnitAssumed) note([message, unitHint], isCertain);
  else if (!isCertain) note(message, isCertain);
}

/** The time zone of a deadline. A city is replaced by its zone. */
function resolveZone(deadline: Json | undefined, path: string): string | undefined {
  const tz = child(deadline, 'tz');
  if (typeof tz !== 'string' || tz === '') return undefined;
  const zone = readZone(tz, path);
  assign(deadline, 'tz', zone);
  return zone;
}

function mismatchError({ path, problem, expected, found }: SchemaMismatch, given: Edit): MarError {
  const [field = '', value = ''] = given.text.split('=');
  const edit = isSecretPath(field) ? { ...given, text: `${field}=${redacted}` } : given;
  const isText = expected === 'a string' && edit.kind === 'set' && !edit.source;
  const asText = commandLine`--set-string ${edit.text}`;
  const asList = setJson(field, [value]);
  const added = commandLine`--set ${`${field}[+]=${value}`}`;
  const isList = expected === 'an array' && typeof found === 'string' && path === field;
  const advice = isText
    ? `To set it as a string, use ${asText}`
    : isList && `To replace the list, use ${asList}; to add to it, ${added}`;
  const hints = ['Nothing was sent.', ...(advice ? [onCommandLine(advice)] : [])];
  return editError(edit, `${path}: ${problem}`, hints);
}
