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
  defaults?: Input;
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

export type Input = Readonly<Record<string, unknown>>;

export function toolsFor(allowWrites: boolean): Tool[] {
  const all: Tool[] = [...tools.reads, ...(allowWrites ? tools.writes : [])];
  // A task that writes replaces the one that only reads.
  return [...new Map(all.map((tool) => [tool.name, tool])).values()];
}

export function isWrite({ writes, writeFlags, readFlags = [] }: Task, input: Input): boolean {
  const isGiven = (flag: string) => Boolean(input[fieldOf(flag)]);
  return Boolean(writes) && (writeFlags?.some(isGiven) ?? true) && !readFlags.some(isGiven);
}

/** A preview shows what the command line would write. */
export function commandLine(task: Task, input: Input, isPreview = false): string[] {
  const { commands, flags, operand = '', defaults, writeFlags } = task;
  const operands = [input[operand] ?? []].flat().map(String);
  if (operand === 'topic') return topicLine(operands.join(' '));
  const words = commands.find((name) => kindOf(name) === input.kind) ?? commands[0] ?? '';
  const values = { ...(input.range || input.summary ? {} : defaults), ...input };
  const fields = isPreview ? [] : [input.fields ?? task.fields ?? []].flat();
  const used = flags.filter((flag) => !isPreview || !writeFlags?.includes(flag));
  return [
    ...words.split(' '),
    ...used.flatMap((flag) => flagsOf(flag, values[fieldOf(flag)])),
    ...(fields.length > 0 ? [`--columns=_id,${fields}`] : []),
    ...(isPreview && !writeFlags ? ['--dry-run'] : []),
    // Behind `--`, nothing is taken for a flag.
    ...(operands.length > 0 ? ['--', ...operands] : []),
  ];
}

const topicLine = (topic: string) =>
  (topic.startsWith('schema ') ? topic : `help ${topic}`).split(' ');

export const kindOf = (command: string) => command.split(' ')[0] ?? '';
export const fieldOf = (flag: string) => flag.replaceAll('-', '_');

/** With `=`, a value that starts with a dash is no flag. As JSON, one that starts with @ is no file. */
export function flagsOf(flag: string, value: unknown = []): string[] {
  if (value === true) return [`--${flag}`];
  const values =
    flag === 'set'
      ? Object.entries(value as object).map(([name, json]) => `${name}=${JSON.stringify(json)}`)
      : [value].flat();
  return values.filter((one) => one !== false).map((one) => `--${flag}=${one}`);
}
