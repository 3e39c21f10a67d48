import { TextSyntaxError } from '../json/parse.ts';
import { pretty } from '../json/text.ts';
import { isObject, isSame, type Json, type JsonObject, printJson } from '../json/value.ts';
import { printEditableYaml } from '../values/yaml.ts';
import { parseYaml } from './parseYaml.ts';

export type EditableForm = 'yaml' | 'json';

const commentMarks: Readonly<Record<EditableForm, string>> = { yaml: '#', json: '//' };

export function editableText(record: JsonObject, form: EditableForm): string {
  if (form === 'json') return `${pretty(printJson(record))}\n`;
  return record.size === 0 ? '' : printEditableYaml(record);
}

/** YAML takes a hundred times as long to parse and print as JSON. */
const maxYamlValues = 20_000;

function isLarge(record: JsonObject): boolean {
  let values = 0;
  const count = (json: Json): boolean => {
    values += 1;
    if (values > maxYamlValues) return true;
    if (Array.isArray(json)) return json.some(count);
    return isObject(json) && [...json.values()].some(count);
  };
  return count(record);
}

/** YAML, unless the record is large or does not survive a round trip through YAML. */
export function formFor(record: JsonObject, wanted: EditableForm): EditableForm {
  if (wanted === 'json' || isLarge(record)) return 'json';
  try {
    return isSame(parseYaml(editableText(record, 'yaml')) ?? new Map(), record) ? 'yaml' : 'json';
  } catch (error) {
    if (error instanceof TextSyntaxError) return 'json';
    throw error;
  }
}

export const commentLines = (comments: readonly string[], form: EditableForm): string[] =>
  comments
    .flatMap((one) => one.split('\n'))
    .map((line) => `${commentMarks[form]} ${line}`.trimEnd());

/** Removes the lines from the top, as far as they are still there: other comments are the user's. */
export function afterLines(text: string, lines: readonly string[]): string {
  const all = text.split('\n');
  const start = all.findIndex((line) => !lines.includes(line.trimEnd()));
  return all.slice(start < 0 ? all.length : start).join('\n');
}

/** Empties comment lines at the top, so that line numbers in errors stay right. */
export function blankComments(text: string, form: EditableForm): string {
  if (form === 'yaml') return text;
  return text.replace(/^(?:[ \t]*\/\/[^\n]*\n)+/, (comments) => comments.replace(/[^\n]/g, ''));
}

export const isBlank = (text: string, form: EditableForm): boolean =>
  text
    .split('\n')
    .every((line) => line.trim() === '' || line.trim().startsWith(commentMarks[form]));
