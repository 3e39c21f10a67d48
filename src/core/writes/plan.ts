import type { EndpointId } from '../api/endpoints.ts';
import { hideSecrets } from '../api/secretFields.ts';
import {
  type CommandWord,
  forPerson,
  type Hint,
  MarError,
  onCommandLine,
  runHint,
} from '../errors.ts';
import { isSame, type Json, type JsonObject, printJson, toPlain } from '../json/value.ts';
import type { Fingerprint } from '../records/fingerprint.ts';
import { type Conflict, merge } from '../records/merge.ts';
import { differences } from '../records/recordDiff.ts';
import { cutAtDifference } from '../values/cutAtDifference.ts';
import type { EventLook, OrderLook } from './orderLook.ts';

/**
 * A write that has been read, merged and checked, and could be sent: data, so that a person or an agent
 * can look at it first. `apply.ts` sends it.
 */
export interface Plan {
  endpoint: EndpointId;
  /** The id in the path, for endpoints that have one. */
  id?: string;
  body: JsonObject;
  /** The version that it replaces. Undefined for a new record, and for one that cannot be read. */
  over?: Version;
  /** The service has no such record yet. */
  isNew?: boolean;
  /** How changes by others are noticed. Undefined without `over`. */
  guard?: Guard;
  /** How it is recorded and recognised. Only for what must not be sent twice. */
  order?: OrderSource | undefined;
  /** The command, if it is not the usual one of the endpoint: `mar undo`. */
  by?: string;
  /** The write of the log that it takes back. */
  takesBack?: string;
  /** The look that a person gets before it is sent. Only for writes that cannot be taken back. */
  look?: OrderLook | EventLook;
  /** For the user, once the plan is carried out or shown. */
  remarks: readonly Remark[];
}

/** Where an order comes from. */
export interface OrderSource {
  file?: string;
  /** The log, if it is not the usual one. */
  log?: string | undefined;
  /** Sent even if the same order was placed before. */
  again?: boolean;
}

/** A record as the service had it at a time. */
export interface Version {
  record: JsonObject;
  /** The service's own name of the version, if it sends one. */
  tag?: string;
  /** When the response arrived, by a clock that does not jump. */
  arrivedMs: number;
}

/** The record that a write changes, for messages, and whether changes by others may be overwritten. */
export interface Target {
  endpoint: EndpointId;
  id?: string;
  /** `asset a-1001` */
  name: string;
  /** The command that shows it. */
  shownBy: readonly CommandWord[];
  force: boolean;
  /** A record without fields that differ with each read: those are no changes by others. */
  stored(record: JsonObject): JsonObject;
  /** The states in which the user saw it, oldest first. */
  seen: readonly Fingerprint[];
}

interface Guard extends Omit<Target, 'endpoint' | 'id' | 'seen'> {
  /** The change from `base` to `mine` is applied to the newest version; without it, `body` is written whole. */
  change?: { base: JsonObject; mine: JsonObject };
  /** An older version is read again before it is replaced. */
  maxAgeMs: number;
}

export interface Remark {
  text: string;
  hints?: readonly Hint[];
  /** A warning, rather than a note. */
  code?: string;
}

/** Nobody edits or is asked between this read and the write, unless the machine is slow. */
const freshMs = 100;

/**
 * Plans to apply the changes from `first` to `mine`. Undefined if there are none. Rows of a batch are
 * `unattended`: they are not read again if they are sent at once.
 */
export function planChange(
  target: Target,
  first: Version,
  mine: JsonObject,
  { isUnattended = false } = {},
): Plan | undefined {
  if (isSame(mine, first.record)) return undefined;
  const last = target.seen.at(-1);
  if (last) refuseOverwriting(target, last, mine, first.record, lastRead);
  const { endpoint, id, seen: _, ...guarded } = target;
  const change = { base: first.record, mine };
  const guard = { ...guarded, change, maxAgeMs: isUnattended ? freshMs : 0 };
  return { endpoint, id, body: mine, over: first, guard, remarks: [] };
}

/**
 * Plans to write a record of which a file gave all or a part. With its base, changes of others are kept.
 * Without one, a record that would undo them is refused. Undefined if it would change nothing.
 */
