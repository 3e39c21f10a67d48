import { extendPath } from '../json/path.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { byId, elementPath, type IdField, idFieldOf } from './elements.ts';

/** Each element costs time to remember; of an array with more, all of it is one. */
const mostElements = 200;

/** A field by its name, an element by its id. */
type Step = string | readonly [IdField, string];

/** A place in a record that holds no places of its own. */
export interface Leaf {
  steps: readonly Step[];
  path: string;
  value: Json;
  /** It is the order of the elements there, by these ids; they are places of their own. */
  orderBy?: IdField;
}

/** Every place by a name of its own. An array without ids is one: its elements change places. */
export function leavesOf(record: JsonObject): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const visit = (value: Json, steps: readonly Step[], path: string) => {
    if (isObject(value) && (value.size > 0 || steps.length === 0)) {
      for (const [key, field] of value) visit(field, [...steps, key], extendPath(path, key));
      return;
    }
    const field = namedBy(value);
    if (field && Array.isArray(value)) {
      const ids = [...byId(value, field).keys()];
      leaves.set(JSON.stringify([...steps, [field]]), { steps, path, value: ids, orderBy: field });
      for (const [id, element] of byId(value, field)) {
        visit(element, [...steps, [field, id]], elementPath(path, field, id));
      }
      return;
    }
    leaves.set(JSON.stringify(steps), { steps, path, value });
  };
  visit(record, [], '');
  return leaves;
}

const namedBy = (value: Json | undefined): IdField | undefined =>
  Array.isArray(value) && value.length <= mostElements ? idFieldOf(value) : undefined;

/** Whether what it holds are places of their own, so that each is looked at by itself. */
export const hasPlaces = (value: Json | undefined): boolean =>
  isObject(value) || namedBy(value) !== undefined;

export const valueAt = (record: Json, steps: readonly Step[]): Json | undefined =>
  steps.reduce<Json | undefined>(below, record);

function below(value: Json | undefined, step: Step): Json | undefined {
  if (typeof step === 'string') return isObject(value) ? value.get(step) : undefined;
  const [field, id] = step;
  if (!Array.isArray(value)) return undefined;
  return value.find((element) => isObject(element) && element.get(field) === id);
}

/** What two records have at a place; where one of them has none, at the place that it lacks. */
export function bothAt(steps: readonly Step[], mine: Json, theirs: Json) {
  let path = '';
  let [my, their]: [Json?, Json?] = [mine, theirs];
  for (const step of steps) {
    path = typeof step === 'string' ? extendPath(path, step) : elementPath(path, ...step);
    [my, their] = [below(my, step), below(their, step)];
    if (!isSameKind(my, their)) break;
  }
  return { path, mine: my, theirs: their };
}

const isSameKind = (a: Json | undefined, b: Json | undefined) =>
  (isObject(a) && isObject(b)) || (Array.isArray(a) && Array.isArray(b));
