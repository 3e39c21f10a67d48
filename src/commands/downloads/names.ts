import { usageError } from '../../errors.ts';
import { type Input, stringOption } from '../../input.ts';
import { namedRecords } from '../../reads/candidates.ts';
import { allUsers } from '../../reads/knownUsers.ts';
import { matching, type Named, nameAndId } from '../../reads/named.ts';
import { knownList } from '../../reads/select.ts';
import { documentedValues } from '../../records/knownValues.ts';
import type { Context } from '../../session/context.ts';
import { seenValues } from '../../session/remember.ts';
import { folded } from '../../values/match.ts';
import { nearest } from '../../values/nearest.ts';

/* The service filters by ids and types. People know names. */

interface NamedFilter {
  noun: string;
  /** The value may be several, with commas between them. */
  isList?: true;
  known(context: Context): Promise<readonly Named[]> | readonly Named[];
  /** True for a value that needs no look-up, which may take requests. */
  isId(value: string, context: Context): boolean;
}

const typesKnown = ({ session }: Context): Named[] => {
  const types = [...(documentedValues['asset type'] ?? []), ...seenValues(session, 'asset type')];
  return [...new Set(types)].map((type) => ({ id: type, name: type }));
};

const filters: Readonly<Record<string, NamedFilter>> = {
  user: {
    noun: 'users',
    known: (context) => allUsers(context, 'names of users'),
    isId: (value, { session }) => session.userName(value) !== undefined,
  },
  projects: {
    noun: 'projects',
    isList: true,
    known: (context) => namedRecords(context, 'project'),
    // Names have spaces or capital letters.
    isId: (value) => !/[\p{Lu} ]/u.test(value),
  },
  type: { noun: 'types', known: typesKnown, isId: () => false },
  types: { noun: 'types', isList: true, known: typesKnown, isId: () => false },
};

/** Replaces the names in filters by ids, and says so. What is no known name is sent, with a warning. */
export async function withIds(context: Context, input: Input): Promise<Input> {
  const replaced: Record<string, string> = {};
  for (const [key, { noun, isList, isId, known: find }] of Object.entries(filters)) {
    const given = stringOption(input, key);
    if (given === undefined) continue;
    const values = isList ? given.split(',').map((one) => one.trim()) : [given];
    const known = values.every((value) => isId(value, context)) ? [] : await find(context);
    const ids = values.map((value) => {
      const isKnown = isId(value, context) || known.some(({ id }) => id === value);
      return isKnown || known.length === 0
        ? value
        : idOf(context, { flag: `--${key}`, noun, known }, value);
    });
    replaced[key] = ids.join(',');
  }
  return { ...input, options: { ...input.options, ...replaced } };
}

function idOf(
  { reporter }: Context,
  { flag, noun, known }: { flag: string; noun: string; known: readonly Named[] },
  value: string,
): string {
  const [first, ...others] = matching(value, known).found;
  if (others.length > 0) {
    const list = [first as Named, ...others].map(nameAndId).join('; ');
    throw usageError(`${flag} ${value} matches ${list}`, 'Use one of them.', { flag, value });
  }
  if (first) {
    reporter.noteReading(noun, `${flag} ${value}: ${nameAndId(first)}`);
    return first.id;
  }
  const textsOf = ({ id, name }: Named) => [id, name, ...name.split(' ')].map(folded);
  const near = nearest(folded(value), known.flatMap(textsOf));
  const meant = known.find((one) => textsOf(one).some((text) => text === near));
  const names = known.map(({ id, name }) => (name === id || name === '' ? id : `${id} (${name})`));
  const hint = meant ? ` (did you mean ${nameAndId(meant)}?)` : knownList(noun, names);
  reporter.warn('no-match', `${flag} ${value} is none of the ${noun} that mar knows${hint}`);
  return value;
}