export function planWhole(
  target: Target,
  current: Version,
  mine: JsonObject,
  { base, given = mine }: { base?: JsonObject; given?: JsonObject },
): Plan | undefined {
  if (isSame(mine, current.record)) return undefined;
  const { endpoint, id, seen, ...guarded } = target;
  const { name, force } = target;
  const remarks: Remark[] = [];
  if (!base && seen.length > 0) {
    // If several are equally alike, the newest counts.
    const closest = seen.reduce((best, one) =>
      best.likeness(given) > one.likeness(given) ? best : one,
    );
    refuseOverwriting(target, closest, mine, current.record, lastRead);
  } else if (!base && !force) {
    const text = `mar has no earlier copy of ${name}, so it cannot tell whether others changed it${target.endpoint === 'assetPut' ? ' (--base FILE gives the copy you started from)' : ''}`;
    remarks.push({ code: 'no-base', text });
  }
  const merged = base && mergeWith(target, { base, mine }, current.record, sinceBase);
  const body = merged?.record ?? mine;
  if (isSame(body, current.record)) return undefined;
  remarks.push(...(merged?.remarks ?? []));
  const guard = { ...guarded, maxAgeMs: freshMs };
  return { endpoint, id, body, over: current, guard, remarks };
}

/**
 * The plan over a newer version: changes of others are kept, those that conflict are an error.
 * Undefined if nothing is left to change.
 */
export function revised(
  plan: Plan,
  newest: Version,
  /** Loaded late by the caller, because it takes node:crypto. */
  fingerprintOf: (typeof Fingerprint)['of'],
): Plan | undefined {
  const { guard, over, body } = plan;
  if (!guard || !over) return plan;
  if (guard.change) {
    const { record, remarks } = mergeWith(guard, guard.change, newest.record, justNow);
    return isSame(record, newest.record)
      ? undefined
      : { ...plan, body: record, over: newest, remarks };
  }
  refuseOverwriting(guard, fingerprintOf(over.record), body, newest.record, justNow);
  return isSame(body, newest.record) ? undefined : { ...plan, over: newest };
}

/** Thrown by a last read that finds the record as the plan would make it. */
export class NothingToWrite extends Error {
  readonly record: JsonObject;

  constructor(record: JsonObject) {
    super('nothing to write');
    this.record = record;
  }
}

const lastRead = 'since you last read it';
const justNow = 'by somebody else just now';
const sinceBase = 'since the version in --base';

/** Refuses a record that would undo changes which were made after it was shown. */
function refuseOverwriting(
  target: Omit<Guard, 'maxAgeMs'>,
  shown: Fingerprint,
  mine: JsonObject,
  theirs: JsonObject,
  when: string,
): void {
  if (target.force) return;
  const undone = shown.overwritten(target.stored(mine), target.stored(theirs));
  if (undone.length > 0) throw changedError(target, when, undone);
}

/** Keeps the changes of others. Those that conflict are an error that says when they were made. */
export function mergeWith(
  target: Omit<Target, 'endpoint' | 'id' | 'seen'>,
  { base, mine }: { base: JsonObject; mine: JsonObject },
  theirs: JsonObject,
  when: string,
): { record: JsonObject; remarks: Remark[] } {
  const { force: mineWins, name, stored } = target;
  const { record, conflicts } = merge(base, mine, theirs, { mineWins });
  if (conflicts.length > 0 && !mineWins) throw changedError(target, when, conflicts);
  const lost = new Set(conflicts.map(({ path }) => path));
  const changed = differences(stored(base), stored(theirs)).map(({ path }) => path);
  const paths = changed.filter((path) => !lost.has(path));
  const text = `Keeping changes by others to ${name}: ${paths.join(', ')}`;
  return { record, remarks: paths.length > 0 ? [{ text }] : [] };
}

const maxFields = 10;
const maxValueWidth = 200;

function changedError(
  { name, shownBy }: Pick<Target, 'name' | 'shownBy'>,
  when: string,
  conflicts: readonly Conflict[],
): MarError {
  const fields = conflicts.map(({ path, mine, theirs }) => {
    const visible = (json: Json | undefined) => json && hideSecrets(json, path);
    return { path, theirs: visible(theirs), yours: visible(mine) };
  });
  const lines = fields.slice(0, maxFields).flatMap(({ path, theirs, yours }) => {
    const [there, here] = cutAtDifference(textOf(theirs), textOf(yours), maxValueWidth);
    return [path, `  theirs: ${there}`, `  yours:  ${here}`];
  });
  const more = fields.length - maxFields;
  if (more > 0) lines.push(`and ${more} more`);
  const what = `${name} was changed ${when}, and your version would undo these changes`;
  return new MarError('changed', [what, ...lines].join('\n'), {
    hint: [
      forPerson('Nothing was written. Use --force to overwrite these changes.'),
      ...(more > 0 ? [onCommandLine('To see all of them, use --json.')] : []),
      runHint('To see the current version', shownBy),
    ],
    conflicts: fields.map(({ path, theirs, yours }) => {
      return { path, theirs: theirs && toPlain(theirs), yours: yours && toPlain(yours) };
    }),
  });
}

const textOf = (json: Json | undefined) => (json === undefined ? '(none)' : printJson(json));
