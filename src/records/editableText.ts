import { TextSyntaxError } from '../json/parse.ts';
import { pretty } from '../json/text.ts';
import { isSame, type JsonObject, printJson } from '../json/value.ts';
import { printEditableYaml } from '../values/yaml.ts';
import { parseYaml } from './parseYaml.ts';

export type EditableForm = 'yaml' | 'json';

const commentMarks: Readonly<Record<EditableForm, string>> = { yaml: '#', json: '//' };

export function editableText(record: JsonObject, form: EditableForm): string {
  if (form === 'json') return `${pretty(printJson(record))}\n`;
  return record.size === 0 ? '' : printEditableYaml(record);
}

/** YAML takes a hundred times as long to parse and print as JSON. In characters of JSON. */
const maxYamlLength = 300_000;

/** YAML, unless the record is large or does not survive a round trip through YAML. */
export function formFor(record: JsonObject, wanted: EditableForm): EditableForm {
  if (wanted === 'json' || printJson(record).length > maxYamlLength) return 'json';
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
