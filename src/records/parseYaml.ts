import {
  isAlias,
  isNode,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { maxDepth, TextSyntaxError } from '../json/parse.ts';
import { isObject, type Json, JsonNumber, type JsonObject } from '../json/value.ts';

/** Aliases can make a short text expand without end. */
const maxNodes = 1_000_000;
const tooMany = `the document has too many values; the limit is ${maxNodes}`;

/** The tags of types that JSON has. Any other tag would lose its meaning. */
const jsonTags: Readonly<Record<string, (json: Json) => boolean>> = {
  '!!str': (json) => typeof json === 'string',
  '!!int': (json) => json instanceof JsonNumber && /^-?\d+$/.test(json.source),
  '!!float': (json) => json instanceof JsonNumber,
  '!!bool': (json) => typeof json === 'boolean',
  '!!null': (json) => json === null,
  '!!map': isObject,
  '!!seq': Array.isArray,
  '!': () => true,
};

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Parses one YAML 1.2 document as JSON: `no` and dates are strings, duplicate keys are errors, and
 * numbers are those of JSON and keep their digits.
 */
export function parseYaml(text: string): Json {
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    // Checked below, because the library takes quadratic time.
    uniqueKeys: false,
    intAsBigInt: true,
    prettyErrors: false,
  });
  const [error] = document.errors;
  if (error) {
    const message =
      error.code === 'MULTIPLE_DOCS' ? 'expected one document, found a second one' : error.message;
    const reason = message.charAt(0).toLowerCase() + message.slice(1);
    throw new TextSyntaxError(reason, text, error.pos[0]);
  }
  const errorAt = ({ range }: Node, reason: string) =>
    new TextSyntaxError(reason, text, range?.[0] ?? 0);
  const anchors = new Map<string, Node>();
  const open = new Set<Node>();
  let nodes = 0;

  function convert(node: unknown): Json {
    nodes += 1;
    if (nodes > maxNodes) throw new TextSyntaxError(tooMany, text, 0);
    if (isAlias(node)) {
      // By a map, because the library searches the whole document.
      const named = anchors.get(node.source);
      if (named && !open.has(named)) return convert(named);
      const why = named ? 'refers to itself' : 'has no anchor';
      throw errorAt(node, `the alias *${node.source} ${why}`);
    }
    if (!isNode(node)) return null;
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (open.size > maxDepth) throw errorAt(node, `nested deeper than ${maxDepth} levels`);
    open.add(node);
    let json: Json;
    if (isScalar(node)) json = scalar(node);
    else json = isSeq(node) ? node.items.map(convert) : fields(node as YAMLMap);
    open.delete(node);
    checkTag(node, json);
    return json;
  }

  function checkTag(node: Node, json: Json): void {
    if (node.tag === undefined) return;
    const name = node.tag.replace('tag:yaml.org,2002:', '!!');
    const isType = Object.hasOwn(jsonTags, name) ? jsonTags[name] : undefined;
    if (isType?.(json)) return;
    const reason = isType
      ? `the value does not match the tag ${name}`
      : `JSON has no type for the tag ${name}`;
    throw errorAt(node, reason);
  }

  function fields({ items }: YAMLMap): Json {
    const object: JsonObject = new Map();
    for (const item of items) {
      const key = item.key as Scalar;
      // The merge key of YAML 1.1 would be sent as a field.
      if (key.value === '<<' && key.type === 'PLAIN') {
        throw errorAt(key, 'the merge key << is not supported: write out its fields');
      }
      const name = String(key.value);
      if (object.has(name)) throw errorAt(key, `duplicate key ${name}`);
      object.set(name, convert(item.value));
    }
    return object;
  }

  function scalar(node: Scalar): Json {
    const { value, source, tag } = node;
    // The library detects a float only by a dot or an exponent.
    if (tag?.endsWith(':float') && jsonNumber.test(String(value))) {
      return new JsonNumber(source && jsonNumber.test(source) ? source : String(value));
    }
    if (typeof value === 'number' || typeof value === 'bigint') {
      if (source !== undefined && jsonNumber.test(source)) return new JsonNumber(source);
      const isNumber = typeof value === 'bigint' || Number.isFinite(value);
      // 007, +33 and 0x1F are strings, unless a tag makes them numbers.
      if (isNumber) return tag || source === undefined ? new JsonNumber(String(value)) : source;
      throw errorAt(node, `${source} is not a number in JSON`);
    }
    return typeof value === 'boolean' || value === null ? value : String(value);
  }

  return convert(document.contents);
}
