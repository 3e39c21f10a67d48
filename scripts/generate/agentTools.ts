import { existsSync } from 'node:fs';
import * as z from 'zod';
import { outputOptions } from '../../src/core/commands/globals.ts';
import type { Option } from '../../src/core/input.ts';
import tasks from '../../src/modules/agents/tasks.json' with { type: 'json' };
import { fieldOf, type Task } from '../../src/modules/agents/tools.ts';
import { table } from '../../src/program/table.ts';
import { CommandTree } from '../../src/program/tree.ts';

/** No quotes and no `=`: a path must not change where its value starts. */
const path = z.string().regex(/^[\w$][\w$.[\]+-]*$/);
/** An id, or what is below the root; a whole path only of a subtitle file or an archive. */
const source = /^[^-/\\][^\\]*$|\.(srt|vtt|ttml|dfxp|xml|itt|zip)$/;

/** Stricter than the commands: an agent names no other files of this machine. */
const types: Readonly<Record<string, z.ZodType>> = {
  output: z.string().regex(/\.(srt|vtt|ttml|dfxp|xml|itt|xlsx)$/),
  source: z.string().regex(source),
  sources: z.array(z.string().regex(source)).min(1),
  // No .json: programs keep secrets in such files, and mar itself its tokens.
  file: z.string().regex(/\.(xlsx|csv|tsv|jsonl|mar-journal)$/),
  report: z.string().regex(/\.html$/),
  number: z.int().min(1),
  rows: z.array(z.looseObject({})).min(1).max(1000),
  show: z.int().min(0).max(100),
  decisions: z.array(z.string().regex(/^\d+=(created(:.+)?|retry)$/)),
  timeout: z.string().regex(/^([1-9]|[1-4]\d|50)s$/),
  // An id or an address.
  like: z.string().regex(/^(https?:\/\/.+|\/\/[^/]+\/api\/.+|[^-./\\][^./\\]*)$/),
  path: z.string(),
  set: z.looseObject({}),
  ids: z.array(z.string()).min(1).max(100),
  unset: z.array(path),
  // All rows, done ones too, is a decision of a person.
  again: z.enum(['failed']),
  fields: z.array(z.string()),
  topic: z.string().regex(/^[a-z]+(-[a-z]+)*( [a-z]+(-[a-z]+)*)?$/),
  token: z.string(),
};
const summaries: Readonly<Record<string, string>> = tasks.summaries;

interface TaskSource extends Task {
  required?: string[];
  /** The module that has its commands. Without it, the task is left out. */
  module?: string;
}

const isPresent = ({ module }: TaskSource) => !module || existsSync(`src/modules/${module}`);

const allTasks: readonly TaskSource[] = [...tasks.reads, ...tasks.writes];
/** Without a module, a task may name a command or a flag that does not exist. Otherwise that is a mistake. */
const isWhole = allTasks.every(isPresent);

/** The tools of `mar mcp`: the tasks, with JSON Schemas of their fields in the words of each command's help. */
export async function agentTools() {
  const withSchemas = (all: readonly TaskSource[]) =>
    Promise.all(
      all.filter(isPresent).map(async (source) => {
        const task = isWhole ? source : await withoutMissing(source);
        const { required, module, ...rest } = task;
        const annotations = task.writes
          ? { readOnlyHint: false, destructiveHint: task.writes === 'changes' }
          : { readOnlyHint: true };
        return { ...rest, annotations, inputSchema: await schemaFor(task) };
      }),
    );
  return {
    reads: await withSchemas(tasks.reads),
    writes: await withSchemas(tasks.writes),
  };
}

const tree = new CommandTree(table);

async function withoutMissing(task: TaskSource): Promise<TaskSource> {
  const known = Object.entries(task.commands).filter(([, words = '']) => tree.find(words));
  const options = (await optionsOf(task)).map(nameOf);
  return {
    ...task,
    commands: Object.fromEntries(known),
    flags: task.flags.filter((flag) => options.includes(flag)),
  };
}

async function optionsOf({ commands }: TaskSource): Promise<Option[]> {
  const words = Object.values(commands).flatMap((one) => one ?? []);
  const loaded = await Promise.all(words.map((one) => tree.find(one)?.load()));
  return loaded.flatMap((command) => command?.options ?? []);
}

async function schemaFor(task: TaskSource): Promise<object> {
  const { commands, flags, operand, required = [] } = task;
  const words = Object.values(commands).filter((one) => one !== undefined);
  const options = await optionsOf(task);
  const [argument] = (await tree.find(words[0] ?? '')?.load())?.arguments ?? [];
  const shape: Record<string, z.ZodType> = {};
  const add = (name: string, type: z.ZodType, summary = '') => {
    const words = summaries[`${task.name}.${name}`] ?? summaries[name] ?? summary;
    const described = (types[name] ?? type).describe(words);
    shape[name] = required.includes(name) ? described : described.optional();
  };
  if (words.length > 1) add('kind', z.enum(Object.keys(commands)));
  if (operand) add(operand, typeOf({ flags: '<>', ...argument }), argument?.summary);
  for (const flag of flags) {
    if (shape[fieldOf(flag)]) continue;
    const same = [...options, ...outputOptions].filter((one) => nameOf(one) === flag);
    const [option] = same;
    if (!option) throw new Error(`${words[0]} has no flag --${flag}`);
    // The command refuses a choice of another one.
    const choices = option.choices && [...new Set(same.flatMap((one) => one.choices ?? []))];
    add(fieldOf(flag), typeOf({ ...option, choices }), option.summary);
  }
  if (flags.includes('batch')) {
    add('rows', path);
    add('show', path);
  }
  if (task.name === 'fix_subtitles') add('text', z.string());
  if (task.fields) add('fields', path);
  if (task.writes) add('token', path);
  const { $schema, ...schema } = z.toJSONSchema(z.strictObject(shape), { io: 'input' });
  // Each byte is read in every chat.
  const isNothing = (value: unknown) =>
    JSON.stringify(value) === '{}' || value === Number.MAX_SAFE_INTEGER;
  return JSON.parse(JSON.stringify(schema, (_, value) => (isNothing(value) ? undefined : value)));
}

const nameOf = ({ flags }: Option) => /--([\w-]+)/.exec(flags)?.[1] ?? '';

function typeOf({ flags, many, choices }: Omit<Option, 'summary'>): z.ZodType {
  const text = choices ? z.enum(choices) : z.string();
  const one = flags.includes('<n>') ? z.int().min(1) : /[<[]/.test(flags) ? text : z.boolean();
  return many ? z.array(one).min(1) : one;
}
