import { parseJson } from './parse.ts';
import { fromPlain, isObject, type Json, type JsonObject, printJson } from './value.ts';

/**
 * A record of the service, or one that the program makes in its place: ordinary values for reading,
 * the exact text for printing, and a lossless tree for changing it.
 */
export class ServiceRecord<Value = unknown> {
  readonly value: Value;
  readonly text: string;
  /** The ETag, with which a later write names the version that it replaces. */
  readonly tag?: string;
  /** The number of its row in a batch, for `--jq`. */
  row?: number;
  #tree?: Json;

  constructor(value: Value, text: string, tag?: string) {
    this.value = value;
    this.text = text;
    if (tag !== undefined) this.tag = tag;
  }

  static fromValue<Value>(value: Value): ServiceRecord<Value> {
    return new ServiceRecord(value, JSON.stringify(value));
  }

  static fromTree(tree: Json): ServiceRecord<Json> {
    const record = new ServiceRecord(tree, printJson(tree));
    record.#tree = tree;
    return record;
  }

  /** Kept by the record: for the records of a long list, `parseRecord` takes less memory. */
  get tree(): Json {
    this.#tree ??= parseRecord(this.text);
    return this.#tree;
  }
}

/** A record with more fields. Anything but an object becomes the field `name`. */
export function recordWith(json: Json, name: string, fields: object): ServiceRecord {
  const own: Iterable<[string, Json]> = isObject(json) ? json : [[name, json]];
  return ServiceRecord.fromTree(new Map([...own, ...(fromPlain(fields) as JsonObject)]));
}

export const parseRecord = (text: string): Json => parseJson(text, { lastKeyCounts: true });
