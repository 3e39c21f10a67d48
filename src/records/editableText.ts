import { JsonSyntaxError } from '../json/parse.ts';
import { pretty } from '../json/text.ts';
import { isObject, isSame, type Json, type JsonObject, printJson } from '../json/value.ts';
import { parseYaml, printYaml, YamlSyntaxError } from './parseYaml.ts';

export type EditableForm = 'yaml' | 'json';

/** What sets a remark off from the record, in each form. */
const marks: Readonly<Record<EditableForm, string>> = { yaml: '#', json: '//' };

/** A record as a text for an editor. */
export function editableText(record: JsonObject, form: EditableForm): string {
  if (form === 'json') return `${pretty(printJson(record))}\n`;
  return record.size === 0 ? '' : printYaml(record);
}

/** Reading and printing YAML takes a hundred times as long as JSON. */
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

/** YAML, unless the record is large or holds what YAML would not give back as it was. */
export function formFor(record: JsonObject, wanted: EditableForm): EditableForm {
  if (wanted === 'json' || isLarge(record)) return 'json';
  try {
    return isSame(parseYaml(editableText(record, 'yaml')) ?? new Map(), record) ? 'yaml' : 'json';
  } catch (error) {
    if (error instanceof YamlSyntaxError || error instanceof JsonSyntaxError) return 'json';
    throw error;
  }
}

/** Remarks as lines of a text. */
export const remarkLines = (remarks: readonly string[], form: EditableForm): string[] =>
  remarks.flatMap((remark) => remark.split('\n')).map((line) => `${marks[form]} ${line}`.trimEnd());

/** What follows those lines, as far as they still stand on top: what a person wrote is not ours. */
export function afterLines(text: string, lines: readonly string[]): string {
  const all = text.split('\n');
  const begin = all.findIndex((line) => !lines.includes(line.trimEnd()));
  return all.slice(begin < 0 ? all.length : begin).join('\n');
}

/** The text without remarks on top, each line in its place: errors are told by their lines. */
export function blankRemarks(text: string, form: EditableForm): string {
  if (form === 'yaml') return text;
  return text.replace(/^(?:[ \t]*\/\/[^\n]*\n)+/, (remarks) => remarks.replace(/[^\n]/g, ''));
}

/** Whether there is nothing in it but remarks. */
export function isBlank(text: string, form: EditableForm): boolean {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.every((line) => line === '' || line.startsWith(marks[form]));
}
