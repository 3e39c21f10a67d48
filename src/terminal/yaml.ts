import { unicodeEscape } from '../json/text.ts';
import { isObject, type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import { sanitise, visibleJson } from './sanitise.ts';

/** The start of a word, not of a number or a date. */
const plainStart = /^[\p{L}_$/]/u;
/**
 * Includes `: ` and ` #`. Not part of one pattern with `plainStart`, because repeating an alternative
 * for each character overflows the stack on a long string.
 */
const notPlain = /\p{C}|(?! )\p{Z}| (?=[ #]|$)|:(?= |$)/u;
const otherMeaning = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** Parsers look no further than about 1,000 characters for the end of a key. */
const maxKeyLength = 1000;

interface YamlStyle {
  string(value: string, indent: string): string;
  key(value: string, indent: string): string;
  number(source: string): string;
}

export const printYaml = (json: Json, { item = false } = {}): string =>
  item ? `- ${block(json, '  ', portable)}\n` : `${block(json, '', portable)}\n`;

/** Prints a record for an editor: as few quotes as YAML 1.2 allows, and text on several lines. */
export const printEditableYaml = (json: Json): string => `${block(json, '', editable)}\n`;

/** A value in a line that is already indented. */
function block(json: Json, indent: string, style: YamlStyle): string {
  const inner = `${indent}  `;
  if (!isBlock(json)) return scalar(json, indent, style);
  if (Array.isArray(json)) {
    return json.map((element) => `- ${block(element, inner, style)}`).join(`\n${indent}`);
  }
  const entries = [...json].map(([key, value]) => {
    const name = style.key(key, indent);
    const start = name.length > maxKeyLength ? `? ${name}\n${indent}:` : `${name}:`;
    return `${start}${isBlock(value) ? `\n${inner}` : ' '}${block(value, inner, style)}`;
  });
  return entries.join(`\n${indent}`);
}

const isBlock = (json: Json): json is Json[] | JsonObject =>
  Array.isArray(json) ? json.length > 0 : isObject(json) && json.size > 0;

function scalar(json: Json, indent: string, style: YamlStyle): string {
  if (typeof json === 'string') return style.string(json, indent);
  if (json instanceof JsonNumber) return style.number(json.source);
  if (Array.isArray(json)) return '[]';
  return isObject(json) ? '{}' : String(json);
}

/** Means the same in YAML 1.2 and 1.1, and is safe on a terminal. */
const portable: YamlStyle = { string: portableString, key: portableString, number: portableNumber };

/** YAML 1.1 requires a dot and a sign in a number with an exponent. */
function portableNumber(source: string): string {
  const [, whole = '', fraction = '', sign, exponent] =
    /^(-?\d+)(\.\d+)?[eE]([-+]?)(\d+)$/.exec(source) ?? [];
  return exponent === undefined ? source : `${whole}${fraction || '.0'}e${sign || '+'}${exponent}`;
}

function portableString(value: string): string {
  const isPlain =
    plainStart.test(value) &&
    !notPlain.test(value) &&
    !otherMeaning.test(value) &&
    isVisible(value);
  return isPlain ? value : quoted(value);
}

const isVisible = (value: string) => sanitise(value) === value;

/** Escapes what JSON allows, but YAML forbids or a terminal obeys. */
function quoted(value: string): string {
  const json = JSON.stringify(value);
  return isVisible(json) ? json : visibleJson(json, escapes);
}

/** YAML has no surrogate pairs: each character is one escape. */
const escapes = (text: string): string =>
  Array.from(text, (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16);
    return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : unicodeEscape(character);
  }).join('');

const editable: YamlStyle = {
  string: editableString,
  key: (value, indent) =>
    /\n/.test(value) || (indent === '' && /^(?:---|\.\.\.)/.test(value))
      ? editableQuoted(value)
      : editableString(value, indent),
  number: (source) => source,
};

const needsEscapes = /(?![\t\n])[\p{Cc}\p{Cs}]/u;
/** Indicators of YAML, wherever a plain string must not contain them. */
const indicator = /^[\t ,[\]{}#&*!|>'"%@`]|^[?-]$|^[?-][ \t]|:[ \t]|[\t ]#|[\t :]$/;
/** Strings that YAML 1.2 reads as null, a boolean or a number. */
const otherType =
  /^(?:~|null|Null|NULL|[Tt]rue|TRUE|[Ff]alse|FALSE|[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN|0o[0-7]+|0x[\da-fA-F]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?)?$/;

function editableString(value: string, indent: string): string {
  if (needsEscapes.test(value)) return quoted(value);
  if (!value.includes('\n')) {
    return indicator.test(value) || otherType.test(value) ? editableQuoted(value) : value;
  }
  const endsInSpaces = /\n[\t ]+$/.test(value) || !/[^\n\t ]/.test(value);
  return endsInSpaces ? editableQuoted(value) : literal(value, indent);
}

/** Single quotes save escapes where a string contains double quotes. */
const editableQuoted = (value: string) =>
  /"/.test(value) && !/['\n]/.test(value) && !needsEscapes.test(value)
    ? `'${value}'`
    : quoted(value);

/** A literal block: `|`, an indent if the text starts with a space, and how to treat its end. */
function literal(value: string, indent: string): string {
  const end = /[\n\t ]*$/.exec(value)?.[0] ?? '';
  const newline = end.indexOf('\n');
  const isKept = value === end || newline !== end.length - 1;
  const chomping = newline < 0 ? '-' : isKept ? '+' : '';
  const [start = ''] = /^[ \n]*/.exec(value.slice(0, value.length - end.length)) ?? [];
  const lines = value.replace(/\n$/, '').split('\n');
  const text = lines.map((line, index) => (line === '' && index > 0 ? '' : indent + line));
  return `|${start.includes(' ') ? '2' : ''}${chomping}\n${text.join('\n')}`;
}
