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
import { type Json, JsonNumber, type JsonObject } from '../json/value.ts';

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Parses one YAML 1.2 document as JSON: `no` and dates are strings, duplicate keys are errors, and
 * numbers are those of JSON and keep their digits.
 */
export function parseYaml(text: string): Json {
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    // Checked below, because the library takes quadratic time.
    uniqueKeys: false,
    intAsBigInt: true,
    prettyErrors: false,
  });
  // A warning is about a tag that JSON has no type for.
  const [error] = [...document.errors, ...document.warnings];
  if (error) {
    const message =
      error.code === 'MULTIPLE_DOCS' ? 'expected one document, found a second one' : error.message;
    const reason =
      message.charAt(0).toLowerCase() + message.slice(1).replace('tag:yaml.org,2002:', '!!');
    throw new TextSyntaxError(reason, text, error.pos[0]);
  }
  const errorAt = ({ range }: Node, reason: string) =>
    new TextSyntaxError(reason, text, range?.[0] ?? 0);

  function convert(node: unknown, depth = 0): Json {
    if (!isNode(node)) return null;
    // Aliases can make a short text expand without end.
    if (isAlias(node)) throw errorAt(node, `*${node.source} is not supported: write out its value`);
    if (depth > maxDepth) throw errorAt(node, `nested deeper than ${maxDepth} levels`);
    if (isScalar(node)) return scalar(node);
    if (isSeq(node)) return node.items.map((item) => convert(item, depth + 1));
    return fields(node as YAMLMap, depth + 1);
  }

  function fields({ items }: YAMLMap, depth: number): Json {
    const object: JsonObject = new Map();
    for (const item of items) {
      const key = item.key as Scalar;
      // The merge key of YAML 1.1 would be sent as a field.
      if (key.value === '<<' && key.type === 'PLAIN') {
        throw errorAt(key, 'the merge key << is not supported: write out its fields');
      }
      const name = String(key.value);
      if (object.has(name)) throw errorAt(key, `duplicate key ${name}`);
      object.set(name, convert(item.value, depth));
    }
    return object;
  }

  function scalar(node: Scalar): Json {
    const { value, source, tag } = node;
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
