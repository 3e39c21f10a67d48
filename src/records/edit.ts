import { usageError } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import { extendPath, type PathStep, parsePath } from '../json/path.ts';
import { isObject, type Json, JsonNumber } from '../json/value.ts';

/** A change to a record, as given on the command line. */
export interface Edit {
  kind: 'set' | 'set-string' | 'unset';
  /** `path=value`, or of `unset` the path alone. */
  text: string;
}

/** Makes the changes in the order they were given. */
export function applyEdits(record: Json, edits: readonly Edit[]): void {
  for (const { kind, text } of edits) {
    if (kind === 'unset') unset(record, text);
    else set(record, kind, text);
  }
}

function set(record: Json, kind: Edit['kind'], text: string): void {
  const equals = splitAt(text);
  if (equals < 1) {
    throw usageError(
      `--${kind} ${text}: expected path=value`,
      'for example --set due.tz=Europe/Paris',
    );
  }
  const path = text.slice(0, equals);
  const value = text.slice(equals + 1);
  put(record, path, kind === 'set' ? jsonOrString(value) : value);
}

/** The first `=` that is not inside a quoted key. */
function splitAt(text: string): number {
  const quotedKey = /\["(?:[^"\\]|\\.)*"\]|\['[^']*'\]/g;
  const plain = text.replace(quotedKey, (key) => ' '.repeat(key.length));
  return plain.indexOf('=');
}

function unset(record: Json, path: string): void {
  const steps = parsePath(path);
  const last = steps.pop() as PathStep;
  let at: Json | undefined = record;
  for (const step of steps) at = child(at, step);
  if (isObject(at) && typeof last === 'string') at.delete(last);
  else if (Array.isArray(at) && typeof last === 'number') at.splice(last, 1);
}

/** Goes to a path's last container, making what is missing on the way, and puts a value there. */
function put(record: Json, path: string, value: Json): void {
  const steps = parsePath(path);
  const last = steps.at(-1) as PathStep;
  let at: Json = record;
  for (const [index, step] of steps.slice(0, -1).entries()) {
    checkStep(at, step, path, steps.slice(0, index));
    let next = child(at, step);
    if (next === undefined) {
      next = typeof steps[index + 1] === 'number' ? [] : new Map();
      assign(at, step, next);
    }
    at = next;
  }
  checkStep(at, last, path, steps.slice(0, -1));
  assign(at, last, value);
}

function checkStep(at: Json, step: PathStep, path: string, before: readonly PathStep[]): void {
  const place = before.length > 0 ? before.reduce<string>(extendPath, '') : 'the record';
  if (typeof step === 'string' && !isObject(at)) {
    throw usageError(`${path}: ${place} is ${describe(at)}, so it has no field "${step}"`);
  }
  if (typeof step !== 'number') return;
  if (!Array.isArray(at)) {
    throw usageError(`${path}: ${place} is ${describe(at)}, so it has no element [${step}]`);
  }
  if (step > at.length) {
    throw usageError(`${path}: ${place} has ${at.length} elements; the next one is [${at.length}]`);
  }
}

function child(at: Json | undefined, step: PathStep): Json | undefined {
  if (typeof step === 'number') return Array.isArray(at) ? at[step] : undefined;
  return isObject(at) ? at.get(step) : undefined;
}

function assign(at: Json, step: PathStep, value: Json): void {
  if (isObject(at)) at.set(String(step), value);
  else if (Array.isArray(at)) at[step as number] = value;
}

function describe(json: Json): string {
  if (json === null) return 'null';
  if (Array.isArray(json)) return 'an array';
  if (isObject(json)) return 'an object';
  return json instanceof JsonNumber ? 'a number' : `a ${typeof json}`;
}

/** A value is JSON when it reads as JSON, else the text itself. */
function jsonOrString(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
