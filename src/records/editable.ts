import { JsonSyntaxError } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { pretty } from '../json/text.ts';
import { isSame, type JsonObject } from '../json/value.ts';
import { printYaml } from './printYaml.ts';
import { parseYaml, YamlSyntaxError } from './yaml.ts';

export type EditableForm = 'yaml' | 'json';

/** What sets a remark off from the record, in each form. */
const marks: Readonly<Record<EditableForm, string>> = { yaml: '#', json: '//' };

/** A record as a text for an editor. */
export function editableText(record: JsonObject, form: EditableForm): string {
  if (form === 'json') return `${pretty(printJson(record))}\n`;
  return record.size === 0 ? '' : printYaml(record);
}

/** YAML, unless the record holds what YAML would not give back as it was. */
export function formFor(record: JsonObject, wanted: EditableForm): EditableForm {
  if (wanted === 'json') return 'json';
  try {
    return isSame(parseYaml(editableText(record, 'yaml')) ?? new Map(), record) ? 'yaml' : 'json';
  } catch (error) {
    if (error instanceof YamlSyntaxError || error instanceof JsonSyntaxError) return 'json';
    throw error;
  }
}

/** The same text with remarks on top of it, in place of those that stood there. */
export function withRemarks(text: string, remarks: readonly string[], form: EditableForm): string {
  const lines = remarks.flatMap((remark) => remark.split('\n'));
  return [
    ...lines.map((line) => `${marks[form]} ${line}`.trimEnd()),
    afterRemarks(text, form),
  ].join('\n');
}

/** What follows the remarks on top. */
export function afterRemarks(text: string, form: EditableForm): string {
  const lines = text.split('\n');
  const begin = lines.findIndex((line) => !line.startsWith(`${marks[form]} `));
  return lines.slice(begin < 0 ? lines.length : begin).join('\n');
}

/** The text without them, each line in its place: errors are told by their lines. */
export function blankRemarks(text: string, form: EditableForm): string {
  if (form === 'yaml') return text;
  const rest = afterRemarks(text, form);
  const remarks = text.slice(0, text.length - rest.length);
  return remarks.replace(/[^\n]/g, '') + rest;
}

/** Whether there is nothing in it but remarks. */
export function isBlank(text: string, form: EditableForm): boolean {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.every((line) => line === '' || line.startsWith(marks[form]));
}
