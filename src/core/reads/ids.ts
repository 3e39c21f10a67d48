import { type Resource, resourceNoun } from '../api/endpoints.ts';
import { readRecordAddress } from '../client/recordAddress.ts';
import { type MarError, onCommandLine, usageError, withFacts } from '../errors.ts';
import {
  type Completes,
  type Declaration,
  flagOf,
  type Input,
  idResource,
  isWriting,
  missingArgument,
  optionKey,
} from '../input.ts';
import type { Context } from '../session/context.ts';
import { knownHosts, recentIds } from '../session/remember.ts';

/* Ids as people have them. Loaded only if the command line has something other than plain ids. */

/** Reads addresses as ids, and offers the recently used ids in place of a missing one. */
export async function readIds(
  context: Context,
  { path, command, input }: { path: string; command: Declaration; input: Input },
): Promise<Input> {
  const plain = withPlainIds(context, command, input);
  const found = [...plain.arguments];
  for (const argument of (command.arguments ?? []).slice(found.length)) {
    const resource = idResource(argument, command);
    if (argument.optional || resource === undefined) break;
    found.push(await offerId(context, resource, missingArgument(argument.name, path)));
  }
  return { ...plain, arguments: found };
}

/** Lets the user pick a recently used id on a terminal; otherwise throws `missing`. */
export async function offerId(
  { session, reporter }: Context,
  resource: Resource | 'any',
  missing: MarError,
): Promise<string> {
  if (!reporter.isInteractive || resource === 'any') throw missing;
  const choices = recentIds(session, resource);
  if (choices.length === 0) throw missing;
  return reporter.pick(`Which ${resourceNoun(resource)}? Recently used:`, choices);
}

/**
 * Reads the id in a web address or in a value of `$links`; any other text without spaces around it.
 * The id of another service may exist here too, so a write refuses the address of an unknown host.
 */
export function idReader(context: Context, { isWrite = false } = {}) {
  let hosts: ReadonlySet<string> | undefined;
  return (text: string, wanted: Resource | 'any'): string => {
    const { id, host } = readRecordAddress(text, wanted === 'any' ? undefined : wanted);
    if (host === undefined) return id;
    hosts ??= knownHosts(context.session);
    if (hosts.has(host)) return id;
    const { host: own } = context.session.identity().baseUrl;
    const otherService = onCommandLine(
      'To use another service, choose its profile with --profile.',
    );
    if (isWrite) {
      throw usageError(`${text.trim()} is at ${host}, which is not known to belong to ${own}`, [
        `Nothing was sent. If you mean that record at ${own}, pass the id alone: ${id}`,
        otherService,
      ]);
    }
    context.reporter.warn('other-service', [
      `the address is at ${host}, but mar looks for ${id} at ${own}`,
      otherService,
    ]);
    return id;
  };
}

const mayBeFile = (completes: Completes | undefined) =>
  typeof completes === 'object' && 'orFile' in completes;

function withPlainIds(context: Context, command: Declaration, input: Input): Input {
  const declared = command.arguments ?? [];
  const readId = idReader(context, { isWrite: isWriting(command) });
  const words = input.arguments.map((word, at) => {
    const argument = declared[at] ?? declared.at(-1);
    const resource = argument && idResource(argument, command);
    if (!argument || resource === undefined) return word;
    if (mayBeFile(argument.completes) && isPath(word)) return word;
    return withFacts({ value: word }, () => readId(word, resource));
  });
  // A flag that also takes files, --like, reads its ids itself.
  const options = (command.options ?? []).filter(({ completes }) => !mayBeFile(completes));
  const resources = new Map(
    options.map((option) => [optionKey(option.flags), idResource(option, command)]),
  );
  const read = (key: string, text: string) => {
    const resource = resources.get(key);
    if (resource === undefined) return text;
    return withFacts({ flag: flagOf(key), value: text }, () => readId(text, resource));
  };
  const values = Object.entries(input.options).map(([key, value]) => {
    if (typeof value === 'string') return [key, read(key, value)];
    return [key, Array.isArray(value) ? value.map((one: string) => read(key, one)) : value];
  });
  return {
    arguments: words,
    options: Object.fromEntries(values),
    given: input.given.map((one) => {
      return { ...one, value: read(optionKey(`--${one.name}`), one.value) };
    }),
  };
}

/** `//folder/a.srt` is a file, unlike `//media.example/api/workrequests/wr-2001`. */
export const isPath = (word: string) =>
  !/^https?:\/\//i.test(word.trim()) && !/^\s*\/\/[^/]+\/api\//.test(word) && /[./\\]/.test(word);
