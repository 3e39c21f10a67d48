import { type Declaration, type GivenOption, type Input, optionKey } from '../input.ts';
import tools from './tools.json' with { type: 'json' };

/** A task for an agent. The flags of the command that does it are the fields. */
export interface Task {
  name: string;
  description: string;
  /** If there are several, the field `kind` chooses one by its first word. */
  commands: string[];
  flags: string[];
  /** The field with the arguments. */
  operand?: string;
  defaults?: Fields;
  /** The fields of records to show by default; none means all. A preview shows all. */
  fields?: string[];
  /** Exit code 3 means that problems were found, not that the task failed. */
  findsProblems?: boolean;
  /** `adds` changes nothing that exists. */
  writes?: string;
  /** A call writes only with one of these flags. Other tasks have --dry-run. */
  writeFlags?: string[];
  /** A call writes only without these flags. */
  readFlags?: string[];
}

/** `npm run generate` makes the JSON Schema from the flags, and writes tools.json. */
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

/** The words of the command that does a task. */
export const commandOf = ({ commands }: Task, { kind }: Fields): string =>
  commands.find((name) => kindOf(name) === kind) ?? commands[0] ?? '';

/** The records' fields to show, or undefined for all. */
export function columnsOf(task: Task, fields: Fields): string[] | undefined {
  const shown = [fields.fields ?? task.fields ?? []].flat().map(String);
  return shown.length > 0 ? ['_id', ...shown] : undefined;
}

/** The input of the command. A preview shows what it would write. */
export function inputOf(
  task: Task,
  fields: Fields,
  declared: Declaration,
  isPreview: boolean,
): Input {
  const { flags, operand = '', defaults, writeFlags } = task;
  const values = { ...(fields.range || fields.summary ? {} : defaults), ...fields };
  const options: Record<string, Input['options'][string]> = {};
  const given: GivenOption[] = [];
  for (const name of flags) {
    if (isPreview && writeFlags?.includes(name)) continue;
    const value = values[fieldOf(name)];
    if (value === undefined || value === false) continue;
    const key = optionKey(`--${name}`);
    const texts = value === true ? [] : textsOf(name, value);
    for (const text of texts) given.push({ name, value: text });
    const isMany = declared.options?.some(({ flags: own, many }) => many && optionKey(own) === key);
    options[key] = value === true || (isMany ? texts : texts[0]);
  }
  if (isPreview && !writeFlags) options.dryRun = true;
  return { arguments: [fields[operand] ?? []].flat().map(String), options, given };
}

/** Values of `set` are JSON, so that one that starts with @ is not read as a file. */
const textsOf = (name: string, value: unknown): string[] =>
  name === 'set'
    ? Object.entries(value as object).map(([path, json]) => `${path}=${JSON.stringify(json)}`)
    : [value].flat().map(String);

export const kindOf = (command: string) => command.split(' ')[0] ?? '';
export const fieldOf = (flag: string) => flag.replaceAll('-', '_');
