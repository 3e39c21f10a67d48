import { isObject, type Json, JsonNumber, printJson } from '../../core/json/value.ts';

/** An object with more fields is cut like a list. */
const maxFields = 100;

/** Cuts texts, and the ends of lists, so that all of it has about `room` characters. */
export function shorten(json: Json, room: number): Json {
  const text = printJson(json);
  if (text.length <= room) return json;
  if (typeof json === 'string')
    return `${json.slice(0, room)}… ${json.length - room} more characters`;
  if (json instanceof JsonNumber) return `${text.slice(0, room)}…`;
  if (isObject(json)) {
    if (json.size > maxFields) return new Map(startOf([...json], room, (rest) => ['…', rest]));
    return new Map(shares([...json], room));
  }
  return Array.isArray(json)
    ? startOf(json, room, (rest) => rest).map((one) => shorten(one, room))
    : json;
}

/** The entries that fit, at least one, and how many there are more. */
function startOf<Entry extends Json | [string, Json]>(
  entries: readonly Entry[],
  room: number,
  more: (rest: string) => Entry,
): Entry[] {
  let left = room;
  const end = entries.findIndex((one) => {
    left -= printJson(one as Json).length;
    return left < 0;
  });
  const kept = entries.slice(0, end < 0 ? undefined : Math.max(end, 1));
  const rest = entries.length - kept.length;
  return rest > 0 ? [...kept, more(`… ${rest} more`)] : kept;
}

/** Short values stay whole. The long ones share what they leave. */
function shares(fields: readonly [string, Json][], room: number): [string, Json][] {
  const size = ([key, value]: [string, Json]) => key.length + printJson(value).length;
  const result = new Map<string, Json>(fields);
  let left = room;
  const bySize = [...fields].sort((a, b) => size(a) - size(b));
  for (const [at, [key, value]] of bySize.entries()) {
    const share = Math.floor(left / (bySize.length - at));
    const cut = shorten(value, Math.max(share - key.length, 20));
    result.set(key, cut);
    left -= size([key, cut]);
  }
  return [...result];
}
