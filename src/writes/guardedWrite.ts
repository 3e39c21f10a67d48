import { hideSecrets, isSecretField } from '../api/secrets.ts';
import { MarError } from '../errors.ts';
import { redacted } from '../json/secrets.ts';
import { isSame, type Json, type JsonObject, printJson, toPlain } from '../json/value.ts';
import type { Fingerprint } from '../records/fingerprint.ts';
import { type Conflict, merge } from '../records/merge.ts';
import { differences } from '../records/recordDiff.ts';
import { cutAtDifference } from '../values/cutAtDifference.ts';

const maxFields = 10;
const maxValueWidth = 200;

interface Current {
  record: JsonObject;
  tag?: string;
}

export interface Target {
  name: string;
  shownBy: string;
  read(): Promise<Current>;
  /**
   * Prints the changes and asks for confirmation, if somebody can be asked; throws if refused.
   * Returns whether a person was asked, which takes time.
   */
  review(before: JsonObject, after: JsonObject): Promise<boolean>;
  /** Like `review`, for a record that does not exist yet. */
  reviewNew(record: JsonObject): Promise<void>;
  /** Reports that the record already is as requested. */
  unchanged(record: JsonObject): Promise<void>;
  /** `over` is undefined if there is no such record yet. */
  write(record: JsonObject, over: Current | undefined): Promise<void>;
  /** The states in which the user saw it, oldest first. */
  seen: readonly Fingerprint[];
  force: boolean;
  /** Nobody edits or is asked, so the record is not read a second time before the write. */
  isUnattended?: true;
  note(text: string): void;
  warn(message: string): void;
  interruptible<T>(work: () => T): T;
}

/**
 * Applies the changes from `first` to `mine` to the newest version. Changes of others are kept, unless
 * they conflict.
 */
export async function writeChange(target: Target, first: Current, mine: JsonObject): Promise<void> {
  if (isSame(mine, first.record)) return target.unchanged(first.record);
  const last = target.seen.at(-1);
  if (last) refuseOverwriting(target, () => last, mine, first.record, lastRead);
  await target.review(first.record, mine);
  const newest = target.isUnattended ? first : await target.read();
  const record = mergeWith(target, first.record, mine, newest.record, justNow);
  if (isSame(record, newest.record)) return target.unchanged(newest.record);
  await target.write(record, newest);
}

/**
 * Writes a whole record that was made elsewhere. With its base, changes of others are kept. Without
 * one, a record that would undo them is not written.
 */
export async function writeWhole(
  target: Target,
  mine: JsonObject,
  base: JsonObject | undefined,
): Promise<void> {
  const current = await target.read().catch((error: unknown) => {
    if (error instanceof MarError && error.kind === 'not-found') return undefined;
    throw error;
  });
  if (current === undefined) {
    await target.reviewNew(mine);
    return target.write(mine, undefined);
  }
  if (isSame(mine, current.record)) return target.unchanged(current.record);
  // Loaded late, because asset get loads it after its output: it takes node:crypto.
  const { Fingerprint } = await import('../records/fingerprint.ts');
  const { seen } = target;
  if (!base && seen.length > 0) {
    const closest = () => Fingerprint.closest(seen, mine);
    refuseOverwriting(target, closest, mine, current.record, lastRead);
  } else if (!base && !target.force) {
    target.warn(
      `mar has no earlier copy of ${target.name}, so it cannot tell whether others changed it (--base FILE gives the copy you started from)`,
    );
  }
  const record = base
    ? mergeWith(target, base, mine, current.record, 'since the version in --base')
    : mine;
  if (isSame(record, current.record)) return target.unchanged(current.record);
  const tookTime = await target.review(current.record, record);
  const newest = tookTime ? await target.read() : current;
  if (!isSame(current.record, newest.record)) {
    const shown = () => Fingerprint.of(current.record);
    refuseOverwriting(target, shown, record, newest.record, justNow);
  }
  await target.write(record, newest);
}

const lastRead = 'since you last read it';
const justNow = 'by somebody else just now';

/** Refuses a record that would undo changes which were made after it was shown. */
function refuseOverwriting(
  target: Target,
  shown: () => Fingerprint,
  mine: JsonObject,
  theirs: JsonObject,
  when: string,
): void {
  if (target.force) return;
  const undone = target.interruptible(() => shown().overwritten(mine, theirs));
  if (undone.length > 0) throw changedError(target, when, undone);
}

/** Keeps the changes of others. Those that conflict are an error that says when they were made. */
function mergeWith(
  target: Target,
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
  when: string,
): JsonObject {
  const { force: mineWins, name, interruptible } = target;
  const { record, conflicts } = interruptible(() => merge(base, mine, theirs, { mineWins }));
  if (conflicts.length > 0 && !mineWins) throw changedError(target, when, conflicts);
  const paths = interruptible(() => differences(base, theirs)).map(({ path }) => path);
  if (paths.length > 0) target.note(`Keeping changes by others to ${name}: ${paths.join(', ')}`);
  return record;
}

export function changedError(
  target: Pick<Target, 'name' | 'shownBy'>,
  when: string,
  conflicts: readonly Conflict[],
): MarError {
  const fields = conflicts.map(({ path, mine, theirs }) => {
    const isSecret = isSecretField(path.split('.').at(-1) ?? '');
    const visible = (json: Json | undefined) =>
      json !== undefined && isSecret ? redacted : json && hideSecrets(json);
    return { path, theirs: visible(theirs), yours: visible(mine) };
  });
  const lines = fields.slice(0, maxFields).flatMap(({ path, theirs, yours }) => {
    const [there, here] = cutAtDifference(textOf(theirs), textOf(yours), maxValueWidth);
    return [path, `  theirs: ${there}`, `  yours:  ${here}`];
  });
  if (fields.length > maxFields)
    lines.push(`and ${fields.length - maxFields} more (use --json to see all)`);
  const what = `${target.name} was changed ${when}, and your version would undo these changes`;
  return new MarError('changed', [what, ...lines].join('\n'), {
    hint: `Nothing was written. Use --force to overwrite these changes. To see the current version, run: ${target.shownBy}`,
    conflicts: fields.map(({ path, theirs, yours }) => {
      return { path, theirs: theirs && toPlain(theirs), yours: yours && toPlain(yours) };
    }),
  });
}

const textOf = (json: Json | undefined) => (json === undefined ? '(none)' : printJson(json));
