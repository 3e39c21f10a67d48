import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument, type Scalar } from 'yaml';
import { type Json, JsonNumber } from '../json/value.ts';

/** Aliases let a short text stand for an endless one. */
const maxNodes = 1_000_000;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export class YamlSyntaxError extends Error {
  /** The text around the place. */
  readonly near: string;

  constructor(reason: string, text: string, offset: number) {
    const before = text.slice(0, offset).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    super(`${reason} at line ${before.length}, column ${column}`);
    this.name = 'YamlSyntaxError';
    this.near = text.split('\n')[before.length - 1]?.trim().slice(0, 60) ?? '';
  }
}

/**
 * Reads one YAML 1.2 document as JSON: `no` is a string and so is a date, a key stands once, and a
 * number keeps its digits.
 */
export function parseYaml(text: string): Json {
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    intAsBigInt: true,
    prettyErrors: false,
  });
  const [error] = document.errors;
  if (error) throw new YamlSyntaxError(lowerFirst(error.message), text, error.pos[0]);
  let nodes = 0;

  function convert(node: unknown): Json {
    nodes += 1;
    if (nodes > maxNodes) throw new YamlSyntaxError('too many nodes', text, 0);
    if (isAlias(node)) return convert(node.resolve(document));
    if (isSeq(node)) return node.items.map(convert);
    if (isMap(node)) {
      return new Map(
        node.items.map(({ key, value }) => [String((key as Scalar).value), convert(value)]),
      );
    }
    return isScalar(node) ? scalar(node) : null;
  }

  function scalar(node: Scalar): Json {
    const { value, source } = node;
    if (typeof value === 'number' || typeof value === 'bigint') {
      if (source !== undefined && jsonNumber.test(source)) return new JsonNumber(source);
      if (typeof value === 'bigint' || Number.isFinite(value)) return new JsonNumber(String(value));
      throw new YamlSyntaxError(`JSON has no number ${source}`, text, offsetOf(node));
    }
    return typeof value === 'boolean' || value === null ? value : String(value);
  }

  return convert(document.contents);
}

const offsetOf = (node: Node) => node.range?.[0] ?? 0;
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
