import { type ScalarTag, stringify } from 'yaml';
import { stringifyString } from 'yaml/util';
import { unicodeEscape } from '../json/text.ts';
import { type Json, JsonNumber } from '../json/value.ts';
import { sanitise, visibleJson } from './sanitise.ts';

/** Prints a record, or an entry of a list. Strings read the same as YAML 1.1, and are safe on a terminal. */
export const printYaml = (json: Json, { item = false } = {}): string =>
  stringify(item ? [json] : json, {
    customTags: (tags) => [exactNumber, portableString, ...tags],
    compat: 'yaml-1.1',
    singleQuote: false,
    lineWidth: 0,
    doubleQuotedAsJSON: true,
    aliasDuplicateObjects: false,
  });

const exactNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof JsonNumber,
  resolve: (source) => new JsonNumber(source),
  stringify: ({ value }) => (value as JsonNumber).source,
};

/** The package decides how to print a string, unless it must be in double quotes. */
const portableString: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => typeof value === 'string',
  resolve: (source) => source,
  stringify(item, context, ...callbacks) {
    const value = item.value as string;
    // Some readers of YAML 1.1 give `=` and other strings that start with no letter a meaning.
    const isPlain = /^[\p{L}_$/]/u.test(value) && value.split('\n').every(isVisible);
    if (!isPlain) return quoted(value);
    context.actualString = true;
    return stringifyString({ value }, context, ...callbacks);
  },
};

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
