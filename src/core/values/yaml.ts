import { type ScalarTag, stringify } from 'yaml';
import { stringifyString } from 'yaml/util';
import { unicodeEscape } from '../json/text.ts';
import { type Json, JsonNumber } from '../json/value.ts';
import { sanitise, visibleJson } from './sanitise.ts';

/** Prints a record, or an entry of a list. Reads the same as YAML 1.1, and is safe on a terminal. */
export const printYaml = (json: Json, { item = false } = {}): string =>
  stringify(item ? [json] : json, {
    customTags: (tags) => [portableNumber, portableString, ...tags],
    compat: 'yaml-1.1',
    singleQuote: false,
    ...layout,
  });

/** Prints a record for an editor: as few quotes as YAML 1.2 allows, and text on several lines. */
export const printEditableYaml = (json: Json): string =>
  stringify(json, { customTags: (tags) => [editableNumber, editableString, ...tags], ...layout });

const layout = { lineWidth: 0, doubleQuotedAsJSON: true, aliasDuplicateObjects: false };

const numberTag = (print: (source: string) => string): ScalarTag => ({
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof JsonNumber,
  resolve: (source) => new JsonNumber(source),
  stringify: ({ value }) => print((value as JsonNumber).source),
});

const editableNumber = numberTag((source) => source);

/** YAML 1.1 requires a dot and a sign in a number with an exponent. */
const portableNumber = numberTag((source) => {
  const [, whole = '', fraction = '', sign, exponent] =
    /^(-?\d+)(\.\d+)?[eE]([-+]?)(\d+)$/.exec(source) ?? [];
  return exponent === undefined ? source : `${whole}${fraction || '.0'}e${sign || '+'}${exponent}`;
});

/** The package decides how to print a string, unless it must be in double quotes. */
const stringTag = (mustQuote: (value: string) => boolean): ScalarTag => ({
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => typeof value === 'string',
  resolve: (source) => source,
  stringify(item, context, ...callbacks) {
    const value = item.value as string;
    if (mustQuote(value)) return quoted(value);
    context.actualString = true;
    return stringifyString({ value }, context, ...callbacks);
  },
});

/** Some readers of YAML 1.1 give `=` and other strings that start with no letter a meaning. */
const portableString = stringTag(
  (value) => !/^[\p{L}_$/]/u.test(value) || value.includes('\n') || !isVisible(value),
);

/** The package loses the spaces of a text that has several lines and nothing else in them. */
const editableString = stringTag(
  (value) =>
    /(?![\t\n])[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(value) ||
    (value.includes('\n') && !/[^\n\t ]/.test(value)),
);

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
