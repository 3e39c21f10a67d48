import { usageError } from '../errors.ts';
import { type GivenOption, type Input, optionKey } from '../input.ts';
import type { JsonObject } from '../json/value.ts';

/** The field that a flag sets. A list gets all values of the flag; its old elements are replaced. */
interface FieldFlag {
  path: string;
  kind?: 'list' | 'date' | 'reference';
}

/** By the names of the flags. */
export type FieldFlags = Readonly<Record<string, FieldFlag>>;

/** Turns flags such as --language into edits, which come before those of --set. */
export function withFieldFlags(input: Input, fields: FieldFlags): Input {
  const edits = Object.entries(fields).flatMap(([name, field]) => {
    const value = input.options[optionKey(`--${name}`)];
    const texts = [...new Set([value].flat().filter((text) => typeof text === 'string'))];
    // Probably an empty variable in a script.
    if (texts.some((text) => text.trim() === ''))
      throw usageError(`--${name} is empty`, { flag: `--${name}` });
    return texts.map((text, index) => ({
      ...asSetFlag(field, text, index),
      source: { flag: `--${name}`, value: text },
    }));
  });
  return { ...input, given: [...edits, ...input.given] };
}

/** The flag as the `--set` that does the same. */
function asSetFlag({ path, kind }: FieldFlag, text: string, index: number): GivenOption {
  if (kind === undefined) return { name: 'set-string', value: `${path}=${text}` };
  if (kind === 'list' && index > 0) return { name: 'set-string', value: `${path}[+]=${text}` };
  const value = { list: [text], date: text, reference: { _id: text } }[kind];
  return { name: 'set', value: `${path}=${JSON.stringify(value)}` };
}

/** A tag may be in the file too. */
export function removeRepeatedTags(record: JsonObject): void {
  const tags = record.get('tags');
  if (Array.isArray(tags)) record.set('tags', [...new Set(tags)]);
}
