import { redacted } from '../json/hideFields.ts';
import { isSame, type Json, JsonNumber, type JsonObject, printJson } from '../json/value.ts';
import { bothAt, leavesOf, valueAtSteps } from '../records/merge.ts';

/** Fields of a response that are not as they were written. It may have only a part of the record. */
export function notTaken(body: JsonObject, response: JsonObject, before?: JsonObject) {
  const old: JsonObject = before ?? new Map();
  const leaves = (record: JsonObject) =>
    [...leavesOf(record).values()].filter((one) => !one.orderBy);
  const written = leaves(body).flatMap(({ steps, value }) => {
    const was = valueAtSteps(old, steps);
    const { path, mine = null, theirs } = bothAt(steps, body, response);
    // The service may omit a secret.
    if (isSame(was, value) || value === redacted) return [];
    const isAbsent = theirs === undefined;
    const isLost = isAbsent
      ? before && !/^(?:""|\[\]|\{\}|null)$/.test(printJson(mine))
      : isSame(theirs, was) || isOther(mine, theirs);
    return isLost ? { path, isAbsent } : [];
  });
  const kept = leaves(old).filter(
    ({ steps, value }) =>
      valueAtSteps(body, steps) === undefined && isSame(valueAtSteps(response, steps), value),
  );
  return [...written, ...kept.map(({ path }) => ({ path, isAbsent: false }))];
}

/** A service may write a value in another way. Only another plain value is clearly not the same. */
function isOther(sent: Json, got: Json): boolean {
  if (sent instanceof JsonNumber && got instanceof JsonNumber) {
    // A time in another unit is the same time.
    const powers = Math.log10(Number(sent.source) / Number(got.source)) / 3;
    return !(Math.abs(powers - Math.round(powers)) < 1e-6);
  }
  const isPlain = (json: Json) => typeof json !== 'object';
  if (!isPlain(sent) || (got !== null && (!isPlain(got) || typeof got !== typeof sent)))
    return false;
  const folded = (json: Json) => String(json).normalize().trim().toLowerCase();
  return folded(sent) !== folded(got);
}
