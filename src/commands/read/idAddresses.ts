import type { Resource } from '../../api/endpoints.ts';
import { mayBeAddress, readRecordAddress } from '../../client/recordAddress.ts';
import type { Context } from '../../context.ts';
import { type Command, type Input, idResource, optionKey } from '../command.ts';

/** The id in a web address or a `$links` value of the wanted resource; any other text unchanged. */
export function plainId(context: Context, text: string, wanted: Resource | 'any'): string {
  if (!mayBeAddress(text)) return text;
  const { id, serviceHost } = readRecordAddress(text, wanted === 'any' ? undefined : wanted);
  const { host } = context.identity().baseUrl;
  if (serviceHost !== undefined && serviceHost !== host) {
    context.reportOnce(
      `warning: the address of ${id} is at ${serviceHost}, but this command uses ${host}`,
    );
  }
  return id;
}

export function withPlainIds(context: Context, command: Command, input: Input): Input {
  const declared = command.arguments ?? [];
  const words = input.arguments.map((word, at) => {
    const argument = declared[at] ?? declared.at(-1);
    const resource = argument && idResource(argument, command);
    if (!argument || resource === undefined) return word;
    const { completes } = argument;
    const mayBeFile = typeof completes === 'object' && 'orFile' in completes;
    return mayBeFile && isFile(word) ? word : plainId(context, word, resource);
  });
  const resources = new Map(
    (command.options ?? []).map((option) => [optionKey(option.flags), idResource(option, command)]),
  );
  const read = (key: string, text: string) => {
    const resource = resources.get(key);
    return resource === undefined ? text : plainId(context, text, resource);
  };
  const options = Object.entries(input.options).map(([key, value]) => {
    if (typeof value === 'string') return [key, read(key, value)];
    return [key, Array.isArray(value) ? value.map((one: string) => read(key, one)) : value];
  });
  return {
    arguments: words,
    options: Object.fromEntries(options),
    given: input.given.map(({ name, value }) => ({
      name,
      value: read(optionKey(`--${name}`), value),
    })),
  };
}

/** `//folder/a.srt` is a file, unlike `//media.example/api/workrequests/wr-2001`. */
const isFile = (word: string) =>
  !/^https?:\/\//i.test(word.trim()) && !/^\s*\/\/[^/]+\/api\//.test(word) && /[./\\]/.test(word);
