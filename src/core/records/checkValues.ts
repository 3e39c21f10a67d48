import type { Resource } from '../api/endpoints.ts';
import type { Service } from '../api/service.ts';
import type { FieldProblem, Refusal } from '../errors.ts';
import { flatten, valueAt } from '../json/fields.ts';
import { closest, differInDigits, inLatin, listedWords } from '../values/nearest.ts';
import { sanitise } from '../values/sanitise.ts';
import { isZone, zoneError } from './dateText.ts';
import { checkedPlaces, learnedPlaces, nounOf, valuesIn } from './knownValues.ts';

/**
 * Compares the values of a record with the known ones. A value that its base has too is known. Any other
 * value is a problem only if it is close to a known one, or a list of them in one string.
 */
export function checkValues(
  service: Service,
  resource: Resource,
  record: unknown,
  base: unknown,
): { problems: Refusal[]; warnings: FieldProblem[] } {
  const problems = spreadsheetErrors(record, base);
  const warnings: FieldProblem[] = [];
  const checked = new Set(valuesIn(base, checkedPlaces[resource]).map(String));
  for (const [field, name, value] of valuesIn(record, checkedPlaces[resource])) {
    const place = String([field, name, value]);
    if (value === '' || checked.has(place)) continue;
    // A list may have the same value several times.
    checked.add(place);
    const rests = { key: `${name}.${value}`, value: name === 'status' ? 'open' : 'ok' };
    if (service.has(name, value)) continue;
    if (name === 'zone') {
      if (isZone(value)) continue;
      const { message, details } = zoneError(value, field);
      problems.push({ field, value, suggestion: details.suggestion, check: 'due', message, rests });
      continue;
    }
    const found = { field, value, check: 'value' };
    const allowed = valuesIn(base, learnedPlaces[resource]).flatMap(([, one, text]) =>
      one === name ? [text] : [],
    );
    const known = [...new Set([...service.items(name), ...allowed])];
    if (known.includes(value)) continue;
    const unknown = `unknown ${nounOf(name)} "${sanitise(value)}"`;
    const meant = meantValue(value, known);
    if (meant !== undefined) {
      const message = `${unknown} (did you mean "${meant}"?)`;
      problems.push({ ...found, suggestion: meant, message, rests });
    } else if (hasSeveral(value, known)) {
      const message = `${unknown} (give each one on its own; in a cell: a;b)`;
      problems.push({ ...found, message, rests });
    } else if (known.length > 0) {
      warnings.push({ ...found, message: `${unknown} will be sent` });
    }
  }
  return { problems, warnings };
}

/**
 * The known value that a value is probably a typo of. The API does not list all values, so a word with
 * other digits (imax2d) or a short code with other letters (wac) may be one of the service.
 */
function meantValue(value: string, known: readonly string[]): string | undefined {
  const meant = closest(value, known);
  if (meant === undefined) return undefined;
  const [word, other] = [inLatin(value).toLowerCase(), meant.toLowerCase()];
  if (word === other) return meant;
  return word.length <= 3 || differInDigits(word, other) ? undefined : meant;
}

/** `online,broadcast`, or `onlinebroadcast` if the separator was forgotten. */
function hasSeveral(value: string, known: readonly string[]): boolean {
  const words = listedWords(value);
  if (words.length > 1) return words.some((word) => known.includes(word) || closest(word, known));
  return known.some((one) => value.startsWith(one) && known.includes(value.slice(one.length)));
}

/** `#N/A`, `#REF!` or `#¿NOMBRE?`: a spreadsheet exports a formula that failed as such a string. */
const spreadsheetError = /^#(?:N\/?[A-Z]|[¡¿]?\p{Lu}[\p{Lu}\d/_]*[!?])$/u;

const spreadsheetErrors = (record: unknown, base: unknown): Refusal[] =>
  flatten(record, (leaf) => (typeof leaf === 'string' ? leaf.trim() : ''))
    .filter(([path, value]) => spreadsheetError.test(value) && valueAt(base, path) !== value)
    .map(([field, value]) => {
      const message = `${field}: "${value}" is the error of a formula in a spreadsheet`;
      return { field, value, check: 'value', message, rests: 'mistake' };
    });
