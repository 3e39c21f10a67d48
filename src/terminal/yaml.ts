import { isObject, type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import { sanitise, visibleJson } from './sanitise.ts';

/*
 * JSON as YAML that means the same to readers of YAML 1.2 and of YAML 1.1. A text stands without
 * quotes only where neither could take it for anything else; quoted, it is as JSON has it.
 */

/** Begins like a word, so it is no number and no date. */
const plainStart = /^[\p{L}_$/]/u;
/**
 * `: ` and ` #` mean something else. Two patterns: one that repeats an alternative for each character
 * overflows the stack on a long text.
 */
const notPlain = /\p{C}|(?! )\p{Z}| (?=[ #]|$)|:(?= |$)/u;
const otherMeaning = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** Readers need not look further than this for the end of a key. */
const longestKey = 1000;

/** A whole document, or with `item` one entry of a sequence. */
export function printYaml(json: Json, { item = false } = {}): string {
  return item ? `- ${block(json, '  ')}\n` : `${block(json, '')}\n`;
}

/** A value where the line already stands at its indent. */
function block(json: Json, indent: string): string {
  if (Array.isArray(json) && json.length > 0) {
    return json.map((element) => `- ${block(element, `${indent}  `)}`).join(`\n${indent}`);
  }
  if (isObject(json) && json.size > 0) return fields(json, indent);
  return scalar(json);
}

function fields(object: JsonObject, indent: string): string {
  const entries = [...object].map(([key, value]) => {
    const name = text(key);
    const isLong = name.length > longestKey;
    return `${isLong ? `? ${name}\n${indent}` : name}:${isBlock(value) ? nested(value, indent) : ` ${scalar(value)}`}`;
  });
  return entries.join(`\n${indent}`);
}

const nested = (json: Json, indent: string) => `\n${indent}  ${block(json, `${indent}  `)}`;

const isBlock = (json: Json) =>
  Array.isArray(json) ? json.length > 0 : isObject(json) && json.size > 0;

function scalar(json: Json): string {
  if (typeof json === 'string') return text(json);
  if (json instanceof JsonNumber) return number(json.source);
  if (Array.isArray(json)) return '[]';
  return isObject(json) ? '{}' : String(json);
}

/** YAML 1.1 knows an exponent by the dot before it and its sign. */
function number(source: string): string {
  const [, whole = '', fraction = '', sign, exponent] =
    /^(-?\d+)(\.\d+)?[eE]([-+]?)(\d+)$/.exec(source) ?? [];
  return exponent === undefined ? source : `${whole}${fraction || '.0'}e${sign || '+'}${exponent}`;
}

function text(value: string): string {
  const isPlain =
    plainStart.test(value) &&
    !notPlain.test(value) &&
    !otherMeaning.test(value) &&
    isVisible(value);
  return isPlain ? value : quoted(value);
}

const isVisible = (value: string) => sanitise(value) === value;

/** JSON leaves bare what YAML does not allow or a terminal obeys. */
function quoted(value: string): string {
  const json = JSON.stringify(value);
  return isVisible(json) ? json : visibleJson(json, escapes);
}

/** YAML knows no surrogate pairs: a character has one escape. */
const escapes = (text: string): string => Array.from(text, escaped).join('');

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
