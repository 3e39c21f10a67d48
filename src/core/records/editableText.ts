import { TextSyntaxError } from '../json/parse.ts';
import { pretty } from '../json/text.ts';
import { isSame, type JsonObject, printJson } from '../json/value.ts';
import { printYaml } from '../values/yaml.ts';
import { parseYaml } from './parseYaml.ts';

/** YAML. A record that does not survive a round trip is written in the style of JSON, which is YAML too. */
export function editableText(record: JsonObject): string {
  if (record.size === 0) return '';
  const text = printYaml(record);
  try {
    if (isSame(parseYaml(text), record)) return text;
  } catch (error) {
    if (!(error instanceof TextSyntaxError)) throw error;
  }
  return `${pretty(printJson(record))}\n`;
}

export const commentLines = (comments: readonly string[]): string[] =>
  comments.flatMap((one) => one.split('\n')).map((line) => `# ${line}`.trimEnd());

/** Removes the lines from the top, as far as they are still there: other comments are the user's. */
export function afterLines(text: string, lines: readonly string[]): string {
  const all = text.split('\n');
  const start = all.findIndex((line) => !lines.includes(line.trimEnd()));
  return all.slice(start < 0 ? all.length : start).join('\n');
}

export const isBlank = (text: string): boolean =>
  text.split('\n').every((line) => line.trim() === '' || line.trim().startsWith('#'));
