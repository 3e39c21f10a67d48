import {
  type Alias,
  isAlias,
  isNode,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from 'yaml';
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
  if (error) {
    const isSecond = error.code === 'MULTIPLE_DOCS';
    const reason = isSecond ? 'a second document begins' : lowerFirst(error.message);
    throw new YamlSyntaxError(reason, text, error.pos[0]);
  }
  const anchors = new Map<string, Node>();
  const open = new Set<Node>();
  let nodes = 0;

  /** What an alias stands for. Looked up by us: the library searches the document each time. */
  function resolve(alias: Alias): Json {
    const node = anchors.get(alias.source);
    if (node === undefined || open.has(node)) {
      const why = node === undefined ? 'stands for nothing' : 'stands for what it is part of';
      throw new YamlSyntaxError(`the alias *${alias.source} ${why}`, text, offsetOf(alias));
    }
    return convert(node);
  }

  function convert(node: unknown): Json {
    nodes += 1;
    if (nodes > maxNodes) throw new YamlSyntaxError('too many nodes', text, 0);
    if (isAlias(node)) return resolve(node);
    if (!isNode(node)) return null;
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isScalar(node)) return scalar(node);
    open.add(node);
    const json = isSeq(node) ? node.items.map(convert) : fields(node as YAMLMap);
    open.delete(node);
    return json;
  }

  const fields = ({ items }: YAMLMap): Json =>
    new Map(items.map(({ key, value }) => [String((key as Scalar).value), convert(value)]));

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
