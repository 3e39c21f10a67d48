import { extendPath } from '../json/path.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';

/* Fields that only a service makes. A copy of a work request leaves them out, and an order must not have them. */

export function isEmpty(json: Json | undefined): boolean {
  if (Array.isArray(json)) return json.every(isEmpty);
  if (isObject(json)) return [...json.values()].every(isEmpty);
  return json === undefined || json === null || json === '';
}

/** A record without what only a service makes, and the paths of what it had of that. */
export function withoutServiceFields(
  record: JsonObject,
  /** The names of the record itself that the service makes; `$` stands for all that begin with it. */
  made: readonly string[],
  hosts: ReadonlySet<string> | undefined,
): { record: JsonObject; dropped: string[] } {
  const dropped: string[] = [];
  const isMade = (path: string, step: string | number, value: Json) =>
    (String(step).startsWith('$') && made.includes('$')) ||
    (path === step && made.includes(path)) ||
    isForeignLink(value, hosts);
  const kept = <Step extends string | number>(parent: string, steps: Iterable<[Step, Json]>) =>
    [...steps].flatMap(([step, value]): [Step, Json][] => {
      const path = extendPath(parent, step);
      if (!isMade(path, step, value)) return [[step, cleaned(value, path)]];
      if (!isEmpty(value)) dropped.push(path);
      return [];
    });
  const cleaned = (json: Json, path: string): Json => {
    if (Array.isArray(json)) return kept(path, json.entries()).map(([, value]) => value);
    return isObject(json) ? new Map(kept(path, json)) : json;
  };
  return { record: new Map(kept('', record)), dropped };
}

/** A link to a record, such as those of `$links`, at a host that is not one of the service. */
function isForeignLink(value: Json, hosts: ReadonlySet<string> | undefined): boolean {
  if (typeof value !== 'string' || !hosts) return false;
  const [, host] = /^(?:https?:)?\/\/([^/\s]+)\/api\/\S+$/i.exec(value) ?? [];
  return host !== undefined && !hosts.has(host.toLowerCase());
}
