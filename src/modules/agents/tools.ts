import { createHash } from 'node:crypto';
import path from 'node:path';
import { usageError } from '../../core/errors.ts';
import { type Declaration, type GivenOption, type Input, optionKey } from '../../core/input.ts';
import { printJson } from '../../core/json/value.ts';
import { recordOf } from '../../core/records/setFields.ts';
import type { AgentCall } from './call.ts';
import { type Places, placed, rowsJournal } from './files.ts';
import tools from './tools.json' with { type: 'json' };

/** A task for an agent. The flags of the command that does it are the fields. */
export interface Task {
  name: string;
  description: string;
  /** By the value of the field `kind`. A single one has no such field. */
  commands: Readonly<Record<string, string | undefined>>;
  flags: string[];
  /** The field with the arguments. */
  operand?: string;
  defaults?: Fields;
  /** The fields of records to show by default, or those of each kind; none means all. */
  fields?: string[] | Readonly<Record<string, string[] | undefined>>;
  /** `adds` changes nothing that exists. */
  writes?: string;
  /** The field that names a record, if it is not `_id`. */
  key?: string;
  /** A call writes only with one of these flags: a file. Without them, the command shows what it would write. */
  writeFlags?: string[];
  /** The unit in which that file is counted. */
  unit?: string;
  /** A call writes only without these flags. */
  readFlags?: string[];
}

/** The build makes the JSON Schema from the flags, and writes tools.json. */
export interface Tool extends Task {
  annotations: object;
  inputSchema: object;
}

/** The arguments of a call. The schema of the tool has been checked. */
export type Fields = Readonly<Record<string, unknown>>;

export function toolsFor(allowWrites: boolean): Tool[] {
  const all: Tool[] = [...tools.reads, ...(allowWrites ? tools.writes : [])];
  // A task that writes replaces the one that only reads.
  return [...new Map(all.map((tool) => [tool.name, tool])).values()];
}

export function isWrite({ writes, writeFlags, readFlags = [] }: Task, fields: Fields): boolean {
  const isGiven = (flag: string) => Boolean(fields[fieldOf(flag)]);
  return Boolean(writes) && (writeFlags?.some(isGiven) ?? true) && !readFlags.some(isGiven);
}

export function commandOf({ commands }: Task, { kind }: Fields): string {
  const [first] = Object.values(commands);
  return commands[String(kind)] ?? first ?? '';
}

/** The records' fields to show, or undefined for all. */
export function columnsOf(task: Task, { fields, summary, kind }: Fields): string[] | undefined {
  const { key = '_id' } = task;
  const own = Array.isArray(task.fields) ? task.fields : task.fields?.[String(kind)];
  const shown = [fields ?? (summary ? [] : (own ?? []))].flat().map(String);
  return shown.length > 0 && !shown.includes('all') ? [key, ...shown] : undefined;
}

/** The input of the command. A preview shows what it would write. */
export function inputOf(
  task: Task,
  fields: Fields,
  declared: Declaration,
  { isPreview, now, ...places }: Places & { isPreview: boolean; now: Date | undefined },
): Pick<AgentCall, 'stdin' | 'ids' | 'outputFile'> & { input: Input } {
  const { flags, operand = '', defaults, writeFlags } = task;
  let outputFile: string | undefined;
  const isPlain = !fields.range && !fields.summary && !isWrite(task, fields);
  const values: Fields = { ...(isPlain ? defaults : {}), ...fields };
  const options: Record<string, Input['options'][string]> = {};
  const given: GivenOption[] = [];
  const optionFor = (name: string) =>
    declared.options?.find(({ flags: own }) => optionKey(own) === optionKey(`--${name}`));
  const listed = (field: string) =>
    [values[field] ?? []].flat().map((one) => placed(field, String(one), places));
  for (const name of new Set([...flags, ...Object.keys(defaults ?? {})])) {
    const field = fieldOf(name);
    const value = values[field];
    const option = optionFor(name);
    if (value === undefined || value === false) continue;
    const texts = value === true ? [] : name === 'set' ? settings(value) : listed(field);
    if (isPreview && writeFlags?.includes(name)) continue;
    // The file of an undo is an argument, and most commands are of one kind.
    if (!option && (name === 'batch' || name === 'kind')) continue;
    if (!option && name === 'output') {
      [outputFile] = texts;
      continue;
    }
    if (!option) throw usageError(`${field} cannot be used here`, 'Leave it out.', { field });
    for (const text of texts) given.push({ name, value: text });
    options[optionKey(option.flags)] = value === true || (option.many ? texts : texts[0]);
  }
  if (isPreview && optionFor('dry-run')) options.dryRun = true;
  const words = fields.text === undefined ? listed(operand) : ['-'];
  const takesRows = flags.includes('batch') && optionFor('batch') !== undefined;
  const sameForAll = words.length > 1 ? words.map((_id) => ({ _id })) : undefined;
  const rows = takesRows ? (fields.rows ?? sameForAll) : undefined;
  const isOrder = declared.endpoint === 'workRequestCreate';
  if (isOrder && (rows ?? options.batch)) options.verifyIds = true;
  if (Array.isArray(rows)) {
    if (options.batch) throw usageError('rows and file cannot be used together', 'Leave one out.');
    const paths = isOrder ? orderPaths : {};
    const stdin = rows.map((row) => `${printJson(recordOf(settings(row, paths)))}\n`).join('');
    // A new record is created once. A change is compared with the record, and may come back.
    const time = declared.endpoint === 'assetPut' ? now : undefined;
    const parts = [time, declared.endpoint, given, stdin];
    const key = createHash('sha256').update(JSON.stringify(parts));
    const journal = path.join(places.rows, rowsJournal(key.digest('hex')));
    Object.assign(options, { batch: '-', journal });
    return { input: { arguments: fields.rows ? words : [], options, given }, stdin };
  }
  if (words.length > 0 && !declared.arguments) {
    return { input: { arguments: [], options: { ...options, all: true }, given }, ids: words };
  }
  const files = takesRows || operand === 'file' ? [] : listed('file');
  const stdin = fields.text as string | undefined;
  return { input: { arguments: [...files, ...words], options, given }, stdin, outputFile };
}

/**
 * Values are JSON, so that one that starts with @ is not read as a file. Paths have no `=`, with which the
 * value would start earlier. A value in `paths` is no object.
 */
const settings = (value: unknown, paths: Readonly<Record<string, string>> = {}) =>
  Object.entries(Object(value)).map(([name, json]) => {
    if (!/^[\w$][\w$.[\]+-]*$/.test(name)) {
      throw usageError(`${JSON.stringify(name)} is no path of a field`, { field: name });
    }
    const path = (typeof json === 'string' || Array.isArray(json)) && paths[name];
    return `${path || name}=${JSON.stringify(json)}`;
  });

/** The fields of a tool that orders, as a row may name them, and the form in which they are documented. */
const orderPaths = {
  asset: 'asset._id',
  project: 'project._id',
  due: 'due.date',
  tz: 'due.tz',
  use: 'uses.items',
  dialogue: 'dng.dialogue',
  tag: 'tags',
};

/** Most fields have the names of flags. */
const fieldNames: Readonly<Record<string, string>> = {
  batch: 'file',
  columns: 'fields',
  O: 'output',
};
export const fieldOf = (flag: string) => fieldNames[flag] ?? flag.replaceAll('-', '_');
