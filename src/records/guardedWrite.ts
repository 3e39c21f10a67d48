import { hideSecrets, isSecretField } from '../api/secrets.ts';
import { MarError } from '../errors.ts';
import { redacted } from '../json/secrets.ts';
import { isSame, type Json, type JsonObject, printJson, toPlain } from '../json/value.ts';
import { differences } from './difference.ts';
import { type Conflict, merge } from './merge.ts';
import type { Fingerprint, Fingerprinter } from './seenRecords.ts';

/** As many fields as an error shows, and as much of a value. */
const mostFields = 10;
const longestValue = 200;
/** And of what is the same in both values, before what is not. */
const lead = 16;

/** A record as the service has it, with the tag that guards a write over it. */
export interface Current {
  record: JsonObject;
  tag?: string;
}

/** One record of the service that is to be written over, and those who have a say in it. */
export interface Target {
  name: string;
  /** The command that shows it. */
  shownBy: string;
  read(): Promise<Current>;
  /**
   * Shows what would change and, where there is somebody to ask, asks; throws if the answer is no.
   * Says whether that took the time that a person takes.
   */
  review(before: JsonObject, after: JsonObject): Promise<boolean>;
  /** Over nothing, where there is no such record yet. */
  write(record: JsonObject, over: Current | undefined): Promise<void>;
  fingerprinter(): Fingerprinter;
  /** The states in which it was shown to the user before, oldest first. */
  seen: readonly Fingerprint[];
  /** Writes even over what others changed. */
  force: boolean;
  note(text: string): void;
  /** Compares records so that a signal is not kept waiting, however large they are. */
  interruptible<T>(work: () => T): T;
}

/**
 * Reads a record, changes it, and writes the change on top of the newest. What others change in the
 * meantime stays, unless it is what was changed here. `change` may take long: a person edits.
 */
export async function writeChange(
  target: Target,
  change: (record: JsonObject) => Promise<JsonObject | undefined>,
): Promise<void> {
  const { force } = target;
  const first = await target.read();
  const mine = await change(first.record);
  if (mine === undefined) return;
  const last = target.seen.at(-1);
  if (last && !force) {
    const printer = target.fingerprinter();
    const since = target.interruptible(() => printer.overwritten(last, mine, first.record));
    if (since.length > 0) throw changed(target, 'since you last saw it', since);
  }
  await target.review(first.record, mine);
  const newest = await target.read();
  const { record, conflicts } = target.interruptible(() =>
    merge(first.record, mine, newest.record, { mineWins: force }),
  );
  if (conflicts.length > 0 && !force) throw changed(target, 'in the meantime', conflicts);
  tellOthers(target, first.record, newest.record);
  await target.write(record, newest);
}

/**
 * Writes a whole record that was made elsewhere. With its base, what others changed since stays.
 * Without, the record would undo it: then it is not written.
 */
export async function writeWhole(
  target: Target,
  mine: JsonObject,
  base: JsonObject | undefined,
): Promise<void> {
  const current = await readIfThere(target);
  if (current === undefined) return target.write(mine, undefined);
  const { force } = target;
  const { record, conflicts } = target.interruptible(() =>
    base
      ? merge(base, mine, current.record, { mineWins: force })
      : { record: mine, conflicts: undoneBy(target, mine, current.record) },
  );
  if (conflicts.length > 0 && !force) {
    throw changed(target, base ? 'since that base' : 'since you last saw it', conflicts);
  }
  if (base) tellOthers(target, base, current.record);
  const tookTime = await target.review(current.record, record);
  const newest = tookTime ? await target.read() : current;
  if (!force && !isSame(current.record, newest.record)) {
    const printer = target.fingerprinter();
    const since = target.interruptible(() =>
      printer.overwritten(printer.of(current.record), record, newest.record),
    );
    if (since.length > 0) throw changed(target, 'in the meantime', since);
  }
  await target.write(record, newest);
}

/** What is not there has nothing to lose; whether it may be made is for the service to say. */
async function readIfThere(target: Target): Promise<Current | undefined> {
  try {
    return await target.read();
  } catch (error) {
    if (error instanceof MarError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

function undoneBy(target: Target, mine: JsonObject, theirs: JsonObject): Conflict[] {
  const { seen, name, force, note } = target;
  if (force) return [];
  if (seen.length === 0) {
    note(
      `note: ${name} was not read with mar before, so what others changed since this record was made is not known; --base FILE tells`,
    );
    return [];
  }
  const printer = target.fingerprinter();
  const origin = printer.closest(seen, mine);
  return origin ? printer.overwritten(origin, mine, theirs) : [];
}

/** What came from others and is kept, for who wonders where it comes from. */
function tellOthers(
  { name, note, interruptible }: Target,
  before: JsonObject,
  now: JsonObject,
): void {
  const paths = interruptible(() => differences(before, now)).map(({ path }) => path);
  if (paths.length === 0) return;
  note(`${name} was changed elsewhere as well, which is kept: ${paths.join(', ')}`);
}

function changed(target: Target, when: string, conflicts: readonly Conflict[]): MarError {
  const { name, shownBy } = target;
  const fields = conflicts.map(({ path, mine, theirs }) => {
    const isSecret = isSecretField(path.split('.').at(-1) ?? '');
    const shown = (json: Json | undefined) =>
      json !== undefined && isSecret ? redacted : json && hideSecrets(json);
    return { path, theirs: shown(theirs), yours: shown(mine) };
  });
  const lines = fields.slice(0, mostFields).flatMap(({ path, theirs, yours }) => {
    const [there, here] = brief(textOf(theirs), textOf(yours));
    return [path, `  there: ${there}`, `  yours: ${here}`];
  });
  if (fields.length > mostFields)
    lines.push(`and ${fields.length - mostFields} more (--json has all)`);
  const what = `${name} was changed elsewhere ${when}, and you would undo that; nothing was written`;
  return new MarError('changed', [what, ...lines].join('\n'), {
    hint: `see it as it is now: ${shownBy}; then do it again, or write over it with --force`,
    conflicts: fields.map(({ path, theirs, yours }) => ({
      path,
      theirs: theirs === undefined ? undefined : toPlain(theirs),
      yours: yours === undefined ? undefined : toPlain(yours),
    })),
  });
}

const textOf = (json: Json | undefined) => (json === undefined ? '(not there)' : printJson(json));

/** Two long values are shown from where they begin to differ, and a little before. */
function brief(one: string, other: string): [string, string] {
  const [first, second] = [[...one], [...other]];
  const differ = first.findIndex((character, index) => character !== second[index]);
  const isLong = Math.max(first.length, second.length) > longestValue;
  const begin = isLong && differ > longestValue / 2 ? differ - lead : 0;
  const cut = (all: string[]) => {
    const rest = all.slice(begin, begin + longestValue).join('');
    return `${begin > 0 ? '…' : ''}${rest}${all.length > begin + longestValue ? '…' : ''}`;
  };
  return [cut(first), cut(second)];
}
