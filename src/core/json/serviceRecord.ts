import { parseJson } from './parse.ts';
import { fromPlain, isObject, type Json, type JsonObject, printJson } from './value.ts';

/**
 * A record of the service, or one that the program makes in its place: ordinary values for reading,
 * the exact text for printing, and a lossless tree for changing it.
 */
export class ServiceRecord<Value = unknown> {
  readonly value: Value;
  /** The ETag, with which a later write names the version that it replaces. */
  readonly tag?: string;
  /** The number of its row in a batch, for `--jq`. */
  row?: number;
  #text: string | undefined;
  #tree?: Json;

  constructor(value: Value, text: string | undefined, tag?: string) {
    this.value = value;
    this.#text = text;
    if (tag !== undefined) this.tag = tag;
  }

  static fromValue<Value>(value: Value): ServiceRecord<Value> {
    return new ServiceRecord(value, JSON.stringify(value));
  }

  static fromTree(tree: Json): ServiceRecord<Json> {
    const record = new ServiceRecord(tree, undefined);
    record.#tree = tree;
    return record;
  }

  /** A record that was made is printed on first use: often only a changed copy of it is. */
  get text(): string {
    this.#text ??= printJson(this.tree);
    return this.#text;
  }

  /** Kept by the record: for the records of a long list, `parseRecord` takes less memory. */
  get tree(): Json {
    this.#tree ??= parseRecord(this.#text ?? '');
    return this.#tree;
  }
}

/** A record with another field, added to its text: reading and printing a long list takes longer. */
export function recordWithField(record: ServiceRecord, name: string, value: object): ServiceRecord {
  const { value: own, text } = record;
  const isPlain = typeof own === 'object' && own !== null && !Array.isArray(own);
  if (!isPlain || name in own || Object.keys(own).length === 0) {
    return recordWith(record.tree, 'record', { [name]: value });
  }
  const added = JSON.stringify({ [name]: value }).slice(1);
  return new ServiceRecord({ ...own, [name]: value }, `${text.trimEnd().slice(0, -1)},${added}`);
}

/** A record with more fields. Anything but an object becomes the field `name`. */
export function recordWith(json: Json, name: string, fields: object): ServiceRecord {
  const own: Iterable<[string, Json]> = isObject(json) ? json : [[name, json]];
  return ServiceRecord.fromTree(new Map([...own, ...(fromPlain(fields) as JsonObject)]));
}

export const parseRecord = (text: string): Json => parseJson(text, { lastKeyCounts: true });
