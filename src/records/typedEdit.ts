import type * as z from 'zod/mini';
import { fieldAt } from '../api/fieldAt.ts';
import { type Misfit, misfits } from '../api/misfit.ts';
import { type MarError, usageError } from '../errors.ts';
import { extendPath, type PathStep } from '../json/path.ts';
import { isObject, type Json, JsonNumber, toPlain } from '../json/value.ts';
import { formatDate, type TimeUnit } from '../terminal/time.ts';
import { commandLine } from '../values/commandLine.ts';
import { applyEdits, applySet, type Edit } from './edit.ts';
import { isDateText, readDateText, saysOffset } from './timeText.ts';
import { type IsTime, type KnownUnit, unitIn, unitOf } from './timeUnit.ts';

/** What changes to records of some kind go by. */
export interface EditRules {
  /** What is known of the record's fields. */
  schema: z.ZodMiniType;
  isTime: IsTime;
  /** The unit of times, where the record itself does not show one. */
  timeUnit: TimeUnit;
  /** Told how a date was understood. */
  note(text: string): void;
}

/** A text that was set where a time belongs. */
interface WrittenTime {
  edit: Edit;
  steps: PathStep[];
  text: string;
  /** Of the time that stood there before. */
  unit: KnownUnit | undefined;
}

const millisecondsIn: Readonly<Record<KnownUnit, number>> = { s: 1000, ms: 1, us: 0.001 };
const unitNames: Readonly<Record<KnownUnit, string>> = {
  s: 'seconds',
  ms: 'milliseconds',
  us: 'microseconds',
};

/**
 * Makes the changes in the order they were given. Dates become the numbers that the service knows;
 * a known field that would get a value of another type is refused, by the flag that does it.
 */
export function editRecord(record: Json, edits: readonly Edit[], rules: EditRules): void {
  if (edits.length === 0) return;
  const { schema, isTime } = rules;
  const accepted = new Set(misfits(schema, toPlain(record)).map(textOf));
  const usualUnit = unitIn(record, [schema], isTime);
  const setBy = new Map<string, Edit>();
  const times = new Map<string, WrittenTime>();
  for (const edit of edits) {
    if (edit.kind === 'unset') {
      applyEdits(record, [edit]);
      continue;
    }
    const { steps, before, after } = applySet(record, edit);
    const path = pathOf(steps);
    setBy.set(path, edit);
    times.delete(path);
    if (edit.kind === 'set' && typeof after === 'string' && fieldAt(schema, steps).some(isTime)) {
      times.set(path, { edit, steps, text: after, unit: unitOf(before) ?? usualUnit });
    }
  }
  // Last, since a date's zone may be set behind it.
  for (const time of times.values()) takeTime(record, time, rules);
  for (const misfit of misfits(schema, toPlain(record))) {
    const edit = setBy.get(misfit.path);
    if (edit && !accepted.has(textOf(misfit))) throw misfitError(misfit, edit);
  }
}

const pathOf = (steps: readonly PathStep[]) => steps.reduce<string>(extendPath, '');
const textOf = ({ path, problem }: Misfit) => `${path}: ${problem}`;

/** Puts the number in place of the date that was written, if it is still there. */
function takeTime(record: Json, time: WrittenTime, { timeUnit, note }: EditRules): void {
  const { edit, steps, text } = time;
  const path = pathOf(steps);
  const parent = steps.slice(0, -1).reduce<Json | undefined>(childOf, record);
  const last = steps.at(-1) as PathStep;
  if (childOf(parent, last) !== text) return;
  if (!isDateText(text)) {
    throw usageError(
      `--${edit.kind} ${edit.text}: ${path} is an integer, a time`,
      'write the number, or a date such as 2026-12-01T18:00',
    );
  }
  const tz = childOf(parent, 'tz');
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = typeof tz === 'string' && tz !== '' ? tz : local;
  const instant = readDateText(text, zone, path);
  const unit = time.unit ?? (timeUnit === 'auto' ? 'ms' : timeUnit);
  const source = String(Math.round(instant / millisecondsIn[unit]));
  if (isObject(parent)) parent.set(String(last), new JsonNumber(source));
  else if (Array.isArray(parent)) parent[last as number] = new JsonNumber(source);
  const shown = formatDate(new Date(instant), saysOffset(text) ? 'UTC' : zone);
  const why = reasonOf(time, timeUnit, zone === tz || saysOffset(text));
  note(`${path}: ${shown} is sent as ${source} (${unitNames[unit]}${why})`);
}

/** What was taken for granted: a person may know better. */
function reasonOf({ unit }: WrittenTime, timeUnit: TimeUnit, zoneIsGiven: boolean): string {
  const unitReason = timeUnit === 'auto' ? ', for want of a better: mar config set time-unit' : '';
  const zoneReason = zoneIsGiven ? '' : '; local time, since there is no tz beside it';
  return `${unit ? ', as in the record' : unitReason}${zoneReason}`;
}

function childOf(json: Json | undefined, step: PathStep): Json | undefined {
  if (typeof step === 'number') return Array.isArray(json) ? json[step] : undefined;
  return isObject(json) ? json.get(step) : undefined;
}

function misfitError({ path, problem }: Misfit, edit: Edit): MarError {
  const isText = problem.startsWith('expected a string') && edit.kind === 'set';
  return usageError(
    `--${edit.kind} ${edit.text}: ${path}: ${problem}`,
    isText
      ? `to set a text whatever it reads as: ${commandLine`--set-string ${edit.text}`}`
      : 'nothing was sent',
  );
}
